package frontmatter

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Scalar writes a text as a YAML scalar on one line: plain where that is
// safe, else in double quotes.
func Scalar(text string) string {
	if IsPlain(text) {
		return text
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0xa0 && (r < ' ' || r >= 0x7f), r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// IsPlain says whether every YAML reader takes the unquoted text for the
// same text on one line, in block and in flow style.
func IsPlain(text string) bool {
	if text == "" || len(text) > 200 || text[0] == ' ' || text[len(text)-1] == ' ' {
		return false
	}
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf":
		return false
	}
	if !prose.IsNameByte(text[0]) && text[0] != '.' && text[0] != '/' {
		return false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case prose.IsNameByte(c) || strings.IndexByte(" ./-+=()*@", c) >= 0:
		case c == ':' && i+1 < len(text) && prose.IsNameByte(text[i+1]):
		default:
			return false
		}
	}
	return true
}
