package observe

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"slices"
)

// place is where the text of a line stands. It is read when somebody asks for it: a log is
// large, and few of its observations are asked for. Of a file that was cut meanwhile
// nothing is read behind its end.
type place struct {
	text io.ReaderAt // nil: a new line, which has none
	at   int64
	size int
}

func (p place) bytes() []byte {
	if p.text == nil {
		return nil
	}
	raw := make([]byte, p.size)
	n, _ := p.text.ReadAt(raw, p.at)
	return raw[:n]
}

// window reads places that follow each other together. The zero value is ready.
type window struct {
	place
	data []byte
}

const windowSize = 256 << 10

// bytes is [place.bytes], until the next call.
func (w *window) bytes(p place) []byte {
	if p.text == nil {
		return nil
	}
	if from := p.at - w.at; p.text != w.text || from < 0 || from+int64(p.size) > int64(len(w.data)) {
		w.place = place{p.text, p.at, max(p.size, windowSize)}
		w.data = slices.Grow(w.data[:0], w.size)[:w.size]
		n, _ := w.text.ReadAt(w.data, w.at)
		w.data = w.data[:n]
	}
	from := min(int(p.at-w.at), len(w.data))
	return w.data[from:min(from+p.size, len(w.data))]
}

// linesOf walks through the lines of a text, each with its end. What it yields holds until
// the next step.
func linesOf(text io.ReaderAt, from, size int64) iter.Seq2[place, []byte] {
	return func(yield func(place, []byte) bool) {
		r := bufio.NewReaderSize(io.NewSectionReader(text, from, size-from), windowSize)
		for at := from; ; {
			raw, err := r.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) {
				begin := slices.Clone(raw)
				raw, err = r.ReadBytes('\n')
				raw = append(begin, raw...)
			}
			if len(raw) > 0 && !yield(place{text, at, len(raw)}, raw) || err != nil {
				return
			}
			at += int64(len(raw))
		}
	}
}
