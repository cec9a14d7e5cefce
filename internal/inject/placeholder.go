package inject

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// placeholders are words of a trigger that stand for any word of their kind, as an
// operand or as the whole value of a flag: `-timeout=<number>`. Every other word is
// literal.
var placeholders = map[string]func(string) bool{"<number>": IsNumber, "<path>": IsPath, "<name>": isName}

// Placeholders are the words that stand for others.
var Placeholders = slices.Sorted(maps.Keys(placeholders))

// standsFor says whether a word of a trigger is the word of a call, or a placeholder
// for its kind.
func standsFor(want, have string) bool {
	if want == have {
		return true
	}
	if want == "" || want[0] != '<' {
		return false
	}
	kind := placeholders[want]
	return kind != nil && kind(have)
}

// IsNumber says whether a word is a decimal number without a unit.
func IsNumber(word string) bool {
	whole, fraction, hasPoint := strings.Cut(word, ".")
	return digits(whole) && (!hasPoint || digits(fraction))
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// IsPath says whether a word has a slash, or a dot before an extension.
func IsPath(word string) bool {
	if strings.HasPrefix(word, "-") || strings.Contains(word, "://") {
		return false
	}
	dot := strings.LastIndexByte(word, '.')
	return strings.Contains(word, "/") || dot >= 0 && dot+1 < len(word) && unicode.IsLetter(rune(word[dot+1]))
}

// isName says whether a word is an identifier, as of a branch, a service or a resource.
func isName(word string) bool {
	return word != "" && (unicode.IsLetter(rune(word[0])) || word[0] == '_') && strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
	}) < 0
}
