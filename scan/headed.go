package scan

import (
	"errors"
	"io"
	"sync"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// endBytes is how much of a file's end is read ahead: the last line end stands
// there, and most of what [tailHash] asks for.
const endBytes = 8 << 10

// headed is a file whose beginning and end were read already, and are read from
// memory whenever somebody wants them again. Of most sessions that is all.
type headed struct {
	f    io.ReadSeeker
	head []byte
	end  []byte // may be empty
	from int64  // where end begins
	at   int64  // where reading goes on
	real int64  // where f stands
}

// ends is the memory for both.
type ends struct {
	head [transcript.HeadSize]byte
	end  [endBytes]byte
}

// heads are kept from one file to the next.
var heads = sync.Pool{New: func() any { return new(ends) }}

// readHead reads the beginning of a file, and the end of one whose size is said.
// Done gives its memory back.
func readHead(f io.ReadSeeker, size int64) (h *headed, done func(), err error) {
	space := heads.Get().(*ends)
	done = func() { heads.Put(space) }
	n, err := io.ReadFull(f, space.head[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		done()
		return nil, nil, err
	}
	h = &headed{f: f, head: space.head[:n], real: int64(n)}
	if from := max(h.real, size-endBytes); from < size {
		h.readEnd(space.end[:size-from], from)
	}
	return h, done, nil
}

// readEnd reads the end from a place on, if it can be had without going there: what
// lies between is wanted first.
func (h *headed) readEnd(end []byte, from int64) {
	if r, ok := h.f.(io.ReaderAt); ok {
		if n, _ := r.ReadAt(end, from); n == len(end) {
			h.end, h.from = end, from
		}
	}
}

func (h *headed) Read(p []byte) (int, error) {
	n := 0
	switch end := h.at - h.from; {
	case h.at < int64(len(h.head)):
		n = copy(p, h.head[h.at:])
	case end >= 0 && end < int64(len(h.end)):
		n = copy(p, h.end[end:])
	default:
		return h.readOn(p)
	}
	h.at += int64(n)
	return n, nil
}

// readOn reads from the file itself.
func (h *headed) readOn(p []byte) (int, error) {
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
