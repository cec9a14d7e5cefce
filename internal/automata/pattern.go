package automata

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Pattern is a regular expression that is asked of every event of a session and
// seldom found. It answers as package regexp does, and is much faster at saying
// no: an automaton that is built as it goes looks at each byte once. Use it for
// what detectors ask of texts; for the few texts that they have chosen, regexp
// will do.
//
// Patterns are compiled on first use, because most processes never scan, and may
// be used by several goroutines.
type Pattern struct {
	expr    string
	compile sync.Once
	re      *regexp.Regexp

	prepare    sync.Once
	plan       *plan // nil: regexp alone
	automata   idle[automaton]
	finders    idle[finder]
	unfindable atomic.Bool // regexp finds it
}

// atOnce is of how many automata of one pattern the states are remembered. Where more
// goroutines ask at a time, theirs begin anew.
const atOnce = 4

// idle keeps what nobody uses now.
type idle[T any] [atOnce]atomic.Pointer[T]

// take returns nil when there is none.
func (k *idle[T]) take() *T {
	for i := range k {
		if one := k[i].Swap(nil); one != nil {
			return one
		}
	}
	return nil
}

func (k *idle[T]) leave(one *T) {
	for i := range k {
		if k[i].CompareAndSwap(nil, one) {
			return
		}
	}
}

// automatonOf takes a plan's automaton that is idle, or makes one.
func automatonOf(p *plan, k *idle[automaton]) *automaton {
	if a := k.take(); a != nil {
		return a
	}
	return newAutomaton(p)
}

// New returns the pattern of an expression in the syntax of package
// regexp. One that cannot be compiled panics when it is first used.
func New(expr string) *Pattern { return &Pattern{expr: expr} }

func (p *Pattern) compiled() *regexp.Regexp {
	p.compile.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

// prepared returns how automata look for the pattern, or nil when regexp must be
// asked.
func (p *Pattern) prepared() *plan {
	p.prepare.Do(func() { p.plan = newPlan(p.expr) })
	return p.plan
}

// Fast says whether automata look for the pattern, and not package regexp.
func (p *Pattern) Fast() bool { return p.prepared() != nil }

// MatchString says whether the text has a match.
func (p *Pattern) MatchString(s string) bool {
	plan := p.prepared()
	if plan == nil {
		return p.compiled().MatchString(s)
	}
	return p.has(plan, s)
}

func (p *Pattern) has(plan *plan, s string) bool {
	if !plan.mayMatch(s) {
		return false
	}
	a := automatonOf(plan, &p.automata)
	found := a.match(s)
	p.automata.leave(a)
	return found
}

// finderFor returns what finds matches in the text, to be left in p.finders, or
// nil when there is no match. ok is false when regexp must be asked.
func (p *Pattern) finderFor(s string) (f *finder, ok bool) {
	plan := p.prepared()
	switch {
	case plan == nil:
		return nil, false
	case plan.anchored && !plan.mayMatch(s), !plan.anchored && !p.has(plan, s):
		return nil, true // as most often, in a single pass
	case p.unfindable.Load():
		return nil, false
	}
	if f = p.finders.take(); f != nil {
		return f, true
	}
	if f = newFinder(plan, p.expr); f == nil {
		p.unfindable.Store(true)
	}
	return f, f != nil
}

// found returns the first n matches, all when n is below 0, with their groups if
// they are wanted, in the room that is given if they fit. ok is false when regexp
// must be asked.
func (p *Pattern) found(room []int, s string, n int, groups bool) (m matched, ok bool) {
	f, ok := p.finderFor(s)
	if f == nil {
		return matched{width: 2}, ok
	}
	m, ok = f.all(room, s, n, groups)
	p.finders.leave(f)
	return m, ok
}

// span returns where the first match begins and ends; it begins at -1 when there
// is none.
func (p *Pattern) span(s string) (from, to int) {
	f, ok := p.finderFor(s)
	if f != nil {
		f.steps = 0
		from, to, ok = f.find(s, 0)
		p.finders.leave(f)
	} else {
		from = -1
	}
	if ok {
		return from, to
	}
	if loc := p.compiled().FindStringIndex(s); loc != nil {
		return loc[0], loc[1]
	}
	return -1, -1
}

// matches is found, whoever must be asked.
func (p *Pattern) matches(room []int, s string, n int, groups bool) matched {
	m, ok := p.found(room, s, n, groups)
	if ok {
		return m
	}
	re := p.compiled()
	m = matched{width: 2 + 2*re.NumSubexp()}
	for _, loc := range re.FindAllStringSubmatchIndex(s, n) {
		m.places = append(m.places, loc...)
	}
	return m
}

// FindStringIndex is as in package regexp.
func (p *Pattern) FindStringIndex(s string) []int {
	if from, to := p.span(s); from >= 0 {
		return []int{from, to}
	}
	return nil
}

// FindString is as in package regexp.
func (p *Pattern) FindString(s string) string {
	if from, to := p.span(s); from >= 0 {
		return s[from:to]
	}
	return ""
}

// FindStringSubmatch is as in package regexp.
func (p *Pattern) FindStringSubmatch(s string) []string {
	var few [fewPlaces]int
	if m := p.matches(few[:], s, 1, true); m.len() > 0 {
		return groups(s, m.at(0))
	}
	return nil
}

// FindAllString is as in package regexp.
func (p *Pattern) FindAllString(s string, n int) []string {
	var few [fewPlaces]int
	m := p.matches(few[:], s, n, false)
	if m.len() == 0 {
		return nil
	}
	all := make([]string, m.len())
	for i := range all {
		all[i] = s[m.at(i)[0]:m.at(i)[1]]
	}
	return all
}

// Count is how many matches a text has.
func (p *Pattern) Count(s string) int {
	var few [fewPlaces]int
	return p.matches(few[:], s, -1, false).len()
}

// FindAllStringSubmatch is as in package regexp.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	var few [fewPlaces]int
	m := p.matches(few[:], s, n, true)
	if m.len() == 0 {
		return nil
	}
	all := make([][]string, m.len())
	for i := range all {
		all[i] = groups(s, m.at(i))
	}
	return all
}

