package automata

import (
	"regexp/syntax"
	"unicode/utf8"
)

// grouper finds the groups of matches of which it is known where they begin: it
// tries one way after the other, in the order in which package regexp prefers them.
type grouper struct {
	*plan        // with the bounds of groups
	places []int // of the groups, on the way that is tried
	steps  int   // that may still be gone
}

// maxTries bounds the steps of a search: ways within ways can be many.
const maxTries = 1 << 13

func newGrouper(expr string) *grouper {
	p := planOf(true, expr)
	return &grouper{plan: p, places: make([]int, 2+2*p.groups)}
}

// of are the places of the groups of the match from i on to end, until the next call,
// or nil when they are not found soon.
func (g *grouper) of(s string, i, end int) []int {
	g.steps = maxTries
	for k := range g.places {
		g.places[k] = -1
	}
	g.places[0] = i
	if !g.try(s, i, g.starts[0]) || g.places[1] != end {
		return nil
	}
	return g.places
}

// try goes on from an instruction, as far as a match.
func (g *grouper) try(s string, i int, pc uint32) bool {
	for ; g.steps > 0; g.steps-- {
		switch in := &g.insts[pc]; in.op {
		case syntax.InstMatch:
			g.places[1] = i
			return true
		case syntax.InstAlt:
			if g.try(s, i, in.out) {
				return true
			}
			pc = in.arg
		case syntax.InstCapture:
			before := g.places[in.arg]
			g.places[in.arg] = i
			if g.try(s, i, in.out) {
				return true
			}
			g.places[in.arg] = before
			return false
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.arg)&^contextAt(s, i) != 0 {
				return false
			}
			pc = in.out
		default:
			if i == len(s) {
				return false
			}
			class, size := g.classAt(s, i)
			if g.taken(class)[in.arg/8]>>(in.arg%8)&1 == 0 {
				return false
			}
			i += size
			pc = in.out
		}
	}
	return false
}

// contextAt are the conditions that hold at a place of a text.
func contextAt(s string, i int) syntax.EmptyOp {
	before, behind := noRune, noRune
	if i > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:i])
	}
	if i < len(s) {
		behind, _ = utf8.DecodeRuneInString(s[i:])
	}
	return syntax.EmptyOpContext(before, behind)
}
