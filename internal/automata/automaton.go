package automata

import (
	"regexp/syntax"
	"slices"
)

// automaton looks for matches by a table of states that grows as texts need it. A
// state is the set of instructions that the text so far leads to. Assertions are
// looked at one character later, when both of their sides are known. It is not safe
// for use by several goroutines.
type automaton struct {
	*plan
	states  []state
	at      []uint32          // the instructions of all states
	numbers map[uint64]uint16 // of states, by a hash of what they consist of
	next    []uint16          // a row of each state: where it leads with each class
	begins  map[syntax.EmptyOp]*beginning
	resets  int

	stack, takers, reached []uint32 // memory for one step
	visited                []uint32 // by instruction: the round in which it was seen
	round                  uint32
}

// state is where a text may lead to. It holds no pointer, so that the garbage
// collector has nothing to look for in the thousands of them.
type state struct {
	found      uint64 // the expressions of which a match ended before the character before
	before     rune   // the context of the character before
	begin, end uint32 // its instructions in automaton.at, besides those with which expressions begin
}

// beginning is where matches lead that begin under some conditions.
type beginning struct {
	found   uint64     // expressions that match nothing there
	takers  []uint32   // instructions that take the next character
	reached [][]uint32 // by class of that character: where they lead; nil: not known yet
}

// What a row says besides the number of another state. Numbers of states in which
// something was found have the bit hit.
const (
	unknown uint16 = 0
	dead    uint16 = 1<<16 - 1
	hit     uint16 = 1 << 15
)

// maxTable bounds the entries of all rows, and maxStates the states. A full table is begun anew.
const (
	maxTable  = 1 << 17
	maxStates = int(hit) - 1
)

func newAutomaton(p *plan) *automaton {
	a := &automaton{plan: p, begins: map[syntax.EmptyOp]*beginning{}, visited: make([]uint32, len(p.insts))}
	a.reset()
	return a
}

// columns is the length of a row: the classes, the end of a text, and a class of
// which no row knows anything.
func (a *automaton) columns() int { return a.end + 2 }

// reset forgets all states but the first. Its number is 1: 0 means unknown.
func (a *automaton) reset() {
	a.states, a.at, a.next = append(a.states[:0], state{}), a.at[:0], a.next[:0]
	a.numbers = map[uint64]uint16{}
	a.addRow()
	a.resets++
	a.state(0, a.context(noRune), a.starts)
}

// first is the state before a text.
const first uint16 = 1

// addRow adds a row of which nothing is known.
func (a *automaton) addRow() {
	n := len(a.next)
	a.next = slices.Grow(a.next, a.columns())[:n+a.columns()]
	clear(a.next[n:])
}

// state returns the number of a state, which it adds if it is new.
func (a *automaton) state(found uint64, before rune, at []uint32) uint16 {
	if len(at) == 0 && len(a.later) == 0 && found == 0 {
		return dead
	}
	hash := hashOf(found, before, at)
	for ; ; hash++ {
		n, ok := a.numbers[hash]
		if !ok {
			break
		}
		if s := a.states[n&^hit]; s.found == found && s.before == before && slices.Equal(a.at[s.begin:s.end], at) {
			return n
		}
	}
	n := uint16(len(a.states))
	if found != 0 {
		n |= hit
	}
	begin := uint32(len(a.at))
	a.at = append(a.at, at...)
	a.states = append(a.states, state{found, before, begin, uint32(len(a.at))})
	a.addRow()
	a.numbers[hash] = n
	return n
}

// hashOf is FNV-1a of what a state consists of, a number at a time.
func hashOf(found uint64, before rune, at []uint32) uint64 {
	const basis, prime = 14695981039346656037, 1099511628211
	hash := (basis ^ found) * prime
	hash = (hash ^ uint64(uint32(before))) * prime
	for _, pc := range at {
		hash = (hash ^ uint64(pc)) * prime
	}
	return hash
}