func groups(s string, loc []int) []string {
	all := make([]string, len(loc)/2)
	for i := range all {
		if from := loc[2*i]; from >= 0 {
			all[i] = s[from:loc[2*i+1]]
		}
	}
	return all
}

// ReplaceAllString is as in package regexp.
func (p *Pattern) ReplaceAllString(s, with string) string {
	if strings.IndexByte(with, '$') >= 0 {
		return p.expanded(s, with)
	}
	var few [fewPlaces]int
	m, ok := p.found(few[:], s, -1, false)
	switch {
	case !ok:
		return p.compiled().ReplaceAllString(s, with)
	case m.len() == 0:
		return s
	case with == "" && m.len() == 1 && m.places[0] == 0:
		return s[m.places[1]:] // nothing need be copied
	case with == "" && m.len() == 1 && m.places[1] == len(s):
		return s[:m.places[0]]
	}
	return m.replaced(s, func(string) string { return with })
}

// replaced returns the text with other words in the place of the matches.
func (m matched) replaced(s string, with func(string) string) string {
	var out strings.Builder
	out.Grow(len(s))
	at := 0
	for i := range m.len() {
		from, to := m.at(i)[0], m.at(i)[1]
		out.WriteString(s[at:from])
		out.WriteString(with(s[from:to]))
		at = to
	}
	out.WriteString(s[at:])
	return out.String()
}

// expanded replaces the matches by words that refer to their groups.
func (p *Pattern) expanded(s, with string) string {
	var few [fewPlaces]int
	m, ok := p.found(few[:], s, -1, true)
	if !ok {
		return p.compiled().ReplaceAllString(s, with)
	}
	if m.len() == 0 {
		return s
	}
	var out []byte
	at := 0
	for i := range m.len() {
		loc := m.at(i)
		out = p.compiled().ExpandString(append(out, s[at:loc[0]]...), with, s, loc)
		at = loc[1]
	}
	return string(append(out, s[at:]...))
}

// ReplaceAllStringFunc is as in package regexp.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	var few [fewPlaces]int
	m, ok := p.found(few[:], s, -1, false)
	if !ok {
		return p.compiled().ReplaceAllStringFunc(s, with)
	}
	if m.len() == 0 {
		return s
	}
	return m.replaced(s, with)
}

// Split is as in package regexp.
func (p *Pattern) Split(s string, n int) []string {
	var few [fewPlaces]int
	m, ok := p.found(few[:], s, -1, false)
	if !ok || n >= 0 {
		return p.compiled().Split(s, n)
	}
	all := make([]string, 0, m.len()+1)
	at := 0
	for i := range m.len() {
		all = append(all, s[at:m.at(i)[0]])
		at = m.at(i)[1]
	}
	return append(all, s[at:])
}

// FindAllStringSubmatchIndex is as in package regexp.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	var few [fewPlaces]int
	m := p.matches(few[:], s, n, true)
	if m.len() == 0 {
		return nil
	}
	all := make([][]int, m.len())
	for i := range all {
		all[i] = slices.Clone(m.at(i))
	}
	return all
}

// String returns the expression, as in package regexp.
func (p *Pattern) String() string { return p.expr }
