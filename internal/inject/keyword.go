package inject

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds the bytes of a text that keywords and patterns look at.
const maxText = 16 << 10

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// firstWord returns the first run of letters, digits and underscores.
func firstWord(s string) string {
	for w := range wordsOf(s) {
		return w
	}
	return ""
}

// wordsOf yields the words of a text.
func wordsOf(s string) iter.Seq[string] { return runs(s, isWord) }

// asciiWordsOf yields the words of a text as "\b" of a pattern sees them.
func asciiWordsOf(s string) iter.Seq[string] {
	return runs(s, func(r rune) bool { return r < utf8.RuneSelf && isWord(r) })
}

func runs(s string, isWord func(rune) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i, r := range s {
			switch in := isWord(r); {
			case in && start < 0:
				start = i
			case !in && start >= 0:
				if !yield(s[start:i]) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(s[start:])
		}
	}
}

// containsWord says whether a keyword occurs in a text as a whole word; both
// are in lower case.
func containsWord(text, keyword string) bool {
	if keyword == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(keyword)
	last, _ := utf8.DecodeLastRuneInString(keyword)
	for at := 0; ; {
		i := strings.Index(text[at:], keyword)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(keyword):])
		if (i == 0 || !isWord(first) || !isWord(before)) && (i+len(keyword) == len(text) || !isWord(last) || !isWord(after)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		at = i + size
	}
}

// matched returns those keywords that a text contains as whole words.
func matched(keywords []string, text string) []string {
	var out []string
	for _, k := range keywords {
		if containsWord(text, k) {
			out = append(out, k)
		}
	}
	return out
}

// fold makes a text comparable to keywords.
func fold(s string) string { return strings.ToLower(strings.ToValidUTF8(s, "\uFFFD")) }

// tail returns at most n bytes of the end of a text, from a character on.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// headOf returns at most n bytes of the start of a text, whole characters.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
