package observe

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
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

// Head is what a log knows of an observation without reading it.
type Head struct {
	ID           string
	Status       Status
	Observations int
	Rendered     bool // it says where it was rendered
	takenBack    bool
}

// headOf is the head of an observation. It shares no memory with its line.
func headOf(o *Observation) Head {
	status := Status(strings.Clone(string(o.Status)))
	if i := slices.Index(statuses, status); i >= 0 {
		status = statuses[i] // one text for all
	}
	return Head{o.ID, status, o.Observations, o.ArtifactPath != "", o.takenBack()}
}

var statuses = []Status{Observing, Ready, Created, Deprecated}

// now is the head of the observation as it is now.
func (line *logLine) now() Head {
	if line.obs == nil {
		return line.head
	}
	return headOf(line.obs)
}
