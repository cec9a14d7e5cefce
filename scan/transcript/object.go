package transcript

import (
	"bufio"
	"errors"
	"io"
)

// errNoObject ends the reading of a file that is no JSON object, or only the
// beginning of one.
var errNoObject = errors.New("not a whole JSON object")

// objectReader walks one large JSON object, of which it holds one value at a
// time.
type objectReader struct {
	r   *bufio.Reader
	max int
	buf []byte
	at  int64 // bytes read
}

func newObjectReader(r io.Reader, maxValue int) *objectReader {
	if maxValue <= 0 {
		maxValue = DefaultMaxLine
	}
	o := &objectReader{r: bufio.NewReaderSize(r, 64<<10), max: maxValue}
	if head, _ := o.r.Peek(len(bom)); string(head) == string(bom) {
		o.skip(len(bom))
	}
	return o
}

func (o *objectReader) skip(n int) {
	n, _ = o.r.Discard(n)
	o.at += int64(n)
}

// peek returns the next character that is no space.
func (o *objectReader) peek() (byte, error) {
	for {
		b, err := o.r.ReadByte()
		if err != nil {
			return 0, err
		}
		o.at++
		switch b {
		case ' ', '\t', '\r', '\n', 0:
			continue
		}
		o.at--
		return b, o.r.UnreadByte()
	}
}

// take steps over one expected character.
func (o *objectReader) take(want byte) error {
	b, err := o.peek()
	if err != nil {
		return err
	}
	if b != want {
		return errNoObject
	}
	o.skip(1)
	return nil
}

// object calls f for each key of the object that comes next. F reads the value.
func (o *objectReader) object(f func(key string) error) error {
	if err := o.take('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		done, err := o.next('}', first)
		if done || err != nil {
			return err
		}
		raw, tooLong, err := o.value()
		if err != nil {
			return err
		}
		if tooLong || len(raw) == 0 || raw[0] != '"' {
			return errNoObject
		}
		key := raw.text()
		if err := o.take(':'); err != nil {
			return err
		}
		if err := f(key); err != nil {
			return err
		}
	}
}

// array calls f for each element of the array that comes next. F gets nothing
// for an element beyond the maximum. What is no array is stepped over.
func (o *objectReader) array(f func(v value, tooLong bool) error) error {
	if b, err := o.peek(); err != nil || b != '[' {
		if err == nil {
			_, _, err = o.value()
		}
		return err
	}
	o.skip(1)
	for first := true; ; first = false {
		done, err := o.next(']', first)
		if done || err != nil {
			return err
		}
		v, tooLong, err := o.value()
		if err != nil {
			return err
		}
		if tooLong {
			v = nil
		}
		if err := f(v, tooLong); err != nil {
			return err
		}
	}
}

// next steps over what stands between two members, and says whether there is
// none more.
func (o *objectReader) next(end byte, first bool) (done bool, err error) {
	b, err := o.peek()
	switch {
	case err != nil:
		return false, err
	case b == end:
		o.skip(1)
		return true, nil
	case first:
		return false, nil
	case b != ',':
		return false, errNoObject
	}
	o.skip(1)
	return false, nil
}

// value reads the value that comes next, which is valid until the next call. Of
// one beyond the maximum it keeps the beginning.
func (o *objectReader) value() (v value, tooLong bool, err error) {
	if cap(o.buf) > 1<<20 {
		o.buf = nil
	}
	o.buf = o.buf[:0]
	if _, err := o.peek(); err != nil {
		return nil, false, err
	}
	var s valueScanner
	for {
		part, err := o.r.Peek(max(1, o.r.Buffered()))
		if len(part) == 0 {
			if errors.Is(err, io.EOF) && s.scalar {
				return value(o.buf), tooLong, nil
			}
			return nil, false, err
		}
		n, done, ok := s.scan(part)
		if !ok {
			return nil, false, errNoObject
		}
		keep := min(n, o.max-len(o.buf))
		o.buf = append(o.buf, part[:keep]...)
		tooLong = tooLong || keep < n
		o.skip(n)
		if done {
			return value(o.buf), tooLong, nil
		}
	}
}

// valueScanner finds the end of one JSON value that comes in pieces. It counts
// brackets, so that depth costs no stack.
type valueScanner struct {
	inString, escaped, scalar bool
	depth                     int
}

// scan returns how many bytes of a piece belong to the value and whether that
// was its end.
func (s *valueScanner) scan(b []byte) (n int, done, ok bool) {
	for i, c := range b {
		switch {
		case s.inString:
			switch {
			case s.escaped:
				s.escaped = false
			case c == '\\':
				s.escaped = true
			case c == '"':
				s.inString = false
				if s.depth == 0 {
					return i + 1, true, true
				}
			}
		case s.scalar:
			if !scalar[c] {
				return i, true, true
			}
		case c == '"':
			s.inString = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth == 0 {
				return i, false, false
			}
			if s.depth--; s.depth == 0 {
				return i + 1, true, true
			}
		case s.depth == 0:
			if !scalar[c] {
				return i, false, false
			}
			s.scalar = true
		}
	}
	return len(b), false, true
}

// readObject reads a session that is one object with a list of messages: head
// gets the members before them, message each message with its index. What is
// torn or damaged is counted, and good up to there.
func readObject(r io.Reader, opts Options, list string, stats *Stats, head func(key string, v value), message func(index int, v value) error) error {
	o := newObjectReader(r, opts.MaxLine)
	found, index := false, -1
	var own error // of message
	err := o.object(func(key string) error {
		if key != list {
			v, tooLong, err := o.value()
			if err == nil && !tooLong {
				head(key, v)
			}
			return err
		}
		found = true
		return o.array(func(v value, tooLong bool) error {
			index++
			if tooLong {
				stats.TooLong++
				return nil
			}
			own = message(index, v)
			return own
		})
	})
	stats.Offset = o.at
	switch {
	case own != nil:
		return own
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		stats.Torn = true
		return nil
	case errors.Is(err, errNoObject):
		stats.Bad++
		return nil
	case err == nil && !found:
		return errNoMessages
	}
	return err
}

// errNoMessages is an object that is no session, whatever else it is.
var errNoMessages = errors.New("no messages")
