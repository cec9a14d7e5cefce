package transcript

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Eight times the same byte.
const (
	ones        = 0x0101010101010101
	quotes      = '"' * ones
	backslashes = '\\' * ones
	highs       = 0x80 * ones
)

// marks sets the high bit of the first of eight bytes that is the one that eight
// repeats. (What is marked behind it may be another byte.) It is 0 if there is
// none.
func marks(word, eight uint64) uint64 {
	x := word ^ eight
	return (x - ones) &^ x & highs
}

// place returns which of eight bytes is the first with a mark, 8 without any.
func place(marked uint64) int { return bits.TrailingZeros64(marked) >> 3 }

func wordAt(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// closingQuote returns where the string ends whose inside begins at from, or -1.
// Most strings and most stretches between escaped quotes are short, so they are
// looked at a few words at a time before the search for long ones starts.
func closingQuote(b []byte, from int) int {
	at := from
	for blocks := 0; at+32 <= len(b); {
		block := b[at : at+32 : at+32]
		found := marks(wordAt(block), quotes)
		if found == 0 {
			second, third, last := marks(wordAt(block[8:]), quotes), marks(wordAt(block[16:]), quotes), marks(wordAt(block[24:]), quotes)
			switch {
			case second|third|last == 0:
				at += 32
				if blocks++; blocks < longString {
					continue
				}
				next := bytes.IndexByte(b[at:], '"')
				if next < 0 {
					return -1
				}
				blocks = 0
				at += next
				found = 0x80
			case second != 0:
				at, found = at+8, second
			case third != 0:
				at, found = at+16, third
			default:
				at, found = at+24, last
			}
		}
		at += place(found)
		if !escaped(b, from, at) {
			return at
		}
		at++
	}
	for ; at < len(b); at++ {
		if b[at] == '"' && !escaped(b, from, at) {
			return at
		}
	}
	return -1
}

// longString is after how many blocks a string is taken for a long one.
const longString = 6

// escaped says whether the character at a place of a string that begins at from
// has a backslash before it that is none's own.
func escaped(b []byte, from, at int) bool {
	if at == from || b[at-1] != '\\' {
		return false
	}
	return escapedFar(b, from, at)
}

func escapedFar(b []byte, from, at int) bool {
	back := at
	for back > from && b[back-1] == '\\' {
		back--
	}
	return (at-back)&1 == 1
}

// keyEnd is closingQuote for keys as clients write them, which are short and have
// no escapes. It knows nothing of others: -1.
func keyEnd(b []byte, from int) int {
	for at := from; at+8 <= len(b) && at < from+32; at += 8 {
		word := wordAt(b[at:])
		found, back := marks(word, quotes), marks(word, backslashes)
		if found|back == 0 {
			continue
		}
		if back&(found-1)&^found != 0 {
			break
		}
		return at + place(found)
	}
	return -1
}

// closingBracket returns where the object or array ends that begins at from, or
// -1. It only counts brackets, so that depth costs no stack.
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
	if asIs(raw) {
		return string(raw)
	}
	space := scratch.Get().(*[]byte)
	out, ascii := appendUnquoted((*space)[:0], raw)
	text := string(out)
	if cap(out) <= maxScratch {
		*space = out
		scratch.Put(space)
	}
	if !ascii && !utf8.ValidString(text) {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return text
}

// scratch is where texts are decoded before their length is known.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

const maxScratch = 1 << 20

// asIs says whether a string's inside is ASCII without escapes, which stands for
// itself.
func asIs(raw []byte) bool {
	for ; len(raw) >= 8; raw = raw[8:] {
		word := wordAt(raw)
		if marks(word, backslashes)|word&highs != 0 {
			return false
		}
	}
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendUnquoted appends what raw stands for. It copies a word at a time up to
// the next backslash, because escapes lie close together in code and output. It
// also says whether all that it copied is ASCII, so that the text is valid.
func appendUnquoted(out, raw []byte) (text []byte, ascii bool) {
	// No escape stands for more bytes than it has, except for one that means
	// nothing. A word may be written beyond what is kept.
	to := len(out)
	out = slices.Grow(out, len(raw)+len(raw)/2+16)
	out = out[:cap(out)]
	seen := uint64(0)
	for at := 0; at < len(raw); {
		if at+8 <= len(raw) {
			word := wordAt(raw[at:])
			binary.LittleEndian.PutUint64(out[to:], word)
			seen |= word
			found := marks(word, backslashes)
			if found == 0 {
				at, to = at+8, to+8 // known before the word is, unlike the place of a mark
				continue
			}
			n := place(found)
			at, to = at+n, to+n
		} else if raw[at] != '\\' {
			out[to] = raw[at]
			seen |= uint64(raw[at])
			at, to = at+1, to+1
			continue
		}
		if at+1 == len(raw) {
			break
		}
		if c := escapes[raw[at+1]]; c != 0 {
			out[to] = c
			at, to = at+2, to+1
			continue
		}
		r, width := unescape(raw[at+1:])
		to += utf8.EncodeRune(out[to:], r)
		at += 1 + width
	}
	return out[:to], seen&highs == 0
}

// escapes maps the letter behind a backslash to what it stands for; 0: nothing.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape reads uXXXX, or a pair of them, and returns how long that was.
// Another letter means nothing.
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
