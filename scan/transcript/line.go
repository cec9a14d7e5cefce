package transcript

import (
	"bufio"
	"bytes"
	"errors"
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

// lineReader reads whole lines and counts them. It holds one line at a time.
type lineReader struct {
	r    *bufio.Reader
	max  int
	pos  Position // behind the last line that was returned
	long []byte   // collects a line that is larger than the buffer
}

func newLineReader(r io.Reader, from Position, maxLine int) *lineReader {
	if maxLine <= 0 {
		maxLine = DefaultMaxLine
	}
	buffer := buffers.Get().(*bufio.Reader)
	buffer.Reset(r)
	return &lineReader{r: buffer, max: maxLine, pos: from}
}

// buffers are kept from one file to the next: most files are small.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

// close gives the buffer to the next file. Nothing can be read afterwards.
func (l *lineReader) close() {
	l.r.Reset(nil)
	buffers.Put(l.r)
	l.r = nil
}

// next returns the next line without its end. It is valid until the next call.
// At the end of the input it returns what stands behind the last newline, which
// may be a line that somebody is still writing, with io.EOF and does not count
// it. A line beyond the maximum comes as its beginning with tooLong set.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	size := int64(0)
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		size += int64(len(part))
		if len(l.long)+len(part) > l.max {
			tooLong = true
			part = part[:max(0, l.max-len(l.long))]
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			l.long = append(l.long, part...)
			continue
		}
		if len(l.long) > 0 {
			l.long = append(l.long, part...)
			part = l.long
		}
		if err != nil {
			return part, tooLong, err
		}
		l.pos.Offset += size
		l.pos.Line++
		return bytes.TrimRight(part, "\r\n"), tooLong, nil
	}
}

// shrink gives back the memory of an uncommonly long line.
func (l *lineReader) shrink() {
	if cap(l.long) > 1<<20 {
		l.long = nil
	}
}
