package transcript

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"
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
	end := closingQuote(c.b, from)
	if end < 0 {
		c.i = len(c.b)
		return nil, false
	}
	c.i = end + 1
	return c.b[from:end], true
}

// closingQuote returns where the string ends whose inside begins at from, or -1.
// Most strings and most stretches between escaped quotes are short, so the first
// bytes are looked at a word at a time before the search for long ones starts.
func closingQuote(b []byte, from int) int {
	for at := from; ; at++ {
		near := min(len(b)-8, at+32)
		found := 0
		for at <= near {
			if found = hasByte(binary.LittleEndian.Uint64(b[at:]), quotes); found < 8 {
				break
			}
			at += 8
		}
		if found < 8 && at <= near {
			at += found
		} else if n := bytes.IndexByte(b[at:], '"'); n >= 0 {
			at += n
		} else {
			return -1
		}
		back := at
		for back > from && b[back-1] == '\\' {
			back--
		}
		if (at-back)&1 == 0 {
			return at
		}
	}
}

// Eight times the same byte.
const (
	ones        = 0x0101010101010101
	quotes      = '"' * ones
	backslashes = '\\' * ones
)

// hasByte returns the place of the first of eight bytes that is the one that
// eight repeats, 8 for none. (The lowest mark of this test is exact.)
func hasByte(word, eight uint64) int {
	x := word ^ eight
	return bits.TrailingZeros64((x-ones)&^x&(0x80*ones)) >> 3
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

// again decodes the string at the cursor, which is most often the one that an
// earlier line held there: no memory is taken then.
func (c *cursor) again(earlier string) (string, bool) {
	if c.peek() != '"' {
		return "", c.skip()
	}
	raw, ok := c.quoted()
	if !ok {
		return "", false
	}
	if string(raw) == earlier {
		return earlier, true
	}
	return unquote(raw), true
}

// kind decodes the string at the cursor, which is most often the name of one of
// a few types.
func (c *cursor) kind() (string, bool) {
	if c.peek() != '"' {
		return "", c.skip()
	}
	raw, ok := c.quoted()
	switch string(raw) {
	case "user":
		return "user", ok
	case "assistant":
		return "assistant", ok
	case "progress":
		return "progress", ok
	case "text":
		return "text", ok
	case "tool_use":
		return "tool_use", ok
	case "tool_result":
		return "tool_result", ok
	}
	return unquote(raw), ok
}

// time decodes a time in the form of RFC 3339; what is none is the zero time.
func (c *cursor) time() (time.Time, bool) {
	if c.peek() != '"' {
		return time.Time{}, c.skip()
	}
	raw, ok := c.quoted()
	if !ok || len(raw) == 0 || len(raw) > 64 {
		return time.Time{}, ok
	}
	t, _ := time.Parse(time.RFC3339Nano, string(raw))
	return t, true
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
	b := c.b
	for i := c.i; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = closingQuote(b, i+1); i < 0 {
				c.i = len(b)
				return false
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.i = i + 1
				return true
			}
		}
	}
	c.i = len(b)
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
		return validText(string(raw))
	}
	space := scratch.Get().(*[]byte)
	*space = appendUnquoted((*space)[:0], raw)
	text := validText(string(*space))
	if cap(*space) <= maxScratch {
		scratch.Put(space)
	}
	return text
}

// scratch is where texts are decoded before their length is known.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

const maxScratch = 1 << 20

// appendUnquoted appends what raw stands for. It copies a word at a time up to
// the next backslash, because escapes lie close together in code and output.
func appendUnquoted(out, raw []byte) []byte {
	// No escape stands for more bytes than it has, except for a lone one that
	// means nothing. A word may be written beyond what is kept.
	out = slices.Grow(out, len(raw)+len(raw)/2+16)
	for len(raw) > 0 {
		at := len(out)
		room := out[at:cap(out)]
		n := 0
		for n+8 <= len(raw) {
			word := binary.LittleEndian.Uint64(raw[n:])
			binary.LittleEndian.PutUint64(room[n:], word)
			step := hasByte(word, backslashes)
			if n += step; step < 8 {
				break
			}
		}
		for n < len(raw) && raw[n] != '\\' {
			room[n] = raw[n]
			n++
		}
		out = out[:at+n]
		if raw = raw[n:]; len(raw) < 2 {
			break
		}
		switch c := escapes[raw[1]]; {
		case c != 0:
			out = append(out, c)
			raw = raw[2:]
		case raw[1] == 'u':
			r, width := unescape(raw[1:])
			out = utf8.AppendRune(out, r)
			raw = raw[1+width:]
		default:
			out = utf8.AppendRune(out, utf8.RuneError)
			raw = raw[2:]
		}
	}
	return out
}

func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// escapes maps the letter behind a backslash to what it stands for; 0: nothing.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

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
