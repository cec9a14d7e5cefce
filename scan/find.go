package scan

import (
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// finder finds the leftmost match of an expression: an automaton tries each
// place where one could begin, and package regexp, which is many times slower,
// is asked at the one place where one does.
type finder struct {
	*automaton
	first  []bool         // by class: whether a match can begin with it
	begins map[rune]int32 // the first state by what stands before; of this many resets
	resets int

	start, second *regexp.Regexp // matches at the beginning of a text, and behind its first character
}

// newFinder returns nil for an expression that needs none: one that matches at
// the beginning alone, or one that matches nothing at all.
func newFinder(p *plan, expr string) *finder {
	if p == nil || p.anchored {
		return nil
	}
	here := *p
	here.anchored = true
	f := &finder{automaton: newAutomaton(&here), first: make([]bool, len(p.sample))}
	if f.matchesNothing() {
		return nil
	}
	f.start = regexp.MustCompile(`\A(?:` + expr + `)`)
	f.second = regexp.MustCompile(`\A(?s:.)(?:` + expr + `)`)
	return f
}

// matchesNothing says whether the expression may match the empty text, and notes
// the classes with which other matches begin.
func (f *finder) matchesNothing() bool {
	seen := make([]bool, len(f.prog.Inst))
	var visit func(pc uint32) bool
	visit = func(pc uint32) bool {
		if seen[pc] {
			return false
		}
		seen[pc] = true
		in := &f.prog.Inst[pc]
		switch in.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			return visit(in.Out) || visit(in.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			return visit(in.Out)
		}
		for class, r := range f.sample {
			f.first[class] = f.first[class] || takes(in, r)
		}
		return false
	}
	return visit(uint32(f.prog.Start))
}

// begin returns the state before the character at i.
func (f *finder) begin(s string, i int) int32 {
	before := f.context(noRune)
	if i > 0 {
		r, _ := utf8.DecodeLastRuneInString(s[:i])
		before = f.context(r)
	}
	if f.begins == nil || f.resets != f.automaton.resets {
		f.begins, f.resets = map[rune]int32{}, f.automaton.resets
	}
	row, ok := f.begins[before]
	if !ok {
		row = f.row([]uint32{uint32(f.prog.Start)}, before)
		f.begins[before] = row
	}
	return row
}

// patience is how many times a text is gone over at most: expressions with
// ".*" can try long matches at many places.
const patience = 8

// find returns where the leftmost match from a place on begins, -1 without one.
// ok is false when the search took too long.
func (f *finder) find(s string, from int) (at int, ok bool) {
	steps := 0
	for i := from; i < len(s); {
		var class uint8
		size := 1
		if c := s[i]; c < utf8.RuneSelf {
			class = f.ascii[c]
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			class = f.classOf(r)
		}
		if f.first[class] {
			found, end := f.run(s, i, f.begin(s, i))
			if found {
				return i, true
			}
			if steps += end - i; steps > patience*len(s) {
				return -1, false
			}
		}
		i += size
	}
	return -1, true
}

// submatches is what [regexp.Regexp.FindStringSubmatchIndex] tells of the match
// that begins at i.
func (f *finder) submatches(s string, i int) []int {
	if i == 0 {
		return f.start.FindStringSubmatchIndex(s)
	}
	_, size := utf8.DecodeLastRuneInString(s[:i])
	from := i - size
	loc := f.second.FindStringSubmatchIndex(s[from:])
	for k := range loc {
		if loc[k] >= 0 {
			loc[k] += from
		}
	}
	if loc != nil {
		loc[0] = i
	}
	return loc
}

// all is what [regexp.Regexp.FindAllStringSubmatchIndex] tells of a text. ok is
// false when it must be asked itself.
func (f *finder) all(s string, n int) (locs [][]int, ok bool) {
	for at := 0; n < 0 || len(locs) < n; {
		i, ok := f.find(s, at)
		if !ok {
			return nil, false
		}
		if i < 0 {
			break
		}
		loc := f.submatches(s, i)
		if loc == nil {
			return nil, false
		}
		locs = append(locs, loc)
		at = loc[1]
	}
	return locs, true
}
