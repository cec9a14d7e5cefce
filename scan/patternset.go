package scan

import (
	"math/bits"
	"sync"
)

// patternSet is several expressions that are asked of the same texts: one pass over a
// text says which of them match. It is prepared on first use, and may be used by
// several goroutines.
type patternSet struct {
	exprs    map[members]string
	prepare  sync.Once
	plan     *plan
	automata idle[automaton]
}

// members are expressions of a set, a bit each.
type members uint64

func (m members) has(one members) bool { return m&one != 0 }

// newPatternSet returns the set of expressions in the syntax of package regexp, as far
// as the reader knows it. One that it cannot read panics when the set is first used.
func newPatternSet(exprs map[members]string) *patternSet { return &patternSet{exprs: exprs} }

// in returns which of the expressions match a text.
func (f *patternSet) in(s string) members {
	f.prepare.Do(func() {
		all := make([]string, len(f.exprs))
		for one, expr := range f.exprs {
			all[bits.TrailingZeros64(uint64(one))] = expr
		}
		if f.plan = newPlan(all...); f.plan == nil {
			panic("an expression cannot be read, or they know too many characters")
		}
	})
	if !f.plan.mayMatch(s) {
		return 0
	}
	a := f.automata.take()
	if a == nil {
		a = newAutomaton(f.plan)
	}
	found, _, _ := a.run(s, 0, firstState)
	f.automata.leave(a)
	return members(found)
}
