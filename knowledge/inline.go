package knowledge

import (
	"strings"
	"unicode/utf8"
)

// encodeHeading encodes a title for the line of its heading. Closing hashes
// would be taken for decoration by a Markdown reader.
func encodeHeading(title string) string {
	title = encodeInline(title)
	hashes := len(title)
	for hashes > 0 && title[hashes-1] == '#' {
		hashes--
	}
	if hashes < len(title) && (hashes == 0 || title[hashes-1] == ' ') {
		return title[:hashes] + `\` + title[hashes:]
	}
	return title
}

// encodeInline writes text on one line of Markdown, inside a paragraph: code
// spans stay as they are; outside of them "<", images, stray backticks and
// backslashes that would be read as escapes are escaped.
func encodeInline(text string) string {
	text = oneLine(text)
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '`':
			if end := codeSpanEnd(text, i); end > 0 {
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

// decodeInline is the inverse of encodeInline.
func decodeInline(text string) string {
	if !strings.ContainsRune(text, '\\') {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] == '`' {
			end := codeSpanEnd(text, i)
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

// codeSpanEnd returns the offset behind the code span that the backticks at i
// open, or 0 when no equally long run closes it (CommonMark 6.1).
func codeSpanEnd(text string, i int) int {
	n := backticks(text, i)
	for j := i + n; j < len(text); {
		if text[j] != '`' {
			j++
			continue
		}
		m := backticks(text, j)
		if m == n {
			return j + m
		}
		j += m
	}
	return 0
}

// backticks counts those at an offset.
func backticks(text string, i int) int {
	n := 0
	for i+n < len(text) && text[i+n] == '`' {
		n++
	}
	return n
}

// decodeHeading is the inverse of encodeHeading; closing hashes are decoration.
func decodeHeading(title string) string {
	title = strings.TrimSpace(title)
	if open := strings.TrimRight(title, "#"); open == "" || strings.HasSuffix(open, " ") {
		title = strings.TrimSpace(open)
	}
	return decodeInline(title)
}
