package prose

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// NormaliseTitle reduces a title to what makes two titles the same: lower-case
// words of letters, digits, "_", "+" and "#", joined by one blank. A title
// without any such word is compared as it is.
func NormaliseTitle(title string) string {
	if words := Words(title); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return strings.ToLower(strings.TrimSpace(title))
}

// Words returns the words by which titles are compared and found.
func Words(text string) []string { return slices.Collect(EachWord(text)) }

// EachWord is [Words] one by one.
func EachWord(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !titleRune(r) })
}

func titleRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '+' || r == '#' || r > unicode.MaxLatin1 && unicode.IsMark(r)
}
