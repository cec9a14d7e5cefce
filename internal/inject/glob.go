package inject

import (
	"strings"
	"unicode/utf8"
)

// hasMeta says whether a glob or a part of one has wildcards.
func hasMeta(s string) bool { return strings.ContainsAny(s, `*?[{\`) }

// Glob says whether a slash-separated name matches a pattern: "**" is any
// number of folders, "*" and "?" stay inside one, "[a-z]" and "[!a-z]" are
// sets, a backslash takes the next character as it is. Braces are expanded
// when lessons are compiled. The time is at most the product of the lengths.
func Glob(pattern, name string) bool {
	return matchList(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

// matchList matches folders one by one; on a mismatch it goes back to the last
// "**" and lets it take one more.
func matchList(pattern, name []string) bool {
	p, n := 0, 0
	star, from := -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, from = p, n
			p++
		case p < len(pattern) && matchPart(pattern[p], name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

// matchPart matches "*", "?" and sets against a text, in the same way as
// matchList: a slash is a character like others.
func matchPart(pattern, text string) bool {
	p, t := 0, 0
	star, from := -1, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, t
			p++
			continue
		}
		if p < len(pattern) {
			if np, size, ok := matchOne(pattern[p:], text[t:]); ok {
				p += np
				t += size
				continue
			}
		}
		if star < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(text[from:])
		from += size
		p, t = star+1, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches the first element of a pattern, which is no star, against
// the first character of a text, and returns how many bytes they take.
func matchOne(pattern, text string) (np, size int, ok bool) {
	r, size := utf8.DecodeRuneInString(text)
	switch pattern[0] {
	case '?':
		return 1, size, true
	case '[':
		if n, in, closed := matchSet(pattern, r); closed {
			return n, size, in
		}
	case '\\':
		if len(pattern) > 1 {
			want, n := utf8.DecodeRuneInString(pattern[1:])
			return 1 + n, size, want == r
		}
	}
	want, n := utf8.DecodeRuneInString(pattern)
	return n, size, want == r
}

// matchSet matches "[a-z]"; closed is false when the set does not end, and the
// bracket then is a character.
func matchSet(pattern string, r rune) (n int, in, closed bool) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, in != negated, true
		}
		low, size := utf8.DecodeRuneInString(pattern[i:])
		i += size
		high := low
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			high, size = utf8.DecodeRuneInString(pattern[i+1:])
			i += 1 + size
		}
		in = in || low <= r && r <= high
	}
	return 0, false, false
}
