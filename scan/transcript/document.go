package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// errNoObject ends the reading of a file that is no JSON object.
var errNoObject = errors.New("not a JSON object")

// document reads a session that is one object with a list of messages. Event.Line is
// the message's index. What is torn or damaged is counted, and good up to there.
func (r *reader) document(in io.Reader, form documentForm) error {
	buffered, release := Buffered(in)
	defer release()
	d := &document{r: buffered, max: r.opts.MaxLine}
	if head, _ := d.r.Peek(len(bom)); string(head) == string(bom) {
		d.step(len(bom))
	}
	found := false
	err := d.each('{', '}', func(int) error {
		raw, _, err := d.value()
		key := raw.text()
		if err == nil {
			err = d.take(':')
		}
		if err != nil {
			return err
		}
		if next, _ := d.peek(); key == form.list && next == '[' {
			found = true
			return d.each('[', ']', func(i int) error {
				r.line = i
				return r.message(d, form)
			})
		}
		v, tooLong, err := d.value()
		if err == nil && !tooLong && form.head != nil {
			form.head(key, v)
		}
		return err
	})
	r.stats.Offset = d.at
	switch {
	case r.err != nil:
		return r.err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		r.stats.Torn = true
		return nil
	case errors.Is(err, errNoObject):
		r.stats.Bad++
		return nil
	case err == nil && !found && form.piece != "":
		return &ErrFormat{Path: r.opts.Name, Format: r.form.id, Why: form.piece}
	}
	return err
}

// message reads the message that comes next.
func (r *reader) message(d *document, form documentForm) error {
	v, tooLong, err := d.value()
	switch {
	case err != nil:
		return err
	case tooLong:
		r.stats.TooLong++
	default:
		form.message(v)
		r.asked(v)
	}
	return r.err
}

// document walks one large JSON object, of which it holds one value at a time.
type document struct {
	r   *bufio.Reader
	max int
	buf []byte
	at  int64 // bytes read
}

func (d *document) step(n int) {
	n, _ = d.r.Discard(n)
	d.at += int64(n)
}

// peek steps to the next character that is no space, and returns it.
func (d *document) peek() (byte, error) {
	for {
		b, err := d.r.Peek(1)
		switch {
		case err != nil:
			return 0, err
		case strings.IndexByte(" \t\r\n\x00", b[0]) < 0:
			return b[0], nil
		}
		d.step(1)
	}
}

// take steps over one expected character.
func (d *document) take(want byte) error {
	b, err := d.peek()
	if err == nil && b != want {
		err = errNoObject
	}
	if err == nil {
		d.step(1)
	}
	return err
}

// each calls f for each part of the object or array that comes next. F reads the part.
func (d *document) each(open, end byte, f func(i int) error) error {
	err := d.take(open)
	for i := 0; err == nil; i++ {
		var next byte
		if next, err = d.peek(); err == nil && next == end {
			return d.take(end)
		}
		if err == nil && i > 0 {
			err = d.take(',')
		}
		if err == nil {
			err = f(i)
		}
	}
	return err
}

// value reads the value that comes next, which is valid until the next call. Of
// one beyond the maximum it keeps the beginning.
func (d *document) value() (v value, tooLong bool, err error) {
	first, err := d.peek()
	if err != nil {
		return nil, false, err
	}
	if d.buf = d.buf[:0]; cap(d.buf) > 1<<20 {
		d.buf = nil
	}
	var n nesting
	for done := false; !done; {
		part, err := d.r.Peek(max(1, d.r.Buffered()))
		if len(part) == 0 {
			return nil, false, err
		}
		size := 0
		switch {
		case strings.IndexByte(`"{[`, first) >= 0:
			size, done = n.end(part)
		case scalar[first]:
			for size < len(part) && scalar[part[size]] {
				size++
			}
			done = size < len(part)
		default:
			return nil, false, errNoObject
		}
		before := len(d.buf)
		d.buf = appendUpTo(d.buf, part[:size], d.max)
		tooLong = tooLong || len(d.buf)-before < size
		d.step(size)
	}
	return value(d.buf), tooLong, nil
}

// nesting finds the end of a string, object or array that comes in pieces.
type nesting struct {
	inString bool
	escaped  bool // the last piece ended with a backslash that goes with the next character
	depth    int
}

// end returns how many bytes of a piece belong to the value and whether it ends there.
func (n *nesting) end(piece []byte) (size int, done bool) {
	i := 0
	if n.escaped {
		i, n.escaped = 1, false
	}
	for ; i < len(piece); i++ {
		if n.inString {
			at := closingQuote(piece, i)
			if at < 0 {
				rest := piece[i:]
				n.escaped = (len(rest)-len(bytes.TrimRight(rest, `\`)))%2 == 1
				return len(piece), false
			}
			i = at
		}
		switch piece[i] {
		case '"':
			n.inString = !n.inString
		case '{', '[':
			n.depth++
		case '}', ']':
			n.depth--
		}
		if n.depth == 0 && !n.inString {
			return i + 1, true
		}
	}
	return len(piece), false
}
