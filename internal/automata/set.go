package automata

import (
	"math/bits"
	"sync"
)

// Set is several expressions that are asked of the same texts: one pass over a
// text says which of them match. It is prepared on first use, and may be used by
// several goroutines.
type Set struct {
	of      map[Members]*Pattern
	prepare sync.Once
	matcher *matcher
}

// Members are expressions of a set, a bit each.
type Members uint64

// Has says whether one of the expressions is among the members.
func (m Members) Has(one Members) bool { return m&one != 0 }

// NewSet returns the set of expressions in the syntax of package regexp. One that
// cannot be parsed panics when the set is first used.
func NewSet(exprs map[Members]string) *Set {
	of := map[Members]*Pattern{}
	for one, expr := range exprs {
		of[one] = New(expr)
	}
	return SetOf(of)
}

// SetOf returns the set of patterns.
func SetOf(patterns map[Members]*Pattern) *Set { return &Set{of: patterns} }

// In returns which of the patterns match a text.
func (f *Set) In(s string) Members {
	f.prepare.Do(func() {
		all := make([]string, len(f.of))
		for one, p := range f.of {
			all[bits.TrailingZeros64(uint64(one))] = p.text()
		}
		p, err := newPlan(all...)
		if err != nil || p == nil {
			panic("a set of expressions cannot be read, or knows too many characters")
		}
		f.matcher = &matcher{plan: p}
	})
	return Members(f.matcher.match(s))
}

// Patterns returns the patterns. They must not be changed.
func (f *Set) Patterns() map[Members]*Pattern { return f.of }
