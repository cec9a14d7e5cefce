package transcript

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// cursor walks JSON in place. Transcripts are large and mostly not wanted:
// a cursor decodes what it is asked for and steps over the rest. It compares
// keys exactly, where encoding/json folds case. It is lenient about what it
// steps over and never reads outside of b. What it steps over is found by
// counting brackets, so that depth costs no stack.
//
// An object is walked by
//
//	for c.enter('{'); c.member(); {
//		switch string(c.key) {
//		…
//		default:
//			c.skip()
//		}
//	}
//
// where each case steps over the member's value, and an array likewise with
// [cursor.element]. A walk ends early when what is there is no valid JSON: then
// c.bad is set, and whoever goes on finds nothing more.
type cursor struct {
	b   []byte
	i   int
	key []byte // of the member that was stepped to last
	bad bool

	fresh bool // nothing was read yet of the object or array that was entered last
}

// fail ends the walk at all depths.
func (c *cursor) fail() { c.i, c.bad, c.fresh = len(c.b), true, false }

// peek returns the next character that is no space, or 0 at the end.
func (c *cursor) peek() byte {
	for ; c.i < len(c.b); c.i++ {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n', 0:
		default:
			return c.b[c.i]
		}
	}
	return 0
}

// enter steps into the object or array at the cursor, which begins with open.
// Anything else is damage: ask [cursor.peek] before where another value may be.
func (c *cursor) enter(open byte) {
	if c.peek() != open {
		c.fail()
		return
	}
	c.i++
	c.fresh = true
}

// member steps to the value of the object's next member and sets c.key. It
// returns false behind the object, and when that is damaged.
func (c *cursor) member() bool {
	if !c.more('}') {
		return false
	}
	raw, ok := c.quoted()
	if c.key = raw; bytes.IndexByte(raw, '\\') >= 0 {
		c.key = []byte(unquote(raw))
	}
	if !ok || c.peek() != ':' {
		c.fail()
		return false
	}
	c.i++
	return true
}

// element steps to the array's next element. It returns false behind the array,
// and when that is damaged.
func (c *cursor) element() bool { return c.more(']') }

// more steps over what stands before the next part of an object or array.
func (c *cursor) more(end byte) bool {
	fresh := c.fresh
	c.fresh = false
	switch next := c.peek(); {
	case next == end && next != 0:
		c.i++
		return false
	case fresh:
	case next == ',':
		c.i++
	default:
		c.fail()
	}
	return !c.bad
}

// quoted steps over the value at the cursor. Of a string it returns what stands
// between the quotes, escapes and all.
func (c *cursor) quoted() (raw []byte, ok bool) {
	isText := c.peek() == '"'
	from := c.i + 1
	if !c.skip() || !isText {
		return nil, false
	}
	return c.b[from : c.i-1], true
}

// text decodes the string at the cursor. A value that is no string gives "".
func (c *cursor) text() string {
	raw, _ := c.quoted()
	return unquote(raw)
}

// value steps over the value at the cursor and returns it as it stands. Of a
// damaged one it returns what is there.
func (c *cursor) value() value {
	c.peek()
	at := c.i
	c.skip()
	return value(c.b[at:c.i])
}

// skip steps over the value at the cursor.
func (c *cursor) skip() bool {
	end := -1
	switch c.peek() {
	case 0, '}', ']', ',', ':':
	case '"':
		end = closingQuote(c.b, c.i+1)
	case '{', '[':
		end = closingBracket(c.b, c.i)
	default:
		from := c.i
		for c.i < len(c.b) && scalar[c.b[c.i]] {
			c.i++
		}
		if c.i > from {
			return true
		}
	}
	if end < 0 {
		c.fail()
		return false
	}
	c.i = end + 1
	return true
}

// scalar are the characters of numbers, true, false and null.
var scalar = func() (set [256]bool) {
	for _, c := range "0123456789+-.eEtrufalsn" {
		set[c] = true
	}
	return set
}()

// closingQuote returns where the string ends whose inside begins at from, or -1.
func closingQuote(b []byte, from int) int {
	for at := from; ; at++ {
		next := bytes.IndexByte(b[at:], '"')
		if next < 0 {
			return -1
		}
		at += next
		back := at
		for back > from && b[back-1] == '\\' {
			back--
		}
		if (at-back)%2 == 0 {
			return at
		}
	}
}

// closingBracket returns where the object or array ends that begins at from, or
// -1.
func closingBracket(b []byte, from int) int {
	depth := 0
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = closingQuote(b, i+1); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// unquote undoes the escapes of a JSON string's inside. Bytes that are no UTF-8
// become U+FFFD, and so does an escape that means nothing.
func unquote(raw []byte) string {
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return validText(string(raw))
	}
	var out strings.Builder
	out.Grow(len(raw))
	for ; at >= 0 && at+1 < len(raw); at = bytes.IndexByte(raw, '\\') {
		out.Write(raw[:at])
		if c := escapes[raw[at+1]]; c != 0 {
			out.WriteByte(c)
			raw = raw[at+2:]
			continue
		}
		r, width := unescape(raw[at+1:])
		out.WriteRune(r)
		raw = raw[at+1+width:]
	}
	if at < 0 {
		out.Write(raw)
	}
	return validText(out.String())
}

// validText puts U+FFFD in the place of bytes that are no UTF-8. Asking first is many
// times faster than looking for them, and nearly all texts hold none.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// escapes maps the letter behind a backslash to what it stands for; 0: nothing.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape reads uXXXX, or a pair of them, and returns how long that was.
// Another letter means nothing.
func unescape(b []byte) (rune, int) {
	first, ok := hex4(b)
	switch {
	case !ok:
		return utf8.RuneError, 1
	case !utf16.IsSurrogate(first):
		return first, 5
	case len(b) > 5 && b[5] == '\\':
		if second, ok := hex4(b[6:]); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				return r, 11
			}
		}
	}
	return utf8.RuneError, 5
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 5 || b[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[1:5]), 16, 16)
	return rune(n), err == nil
}