// match says of each expression, in a bit each, whether the text has a match. Of a
// single expression it looks for no other match than the one that ends first.
func (a *automaton) match(s string) (found uint64) {
	now := first
	for i := 0; ; {
		var to uint16
		i, now, to = follow(a.next, a.columns(), &a.class, s, i, now)
		class, size := a.end, 1
		if i < len(s) {
			class, size = a.classAt(s, i)
		}
		if to == unknown {
			if to = a.next[int(now)*a.columns()+class]; to == unknown {
				to = a.step(now, class)
			}
		}
		if to == dead {
			return found
		}
		if now = to &^ hit; now != to {
			found |= a.states[now].found
			if !a.many {
				return found
			}
		}
		if i == len(s) {
			return found
		}
		i += size
	}
}

// follow goes on from a place of the text as long as the rows know the next state, and
// nothing is found. It returns where it stopped, and what the row says there, which is
// unknown at the end and at characters that are not ASCII. It is a function of its own
// so that the compiler keeps all that it needs in registers.
//
//go:noinline
func follow(next []uint16, columns int, class *[256]uint8, s string, i int, now uint16) (at int, from, to uint16) {
	for i < len(s) {
		to := next[int(now)*columns+int(class[s[i]])]
		if to-1 >= hit-1 { // or unknown
			return i, now, to
		}
		i, now = i+1, to
	}
	return i, now, unknown
}

// step finds out where a state leads with a class, and notes it.
func (a *automaton) step(now uint16, class int) uint16 {
	from := a.states[now]
	flags := a.flags(from.before, class)
	begin := a.begin(flags)
	found, before := begin.found|a.closure(a.at[from.begin:from.end], flags), rune(0)
	a.reached = a.reached[:0]
	if class != a.end && (a.many || found == 0) {
		a.round++
		a.reached = a.behind(a.reached, a.takers, class)
		if begin.reached[class] == nil {
			a.round++
			begin.reached[class] = a.behind([]uint32{}, begin.takers, class)
		}
		a.reached = append(a.reached, begin.reached[class]...)
		slices.Sort(a.reached)
		a.reached, before = slices.Compact(a.reached), a.context(a.sample[class])
	}
	if len(a.next)+a.columns() > maxTable || len(a.states) == maxStates {
		a.reset()
		return a.state(found, before, a.reached)
	}
	to := a.state(found, before, a.reached)
	a.next[int(now)*a.columns()+class] = to
	return to
}

// begin is what begins under some conditions.
func (a *automaton) begin(flags syntax.EmptyOp) *beginning {
	b := a.begins[flags]
	if b == nil {
		b = &beginning{found: a.closure(a.later, flags), reached: make([][]uint32, a.end)}
		b.takers = slices.Clone(a.takers)
		a.begins[flags] = b
	}
	return b
}

// flags are the conditions that hold between two characters, as far as the
// expressions ask.
func (a *automaton) flags(before rune, class int) syntax.EmptyOp {
	r := noRune
	if class != a.end {
		r = a.sample[class]
	}
	return syntax.EmptyOpContext(before, r) & a.looks
}

// behind appends where those lead that take a class, each place once.
func (a *automaton) behind(to, takers []uint32, class int) []uint32 {
	for _, pc := range takers {
		in := &a.insts[pc]
		if a.takes(class, in.arg) && a.visited[in.out] != a.round {
			a.visited[in.out] = a.round
			to = append(to, in.out)
		}
	}
	return to
}

// closure collects in a.takers what takes a character behind some instructions,
// under the conditions that hold there, and says which expressions match.
func (a *automaton) closure(at []uint32, flags syntax.EmptyOp) (found uint64) {
	a.round++
	a.takers, a.stack = a.takers[:0], append(a.stack[:0], at...)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.visited[pc] == a.round {
			continue
		}
		a.visited[pc] = a.round
		switch in := &a.insts[pc]; in.op {
		case syntax.InstRune:
			a.takers = append(a.takers, pc)
		case syntax.InstAlt:
			a.stack = append(a.stack, in.arg, in.out)
		case syntax.InstNop:
			a.stack = append(a.stack, in.out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.arg)&^flags == 0 {
				a.stack = append(a.stack, in.out)
			}
		case syntax.InstMatch:
			found |= 1 << in.arg
		}
	}
	return found
}
