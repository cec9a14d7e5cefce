package learn

import (
	"strings"
	"unicode"
)

// names lists what a text takes from the machine and not from the language:
// commands in backquotes, flags, paths, files, identifiers, versions and other
// numbers. A model must not make them up.
func names(text string) []string {
	var found []string
	parts := strings.Split(spaced(text), "`")
	if len(parts)%2 == 0 { // a backquote without its partner is a character
		parts = []string{strings.Join(parts, " ")}
	}
	for i, part := range parts {
		if i%2 == 1 {
			if part = strings.TrimSpace(part); part != "" {
				found = append(found, part)
			}
			continue
		}
		for word := range strings.FieldsSeq(part) {
			word = strings.TrimLeft(strings.TrimRight(word, marks+"."), marks)
			if nameLike(word) {
				found = append(found, word)
			}
		}
	}
	return found
}

// marks stand around words.
const marks = `"'“”‘’(),;:!?[]{}…`

// nameLike says whether a word is no word of a language.
func nameLike(word string) bool {
	switch {
	case len(word) < 2:
		return strings.IndexFunc(word, unicode.IsDigit) >= 0
	case strings.HasPrefix(word, "-"):
		return strings.Trim(word, "-–—") != ""
	case strings.ContainsAny(word, `_=\$@#<>|&*~^%`), strings.Contains(word, "::"), strings.Contains(word, "//"):
		return true
	case strings.HasPrefix(word, "/"), strings.HasPrefix(word, "./"), strings.Count(word, "/") > 1:
		return true
	case strings.IndexFunc(word, unicode.IsDigit) >= 0:
		return true
	}
	if word == "e.g" || word == "i.e" {
		return false
	}
	dot := strings.IndexByte(word, '.')
	return dot >= 0 && dot < len(word)-1
}
