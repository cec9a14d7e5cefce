package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge/prose"
)

// EncodeHeading encodes a title for the line of its heading. Closing hashes
// would be taken for decoration by a Markdown reader.
func EncodeHeading(title string) string {
	title = EncodeInline(title)
	hashes := len(title)
	for hashes > 0 && title[hashes-1] == '#' {
		hashes--
	}
	if hashes < len(title) && (hashes == 0 || title[hashes-1] == ' ') {
		return title[:hashes] + `\` + title[hashes:]
	}
	return title
}

// EncodeInline writes text on one line of Markdown, inside a paragraph: code
// spans stay as they are; outside of them "<", images, stray backticks and
// backslashes that would be read as escapes are escaped.
func EncodeInline(text string) string {
	text = prose.OneLine(text)
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '`':
			if end := CodeSpanEnd(text, i); end > 0 {
				b.WriteString(text[i:end])
				i = end
				continue
			}
			for i < len(text) && text[i] == '`' {
				b.WriteString("\\`")
				i++
			}
			continue
		case c == '<', c == '!' && strings.HasPrefix(text[i:], "!["), c == '\\' && (i+1 == len(text) || escapable(text[i+1])):
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
		i++
	}
	return b.String()
}

// DecodeInline is the inverse of encodeInline.
func DecodeInline(text string) string {
	if !strings.ContainsRune(text, '\\') {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] == '`' {
			end := CodeSpanEnd(text, i)
			if end == 0 {
				for end = i; end < len(text) && text[end] == '`'; end++ {
				}
			}
			b.WriteString(text[i:end])
			i = end
			continue
		}
		if text[i] == '\\' && i+1 < len(text) && escapable(text[i+1]) {
			i++
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		b.WriteString(text[i : i+n])
		i += n
	}
	return b.String()
}

// escapable lists what encodeInline and encodeHeading put a backslash before.
func escapable(c byte) bool { return c == '<' || c == '!' || c == '`' || c == '\\' || c == '#' }

// CodeSpanEnd returns the offset behind the code span that the backticks at i
// open, or 0 when no equally long run closes it (CommonMark 6.1).
func CodeSpanEnd(text string, i int) int {
	n := Backticks(text, i)
	for j := i + n; j < len(text); {
		if text[j] != '`' {
			j++
			continue
		}
		m := Backticks(text, j)
		if m == n {
			return j + m
		}
		j += m
	}
	return 0
}

// Backticks counts those at an offset.
func Backticks(text string, i int) int {
	n := 0
	for i+n < len(text) && text[i+n] == '`' {
		n++
	}
	return n
}

// DecodeHeading is the inverse of encodeHeading; closing hashes are decoration.
func DecodeHeading(title string) string {
	title = strings.TrimSpace(title)
	if open := strings.TrimRight(title, "#"); open == "" || strings.HasSuffix(open, " ") {
		title = strings.TrimSpace(open)
	}
	return DecodeInline(title)
}
