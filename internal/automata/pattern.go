package automata

import (
	"regexp"
	"sync"
	"sync/atomic"
)

// Pattern is a regular expression that is asked of many texts and seldom found. It
// answers as package regexp does. Whether there is a match an automaton says, which
// looks at each byte once; where it is, package regexp.
//
// Patterns are compiled on first use, because most processes never scan, and may
// be used by several goroutines.
type Pattern struct {
	expr    string
	source  func() string // says the expression, where expr is empty
	prepare sync.Once
	matcher *matcher // nil: regexp alone
	compile sync.Once
	re      *regexp.Regexp
}

// New returns the pattern of an expression in the syntax of package
// regexp. One that cannot be compiled panics when it is first used.
func New(expr string) *Pattern { return &Pattern{expr: expr} }

// From returns the pattern of an expression that is put together when it is first used.
func From(source func() string) *Pattern { return &Pattern{source: source} }

func (p *Pattern) text() string {
	if p.source != nil {
		return p.source()
	}
	return p.expr
}

func (p *Pattern) compiled() *regexp.Regexp {
	p.compile.Do(func() { p.re = regexp.MustCompile(p.text()) })
	return p.re
}

// MatchString says whether the text has a match. A nil pattern has none.
func (p *Pattern) MatchString(s string) bool {
	if p == nil {
		return false
	}
	p.prepare.Do(func() {
		if plan, err := newPlan(p.text()); err == nil && plan != nil {
			p.matcher = &matcher{plan: plan}
		}
	})
	if p.matcher == nil {
		return p.compiled().MatchString(s)
	}
	return p.matcher.match(s) != 0
}

// FindStringIndex is as in package regexp.
func (p *Pattern) FindStringIndex(s string) []int {
	if !p.MatchString(s) {
		return nil
	}
	return p.compiled().FindStringIndex(s)
}

// FindString is as in package regexp.
func (p *Pattern) FindString(s string) string {
	if !p.MatchString(s) {
		return ""
	}
	return p.compiled().FindString(s)
}

// FindStringSubmatch is as in package regexp.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.MatchString(s) {
		return nil
	}
	return p.compiled().FindStringSubmatch(s)
}

// FindAllString is as in package regexp.
func (p *Pattern) FindAllString(s string, n int) []string {
	if !p.MatchString(s) {
		return nil
	}
	return p.compiled().FindAllString(s, n)
}

// Count is how many matches a text has.
func (p *Pattern) Count(s string) int {
	if !p.MatchString(s) {
		return 0
	}
	return len(p.compiled().FindAllStringIndex(s, -1))
}

// FindAllStringSubmatch is as in package regexp.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.MatchString(s) {
		return nil
	}
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is as in package regexp.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.MatchString(s) {
		return nil
	}
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is as in package regexp.
func (p *Pattern) ReplaceAllString(s, with string) string {
	if !p.MatchString(s) {
		return s
	}
	return p.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is as in package regexp.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	if !p.MatchString(s) {
		return s
	}
	return p.compiled().ReplaceAllStringFunc(s, with)
}

// Split is as in package regexp.
func (p *Pattern) Split(s string, n int) []string {
	if n != 0 && !p.MatchString(s) {
		return []string{s}
	}
	return p.compiled().Split(s, n)
}

// String returns the expression, as in package regexp.
func (p *Pattern) String() string { return p.text() }

// atOnce is of how many automata of one plan the states are remembered. Where more
// goroutines ask at a time, theirs begin anew.
const atOnce = 4

// matcher shares the automata of a plan among goroutines.
type matcher struct {
	plan *plan
	idle [atOnce]atomic.Pointer[automaton]
}

// match says of each expression, in a bit each, whether the text has a match.
func (m *matcher) match(s string) uint64 {
	if m.plan.must.missing(s) {
		return 0
	}
	a := m.take()
	found := a.match(s)
	m.leave(a)
	return found
}

func (m *matcher) take() *automaton {
	for i := range m.idle {
		if a := m.idle[i].Swap(nil); a != nil {
			return a
		}
	}
	return newAutomaton(m.plan)
}

func (m *matcher) leave(a *automaton) {
	for i := range m.idle {
		if m.idle[i].CompareAndSwap(nil, a) {
			return
		}
	}
}
