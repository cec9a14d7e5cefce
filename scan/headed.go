package scan

import (
	"errors"
	"io"
	"sync"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// headed is a file whose beginning was read already, and is read from memory
// whenever somebody wants it again. Of most sessions that is all.
type headed struct {
	f    io.ReadSeeker
	head []byte
	at   int64 // where reading goes on
	real int64 // where f stands
}

// readHead reads the beginning of a file. Done gives its memory back.
func readHead(f io.ReadSeeker) (h *headed, done func(), err error) {
	space := heads.Get().(*[transcript.HeadSize]byte)
	done = func() { heads.Put(space) }
	n, err := io.ReadFull(f, space[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		done()
		return nil, nil, err
	}
	return &headed{f: f, head: space[:n], real: int64(n)}, done, nil
}

// heads are kept from one file to the next.
var heads = sync.Pool{New: func() any { return new([transcript.HeadSize]byte) }}

func (h *headed) Read(p []byte) (int, error) {
	if h.at < int64(len(h.head)) {
		n := copy(p, h.head[h.at:])
		h.at += int64(n)
		return n, nil
	}
	if h.at != h.real {
		if _, err := h.f.Seek(h.at, io.SeekStart); err != nil {
			return 0, err
		}
		h.real = h.at
	}
	n, err := h.f.Read(p)
	h.at += int64(n)
	h.real = h.at
	return n, err
}

// Seek moves nothing but a number: the file follows when it is read.
func (h *headed) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart || offset < 0 {
		return 0, errors.New("scan: only places from the beginning are sought")
	}
	h.at = offset
	return offset, nil
}
