package redact

import "strings"

const esc = '\x1b'

// Unstyled takes the codes out of a text by which terminals show colours, links and
// titles (ECMA-48): they would tear a secret, or a word, apart.
func Unstyled(text string) string {
	at := strings.IndexByte(text, esc)
	if at < 0 {
		return text
	}
	var out strings.Builder
	for ; at >= 0; at = strings.IndexByte(text, esc) {
		out.WriteString(text[:at])
		text = text[at+codeLen(text[at:]):]
	}
	out.WriteString(text)
	return out.String()
}

// codeLen is the length of the code that a text begins with. One that has no end is
// its first character alone.
func codeLen(text string) int {
	if len(text) < 2 {
		return 1
	}
	switch c := text[1]; c {
	case '[': // parameters, then a letter
		end := 2 + len(text[2:]) - len(strings.TrimLeft(text[2:], " !\"#$%&'()*+,-./0123456789:;<=>?"))
		if end < len(text) && text[end] >= '@' && text[end] <= '~' {
			return end + 1
		}
	case ']', 'P', 'X', '^', '_': // a string up to BEL or ESC \
		if end := strings.IndexAny(text[2:], "\a\x1b"); end >= 0 {
			end += 2
			if text[end] == '\a' {
				return end + 1
			}
			if strings.HasPrefix(text[end:], "\x1b\\") {
				return end + 2
			}
		}
	case '(', ')', '#', '%': // a character set
		if len(text) > 2 {
			return 3
		}
	default:
		if c >= '0' && c <= '~' {
			return 2
		}
	}
	return 1
}
