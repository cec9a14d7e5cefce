// Package prose prepares the words of people for where they are written and
// compared: on one line, as a file's name, as a title, without effect on agents.
package prose

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/plain"
)

// OneLine removes what cannot be seen and makes every run of white space one
// blank.
func OneLine(text string) string {
	return strings.Join(strings.Fields(plain.Visible(text)), " ")
}

// CamelCase turns snake_case into camelCase; other keys stay as they are.
func CamelCase(key string) string {
	if !strings.Contains(key, "_") {
		return key
	}
	parts := strings.Split(key, "_")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" && parts[0] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}

// LowerFirst is a text whose first word is in small letters.
func LowerFirst(text string) string {
	word, rest, more := strings.Cut(text, " ")
	if more {
		return strings.ToLower(word) + " " + rest
	}
	return strings.ToLower(word)
}

// Counted is a number of things: "1 call", "3 calls".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Shorten shortens a text to at most n characters, the last of them "…".
func Shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:n-1]), " ") + "…"
}

// IsNameByte says whether a word of ASCII letters, digits and underscores goes on.
func IsNameByte(c byte) bool {
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}
