package automata

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// charset is the characters between each two runes, with both, ascending.
type charset []rune

// charsetOf reads a class in brackets, an escape, a dot or a character as package
// regexp reads them. It is not ok when it is something else.
func charsetOf(s string, fold, dots bool) (set charset, ok bool) {
	switch {
	case s == "." && dots:
		return charset{0, unicode.MaxRune}, true
	case s == ".":
		return charset{'\n', '\n'}.others(), true
	case s[0] == '[':
		return classOf(s, fold)
	}
	set, size := elementOf(s, fold)
	return set, size == len(s)
}

// classOf reads a class in brackets.
func classOf(s string, fold bool) (all charset, ok bool) {
	if len(s) < 3 || s[len(s)-1] != ']' || strings.Contains(s[1:], "[:") {
		return nil, false
	}
	s, negated := strings.CutPrefix(s[1:len(s)-1], "^")
	for s != "" {
		set, size := elementOf(s, fold)
		if size == 0 {
			return nil, false
		}
		if first, n := characterOf(s); n == size && len(s) > n+1 && s[n] == '-' {
			last, m := characterOf(s[n+1:])
			if m == 0 || last < first || last-first > longestRange {
				return nil, false
			}
			set, size = between(first, last, fold), n+1+m
		}
		all, s = append(all, set...), s[size:]
	}
	if all = all.joined(); negated {
		all = all.others()
	}
	return all, len(all) > 0
}

// Letters of other alphabets that differ from s and k in case alone.
const (
	longS  = 'ſ'
	kelvin = '\u212a'
)

// letterSets are the sets of what is ASCII, and again with those that differ in case
// alone.
var letterSets = sync.OnceValue(func() *[2][utf8.RuneSelf]charset {
	var all [2][utf8.RuneSelf]charset
	for c := range rune(utf8.RuneSelf) {
		all[0][c], all[1][c] = between(c, c, false), between(c, c, true)
	}
	return &all
})

// longestRange bounds the characters whose cases are looked for.
const longestRange = 1 << 12

// elementOf reads a character or an escape for several, and says how long it is.
func elementOf(s string, fold bool) (set charset, size int) {
	if r, size := characterOf(s); size > 0 {
		return between(r, r, fold), size
	}
	if len(s) < 2 || s[0] != '\\' {
		return nil, 0
	}
	switch s[1] | 0x20 {
	case 'd':
		set = charset{'0', '9'}
	case 's':
		set = charset{'\t', '\n', '\f', '\r', ' ', ' '}
	case 'w':
		if set = (charset{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}); fold {
			set = append(set, longS, longS, kelvin, kelvin)
		}
	default:
		return nil, 0
	}
	if s[1] < 'a' {
		set = set.others()
	}
	return set, 2
}

// characterOf reads a character or an escape for one. The size is 0 when it is
// neither.
func characterOf(s string) (r rune, size int) {
	if s == "" {
		return 0, 0
	}
	if r, size = utf8.DecodeRuneInString(s); r == utf8.RuneError {
		return 0, 0
	}
	if r != '\\' {
		return r, size
	}
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte("afnrtv", s[1]); i >= 0 {
		return rune("\a\f\n\r\t\v"[i]), 2
	}
	switch c := s[1]; {
	case c == 'x':
		return hexOf(s)
	case c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z':
		return 0, 0
	}
	return rune(s[1]), 2
}

// hexOf reads \x7F and \x{10FFFF}.
func hexOf(s string) (r rune, size int) {
	digits, _, ok := strings.Cut(strings.TrimPrefix(s[2:], "{"), "}")
	if size = len(digits) + 4; s[2:] == "" || s[2] != '{' {
		digits, size, ok = s[2:min(4, len(s))], 4, len(s) >= 4
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if !ok || err != nil || n > unicode.MaxRune {
		return 0, 0
	}
	return rune(n), size
}

// between are the characters from one to another, and those that differ from them
// in case alone if that does not matter.
func between(first, last rune, fold bool) charset {
	set := append(make(charset, 0, 8), first, last)
	for r := first; fold && r <= last; r++ {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if f < first || f > last {
				set = append(set, f, f)
			}
		}
	}
	return set.joined()
}

// joined puts characters in their order, each once.
func (s charset) joined() charset {
	if len(s) <= 2 {
		return s
	}
	pairs := make([][2]rune, len(s)/2)
	for i := range pairs {
		pairs[i] = [2]rune(s[2*i:])
	}
	slices.SortFunc(pairs, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	all := append(s[:0], pairs[0][:]...)
	for _, p := range pairs[1:] {
		if end := &all[len(all)-1]; p[0] <= *end+1 {
			*end = max(*end, p[1])
		} else {
			all = append(all, p[:]...)
		}
	}
	return all
}

// others are the characters that are not in a set.
func (s charset) others() charset {
	var all charset
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if s[i] > next {
			all = append(all, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		all = append(all, next, unicode.MaxRune)
	}
	return all
}
