package knowledge

import (
	"fmt"
	"strings"
)

// yamlScalar writes a text as a YAML scalar on one line: plain where that is
// safe, else in double quotes.
func yamlScalar(text string) string {
	if plainScalar(text) {
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

// plainScalar says whether every YAML reader takes the unquoted text for the
// same text on one line, in block and in flow style.
func plainScalar(text string) bool {
	if text == "" || len(text) > 200 || text[0] == ' ' || text[len(text)-1] == ' ' {
		return false
	}
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf":
		return false
	}
	if !isNameByte(text[0]) && text[0] != '.' && text[0] != '/' {
		return false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case isNameByte(c) || strings.IndexByte(" ./-+=()*@", c) >= 0:
		case c == ':' && i+1 < len(text) && isNameByte(text[i+1]):
		default:
			return false
		}
	}
	return true
}
