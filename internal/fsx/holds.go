package fsx

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// Holds says whether a text is what a function writes. Where it is not, the function's writer
// fails at the first difference.
func Holds(text io.ReaderAt, size int64, write func(io.Writer) error) (bool, error) {
	d := difference{text: text, size: size}
	err := write(&d)
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil && d.at == size, err
}

// difference is a writer of what a text holds, and fails where that is another thing.
type difference struct {
	text     io.ReaderAt
	size, at int64
	held     []byte
}

var errDiffers = errors.New("it is another text")

func (d *difference) Write(p []byte) (int, error) {
	if d.at+int64(len(p)) > d.size {
		return 0, errDiffers
	}
	d.held = slices.Grow(d.held[:0], len(p))[:len(p)]
	if n, _ := d.text.ReadAt(d.held, d.at); !bytes.Equal(d.held[:n], p) {
		return 0, errDiffers
	}
	d.at += int64(len(p))
	return len(p), nil
}
