package scan

import (
	"regexp"
	"sync"
	"sync/atomic"
)

// pattern is a regular expression that is asked of every event of a session and
// seldom found. It answers as package regexp does, and is much faster at saying
// no: an automaton that is built as it goes looks at each byte once. Use it for
// what detectors ask of texts; for the few texts that they have chosen, regexp
// will do.
//
// Patterns are compiled on first use, because most processes never scan, and may
// be used by several goroutines.
type pattern struct {
	expr    string
	compile sync.Once
	re      *regexp.Regexp
	asked   atomic.Int64 // bytes, as long as it is asked of regexp

	prepare sync.Once
	plan    *plan           // nil: regexp alone
	idle    chan *automaton // automata that nobody uses now
}

const (
	// automatonAfter is how many bytes a pattern is asked of before its automaton
	// is built, which costs about as much as searching them.
	automatonAfter = 8 << 10
	// idleAutomatons is how many goroutines find an automaton as it was left.
	idleAutomatons = 8
)

// newPattern returns the pattern of an expression in the syntax of package
// regexp. One that cannot be compiled panics when it is first used.
func newPattern(expr string) *pattern { return &pattern{expr: expr} }

func (p *pattern) compiled() *regexp.Regexp {
	p.compile.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

// MatchString says whether the text has a match.
func (p *pattern) MatchString(s string) bool {
	re := p.compiled()
	if p.asked.Load() < automatonAfter {
		p.asked.Add(int64(len(s)))
		return re.MatchString(s)
	}
	p.prepare.Do(func() {
		p.plan = newPlan(p.expr)
		p.idle = make(chan *automaton, idleAutomatons)
	})
	if p.plan == nil {
		return re.MatchString(s)
	}
	var a *automaton
	select {
	case a = <-p.idle:
	default:
		a = newAutomaton(p.plan)
	}
	found := a.match(s)
	select {
	case p.idle <- a:
	default:
	}
	return found
}

// FindStringIndex is as in package regexp.
func (p *pattern) FindStringIndex(s string) []int {
	if !p.MatchString(s) {
		return nil
	}
	return p.re.FindStringIndex(s)
}

// FindString is as in package regexp.
func (p *pattern) FindString(s string) string {
	if !p.MatchString(s) {
		return ""
	}
	return p.re.FindString(s)
}

// FindStringSubmatch is as in package regexp.
func (p *pattern) FindStringSubmatch(s string) []string {
	if !p.MatchString(s) {
		return nil
	}
	return p.re.FindStringSubmatch(s)
}

// FindAllString is as in package regexp.
func (p *pattern) FindAllString(s string, n int) []string {
	if !p.MatchString(s) {
		return nil
	}
	return p.re.FindAllString(s, n)
}

// FindAllStringSubmatch is as in package regexp.
func (p *pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.MatchString(s) {
		return nil
	}
	return p.re.FindAllStringSubmatch(s, n)
}

// ReplaceAllString is as in package regexp.
func (p *pattern) ReplaceAllString(s, with string) string {
	if !p.MatchString(s) {
		return s
	}
	return p.re.ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is as in package regexp.
func (p *pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	if !p.MatchString(s) {
		return s
	}
	return p.re.ReplaceAllStringFunc(s, with)
}

// Split is as in package regexp.
func (p *pattern) Split(s string, n int) []string {
	return p.compiled().Split(s, n)
}
