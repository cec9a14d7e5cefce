package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// cursor walks JSON in place. Transcripts are large and mostly not wanted:
// a cursor decodes what it is asked for and steps over the rest. It compares
// keys exactly, where encoding/json folds case. It is lenient about what it
// steps over and never reads outside of b.
type cursor struct {
	b []byte
	i int
}

func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n', 0:
			c.i++
		default:
			return
		}
	}
}

// peek returns the next character that is no space, or 0 at the end.
func (c *cursor) peek() byte {
	c.space()
	if c.i == len(c.b) {
		return 0
	}
	return c.b[c.i]
}

// take steps over one expected character.
func (c *cursor) take(want byte) bool {
	if c.peek() != want || want == 0 {
		return false
	}
	c.i++
	return true
}

// object calls f for each key of the object at the cursor. F must step over the
// value; it and object return false when what is there is no valid JSON or ends
// too early.
func (c *cursor) object(f func(key []byte) bool) bool {
	if !c.take('{') {
		return false
	}
	if c.take('}') {
		return true
	}
	for {
		raw, ok := c.quoted()
		if !ok || !c.take(':') || !f(plainKey(raw)) {
			return false
		}
		if c.take('}') {
			return true
		}
		if !c.take(',') {
			return false
		}
	}
}

// array calls f for each element of the array at the cursor, on the same terms.
func (c *cursor) array(f func() bool) bool {
	if !c.take('[') {
		return false
	}
	if c.take(']') {
		return true
	}
	for {
		if !f() {
			return false
		}
		if c.take(']') {
			return true
		}
		if !c.take(',') {
			return false
		}
	}
}

// plainKey undoes escapes in a key, which are rare.
func plainKey(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return []byte(unquote(raw))
}

// quoted steps over the string at the cursor and returns what stands between
// its quotes, escapes and all.
func (c *cursor) quoted() ([]byte, bool) {
	if !c.take('"') {
		return nil, false
	}
	from := c.i
	for {
		n := bytes.IndexByte(c.b[c.i:], '"')
		if n < 0 {
			c.i = len(c.b)
			return nil, false
		}
		at := c.i + n
		c.i = at + 1
		back := at
		for back > from && c.b[back-1] == '\\' {
			back--
		}
		if (at-back)%2 == 0 {
			return c.b[from:at], true
		}
	}
}

// text decodes the string at the cursor. A value that is no string gives "".
func (c *cursor) text() (string, bool) {
	if c.peek() != '"' {
		return "", c.skip()
	}
	raw, ok := c.quoted()
	if !ok {
		return "", false
	}
	return unquote(raw), true
}

// flag decodes the boolean at the cursor; anything else is false.
func (c *cursor) flag() (bool, bool) {
	at := c.i
	ok := c.skip()
	return ok && string(bytes.TrimSpace(c.b[at:c.i])) == "true", ok
}

// raw steps over the value at the cursor and returns it as it stands.
func (c *cursor) raw() (json.RawMessage, bool) {
	c.space()
	at := c.i
	if !c.skip() {
		return nil, false
	}
	return json.RawMessage(c.b[at:c.i]), true
}

// skip steps over the value at the cursor. Of objects and arrays it only counts
// brackets, so that depth costs no stack.
func (c *cursor) skip() bool {
	switch c.peek() {
	case 0, '}', ']', ',', ':':
		return false
	case '"':
		_, ok := c.quoted()
		return ok
	case '{', '[':
		return c.skipNested()
	}
	from := c.i
	for c.i < len(c.b) && scalar[c.b[c.i]] {
		c.i++
	}
	return c.i > from
}

func (c *cursor) skipNested() bool {
	depth := 0
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case '"':
			if _, ok := c.quoted(); !ok {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.i++
		if depth == 0 {
			return true
		}
	}
	return false
}

// scalar are the characters of numbers, true, false and null.
var scalar = func() (set [256]bool) {
	for _, c := range "0123456789+-.eEtrufalsn" {
		set[c] = true
	}
	return set
}()

// unquote undoes the escapes of a JSON string's inside. Bytes that are no UTF-8
// become U+FFFD, and so does an escape that means nothing.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		if utf8.Valid(raw) {
			return string(raw)
		}
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		n := bytes.IndexByte(raw[i:], '\\')
		if n < 0 {
			out = append(out, raw[i:]...)
			break
		}
		out = append(out, raw[i:i+n]...)
		i += n + 1
		if i == len(raw) {
			break
		}
		if raw[i] != 'u' {
			out = utf8.AppendRune(out, escapes[raw[i]])
			i++
			continue
		}
		r, width := unescape(raw[i:])
		out = utf8.AppendRune(out, r)
		i += width
	}
	if !utf8.Valid(out) {
		return strings.ToValidUTF8(string(out), "\uFFFD")
	}
	return string(out)
}

// escapes maps the letter behind a backslash to what it stands for.
var escapes = func() (to [256]rune) {
	for i := range to {
		to[i] = utf8.RuneError
	}
	for from, r := range map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'} {
		to[from] = r
	}
	return to
}()

// unescape reads uXXXX, or a pair of them, and returns how long that was.
func unescape(b []byte) (rune, int) {
	high, ok := hex4(b)
	if !ok {
		return utf8.RuneError, 1
	}
	switch {
	case high < 0xD800 || high > 0xDFFF:
		return high, 5
	case high > 0xDBFF || len(b) < 11 || b[5] != '\\':
		return utf8.RuneError, 5
	}
	low, ok := hex4(b[6:])
	if !ok || low < 0xDC00 || low > 0xDFFF {
		return utf8.RuneError, 5
	}
	return (high-0xD800)<<10 + (low - 0xDC00) + 0x10000, 11
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 5 || b[0] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[1:5] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
