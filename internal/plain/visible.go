package plain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible removes from a text what a reader cannot see and a model can:
// control characters except line end and tab, bidirectional controls,
// zero-width characters outside of emoji and joining scripts, tag characters
// outside of flags, variation selectors outside of emoji, and noncharacters. Line ends become LF; bytes that are no UTF-8
// become U+FFFD.
func Visible(text string) string {
	if plainASCII(text) {
		return text
	}
	runes := []rune(strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD"))
	var b strings.Builder
	b.Grow(len(text))
	var before rune // last rune that was kept
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if r == 0x1f3f4 {
			if n := flagLength(runes[i:]); n > 0 {
				b.WriteString(string(runes[i : i+n]))
				before, i = r, i+n-1
				continue
			}
		}
		var after rune
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		switch {
		case r == '\r':
			r = '\n'
		case joiner(r):
			if !joins(before, after) {
				continue
			}
		case r == 0xfe0e || r == 0xfe0f:
			if !emojiBase(before) {
				continue
			}
		case invisible(r):
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// Invisible returns the byte offset of the first character that [Visible]
// would remove, or -1.
func Invisible(text string) int {
	text = strings.ReplaceAll(text, "\r\n", " \n")
	if plainASCII(text) {
		return -1
	}
	clean := Visible(text)
	if clean == text {
		return -1
	}
	i := 0
	for i < len(text) && i < len(clean) && text[i] == clean[i] {
		i++
	}
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

func plainASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= 0x7f || (c < ' ' && c != '\n' && c != '\t') {
			return false
		}
	}
	return true
}

// flags are the regions that have a flag of tag characters; any others would
// carry words that nobody sees.
var flags = []string{"gbeng", "gbsct", "gbwls"}

// flagLength returns the number of runes of a region's flag: a black flag, tag
// letters and the cancelling tag.
func flagLength(runes []rune) int {
	const n = 7
	if len(runes) < n || runes[n-1] != 0xe007f {
		return 0
	}
	var name [n - 2]byte
	for i, r := range runes[1 : n-1] {
		name[i] = byte(r - 0xe0000)
		if r < 0xe0061 || r > 0xe007a {
			return 0
		}
	}
	if !slices.Contains(flags, string(name[:])) {
		return 0
	}
	return n
}

func joiner(r rune) bool { return r == 0x200c || r == 0x200d }

// joins says whether a zero-width joiner between the two has a visible effect.
func joins(before, after rune) bool {
	if emojiBase(before) || before == 0xfe0f {
		return emojiBase(after)
	}
	return joiningScript(before) && joiningScript(after)
}

func joiningScript(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Thaana, unicode.Nko)
}

func emojiBase(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r >= 0x3030 && r <= 0x3299 ||
		r == 0xa9 || r == 0xae || r == 0x203c || r == 0x2049 || r == 0x2122 || r == 0x2139 || r == 0x20e3 ||
		r >= '0' && r <= '9' || r == '#' || r == '*'
}

func invisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r <= 0x9f, // C0, DEL, C1
		r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, // fillers, marks
		r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r == 0x2800, r == 0x3164, r == 0xfeff, r == 0xffa0, r >= 0xfe00 && r <= 0xfe0d, r >= 0xfff0 && r <= 0xfffb,
		r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff,
		r >= 0xf0000, r >= 0xe000 && r <= 0xf8ff, // private use
		r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return true
	}
	return unicode.Is(unicode.Cf, r) && !joiningScript(r)
}
