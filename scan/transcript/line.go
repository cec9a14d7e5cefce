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

// lineReader reads whole lines and counts them. It holds one line.
type lineReader struct {
	r   *bufio.Reader
	max int
	pos Position // behind the last line that was returned
	buf []byte   // a line that is longer than r's buffer
}

// bufferSize is how much is read at a time.
const bufferSize = 128 << 10

// buffers are large beside most files, so that one serves many of them.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, bufferSize) }}

// Buffered puts a buffer before a reader, of at least [HeadSize]. What was peeked at
// holds until release is called.
func Buffered(r io.Reader) (b *bufio.Reader, release func()) {
	b = buffers.Get().(*bufio.Reader)
	b.Reset(r)
	return b, func() {
		b.Reset(nil)
		buffers.Put(b)
	}
}

func newLineReader(r *bufio.Reader, from Position, maxLine int) *lineReader {
	return &lineReader{r: r, max: maxLine, pos: from}
}

// next returns the next line without its end. It is valid until the next call.
// At the end of the input it returns what stands behind the last newline, which
// may be a line that somebody is still writing, with io.EOF and does not count
// it. A line beyond the maximum comes as its beginning with tooLong set.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	line, err = l.r.ReadSlice('\n')
	size := len(line)
	if errors.Is(err, bufio.ErrBufferFull) {
		if l.buf = l.buf[:0]; cap(l.buf) > 1<<20 {
			l.buf = nil // the memory of an uncommonly long line
		}
		for part := line; ; size += len(part) {
			l.buf = appendUpTo(l.buf, part, l.max)
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
			part, err = l.r.ReadSlice('\n')
		}
		line = l.buf
	}
	line = line[:min(len(line), l.max)]
	if err == nil {
		l.pos.Offset += int64(size)
		l.pos.Line++
		line = bytes.TrimRight(bytes.TrimSuffix(line, []byte{'\n'}), "\r")
	}
	return line, size > l.max, err
}

// appendUpTo appends a part, or as much of it as there is room for. It takes memory by
// doubling, where append takes a quarter more each time and leaves the rest behind.
func appendUpTo(buf, part []byte, most int) []byte {
	part = part[:min(len(part), most-len(buf))]
	if n := len(buf) + len(part); n > cap(buf) {
		buf = append(make([]byte, 0, min(most, max(2*cap(buf), n))), buf...)
	}
	return append(buf, part...)
}
