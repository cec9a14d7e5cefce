package transcript

import (
	"bytes"
	"io"
	"sync"
)

var bom = []byte("\xEF\xBB\xBF")

// DefaultMaxLine is the longest line that is read, in bytes. Longer ones, which
// hold pictures, are stepped over.
const DefaultMaxLine = 8 << 20

// Position is a place between two lines of a file, from where reading can go on.
type Position struct {
	Offset int64 // bytes before it
	Line   int   // lines before it
}

// lineReader reads whole lines and counts them. It holds one line, and what was
// read along with it.
type lineReader struct {
	r    io.Reader
	max  int
	pos  Position // behind the last line that was returned
	err  error    // of r
	buf  []byte
	from int // what is not returned yet is buf[from:to]
	to   int
	step int // bytes to be asked for next
}

const (
	// firstStep is how much is read at first: some readers stop after the first lines.
	firstStep = 32 << 10
	// bufferSize is how much is read at a time later.
	bufferSize = 256 << 10
)

func newLineReader(r io.Reader, from Position, maxLine int) *lineReader {
	if maxLine <= 0 {
		maxLine = DefaultMaxLine
	}
	return &lineReader{r: r, max: maxLine, pos: from, buf: buffers.Get().(*buffer)[:], step: firstStep}
}

type buffer [bufferSize]byte

// buffers are kept from one file to the next: most files are small.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

// close gives the buffer to the next file. Nothing can be read afterwards.
func (l *lineReader) close() {
	if len(l.buf) == bufferSize {
		buffers.Put((*buffer)(l.buf))
	}
	l.buf, l.from, l.to = nil, 0, 0
}

// next returns the next line without its end. It is valid until the next call.
// At the end of the input it returns what stands behind the last newline, which
// may be a line that somebody is still writing, with io.EOF and does not count
// it. A line beyond the maximum comes as its beginning with tooLong set.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	l.shrink()
	dropped := 0 // bytes of the line beyond the maximum
	for looked := 0; ; {
		rest := l.buf[l.from:l.to]
		if end := bytes.IndexByte(rest[looked:], '\n'); end >= 0 {
			end += looked
			l.from += end + 1
			l.pos.Offset += int64(dropped + end + 1)
			l.pos.Line++
			return withoutReturns(rest[:min(end, l.max)]), dropped > 0 || end+1 > l.max, nil
		}
		if l.err != nil {
			return rest[:min(len(rest), l.max)], dropped > 0 || len(rest) > l.max, l.err
		}
		if len(rest) > l.max {
			dropped += len(rest) - l.max
			l.to = l.from + l.max
		}
		looked = l.to - l.from
		l.fill()
	}
}

// fill reads on behind what is not returned yet.
func (l *lineReader) fill() {
	switch {
	case l.from > 0:
		l.to = copy(l.buf, l.buf[l.from:l.to])
		l.from = 0
	case l.to == len(l.buf): // of a line that is not beyond the maximum yet
		larger := make([]byte, min(2*len(l.buf), l.max+bufferSize))
		copy(larger, l.buf)
		l.buf = larger
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.to:min(len(l.buf), l.to+l.step)])
		l.to += n
		l.err = err
		if n > 0 || err != nil {
			l.step = min(2*l.step, bufferSize)
			return
		}
	}
	l.err = io.ErrNoProgress
}

// shrink gives back the memory of an uncommonly long line.
func (l *lineReader) shrink() {
	if len(l.buf) > 1<<20 && l.to-l.from <= bufferSize {
		small := buffers.Get().(*buffer)[:]
		l.to = copy(small, l.buf[l.from:l.to])
		l.buf, l.from = small, 0
	}
}

// withoutReturns takes carriage returns off the end of a line.
func withoutReturns(line []byte) []byte {
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line
}
