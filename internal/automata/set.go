package automata

import (
	"math/bits"
	"sync"
)

// Set is several expressions that are asked of the same texts: one pass over a
// text says which of them match. It is prepared on first use, and may be used by
// several goroutines.
type Set struct {
	exprs    map[Members]string
	prepare  sync.Once
	plan     *plan
	automata idle[automaton]
}

// Members are expressions of a set, a bit each.
type Members uint64

func (m Members) Has(one Members) bool { return m&one != 0 }

// NewSet returns the set of expressions in the syntax of package regexp, as far
// as the reader knows it. One that it cannot read panics when the set is first used.
func NewSet(exprs map[Members]string) *Set { return &Set{exprs: exprs} }

// In returns which of the expressions match a text.
func (f *Set) In(s string) Members {
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
	a := automatonOf(f.plan, &f.automata)
	found, _, _ := a.run(s, 0, firstState)
	f.automata.leave(a)
	return Members(found)
}

// Exprs returns the expressions. They must not be changed.
func (f *Set) Exprs() map[Members]string { return f.exprs }
