package automata

import (
	"regexp"
	"unicode/utf8"
)

// finder finds the leftmost match of an expression: an automaton tries each
// place where one could begin. If anybody wants them, a grouper finds the groups.
type finder struct {
	*automaton // of what matches where the search begins
	expr       string
	begins     [contexts]uint16 // the first state by what stands before; of this many resets
	resets     int
	steps      int // of the search

	inside        *grouper       // of matches
	start, second *regexp.Regexp // at the beginning of a text, and behind its first character; for long searches
}

// newFinder returns nil for an expression that may match nothing anywhere: whether
// that counts depends on the match before.
func newFinder(p *plan, expr string) *finder {
	if p == nil {
		return nil
	}
	here := p.here()
	if here.note() && !p.anchored {
		return nil
	}
	f := &finder{automaton: newAutomaton(here), expr: expr}
	f.ordered = true
	return f
}

// begin returns the state before the character at i.
func (f *finder) begin(s string, i int) uint16 {
	before := noRune
	if i > 0 {
		if before = rune(s[i-1]); before >= utf8.RuneSelf {
			before, _ = utf8.DecodeLastRuneInString(s[:i])
		}
	}
	before = f.context(before)
	if f.resets != f.automaton.resets {
		f.begins, f.resets = [contexts]uint16{}, f.automaton.resets
	}
	state := &f.begins[contextNumber(before)]
	if *state == unknown {
		*state = f.state(f.starts, before)
	}
	return *state
}

// patience is how many times a text is gone over at most: expressions with
// ".*" can try long matches at many places.
const patience = 8

// find returns the leftmost match from a place on, which begins at -1 when there
// is none. ok is false when the search took too long.
func (f *finder) find(s string, from int) (at, end int, ok bool) {
	if f.anchored {
		if from > 0 {
			return -1, 0, true
		}
		if found, end, _ := f.run(s, 0, f.begin(s, 0)); found != 0 {
			return 0, end, true
		}
		return -1, 0, true
	}
	for i := from; i < len(s); {
		if !f.opens[s[i]] {
			i++
			continue
		}
		class, size := f.classAt(s, i)
		if state := f.begin(s, i); f.next[class*f.room+int(state)] != dead {
			found, end, looked := f.run(s, i, state)
			if f.steps += looked - i; f.steps > patience*len(s) {
				return -1, 0, false
			}
			if found != 0 {
				return i, end, true
			}
		}
		i += size
	}
	return -1, 0, true
}

// submatches is what [regexp.Regexp.FindStringSubmatchIndex] tells of the match
// between two places. That is asked itself where a search is long, with one character
// on either side, by which assertions hold or not: what it prefers where the text goes
// on ends elsewhere.
func (f *finder) submatches(s string, i, end int) []int {
	if f.inside == nil {
		f.inside = newGrouper(f.expr)
	}
	if loc := f.inside.of(s, i, end); loc != nil {
		return loc
	}
	_, more := utf8.DecodeRuneInString(s[end:])
	if loc := f.groupsIn(s[:end+more], i); loc != nil && loc[1] == end {
		return loc
	}
	return f.groupsIn(s, i)
}

// groupsIn are the groups of the match that begins at i.
func (f *finder) groupsIn(s string, i int) []int {
	if i == 0 {
		if f.start == nil {
			f.start = regexp.MustCompile(`\A(?:` + f.expr + `)`)
		}
		return f.start.FindStringSubmatchIndex(s)
	}
	if f.second == nil {
		f.second = regexp.MustCompile(`\A(?s:.)(?:` + f.expr + `)`)
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

// matched are matches in a text, one behind the other: of each the places that
// [regexp.Regexp.FindStringSubmatchIndex] gives, so many numbers.
type matched struct {
	places []int
	width  int
}

// fewPlaces is room for the places of a few matches, which callers have on their stacks.
const fewPlaces = 16

func (m matched) len() int { return len(m.places) / m.width }

func (m matched) at(i int) []int { return m.places[i*m.width : (i+1)*m.width] }

// all is what [regexp.Regexp.FindAllStringSubmatchIndex] tells of a text, without
// groups that nobody wants. It is put where there is room. ok is false when regexp
// must be asked itself.
func (f *finder) all(room []int, s string, n int, groups bool) (m matched, ok bool) {
	m = matched{room[:0], 2}
	if groups {
		m.width += 2 * f.groups
	}
	f.steps = 0
	for at := 0; n < 0 || m.len() < n; {
		i, end, ok := f.find(s, at)
		if !ok {
			return m, false
		}
		if i < 0 {
			break
		}
		if m.width == 2 {
			m.places = append(m.places, i, end)
		} else if loc := f.submatches(s, i, end); loc != nil {
			m.places = append(m.places, loc...)
		} else {
			return m, false
		}
		if f.anchored {
			break
		}
		at = end
	}
	return m, true
}
