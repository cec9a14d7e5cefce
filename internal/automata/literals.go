package automata

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// One literal is searched for faster than the automaton reads the text, and so are a
// few that are not short.
const (
	maxLiterals   = 3
	minLiteralLen = 3
)

// literals are strings of which every text that matches contains at least one.
// There are none where nothing is known.
type literals []string

// missing says whether a text contains none of the literals, so that it cannot match.
func (l literals) missing(s string) bool {
	for _, literal := range l {
		if strings.Contains(s, literal) {
			return false
		}
	}
	return len(l) > 0
}

// useful returns the literals if searching for them pays, else none.
func (l literals) useful() literals {
	if len(l) == 1 && l[0] != "" {
		return l
	}
	if len(l) > maxLiterals || slices.ContainsFunc(l, func(s string) bool { return len(s) < minLiteralLen }) {
		return nil
	}
	return l
}

// literalsOf derives the literals that an expression requires.
func literalsOf(re *syntax.Regexp) literals {
	switch re.Op {
	case syntax.OpLiteral:
		if !slices.ContainsFunc(re.Rune, func(r rune) bool {
			return r == utf8.RuneError || re.Flags&syntax.FoldCase != 0 && unicode.SimpleFold(r) != r
		}) {
			return literals{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var best literals
		for _, sub := range re.Sub {
			if l := literalsOf(sub); l.better(best) {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		var all literals
		for _, sub := range re.Sub {
			l := literalsOf(sub)
			if l == nil {
				return nil
			}
			all = append(all, l...)
		}
		return all
	}
	return nil
}

// better says whether a search for these literals rules out more, or takes less,
// than one for the others.
func (l literals) better(than literals) bool {
	if l == nil || than == nil {
		return l != nil
	}
	if a, b := l.useful() != nil, than.useful() != nil; a != b {
		return a
	}
	return len(l) < len(than) || len(l) == len(than) && l.shortest() > than.shortest()
}

// shortest is the length of the shortest literal.
func (l literals) shortest() int {
	n := len(l[0])
	for _, s := range l[1:] {
		n = min(n, len(s))
	}
	return n
}
