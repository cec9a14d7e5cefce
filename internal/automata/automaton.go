package automata

import (
	"encoding/binary"
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
	numbers map[string]uint32 // of the states, by what they consist of
	next    []uint32          // a row of each state: where it leads with each class
	begins  map[syntax.EmptyOp]*beginning
	resets  int

	stack, takers, reached []uint32 // memory for one step
	visited                []uint32 // by instruction: the round in which it was seen
	round                  uint32
	key                    []byte
}

// state is where a text may lead to.
type state struct {
	at     []uint32 // instructions, besides those with which expressions begin
	before rune     // the context of the character before
	found  uint64   // the expressions of which a match ended before that character
}

// beginning is where matches lead that begin under some conditions.
type beginning struct {
	found   uint64     // expressions that match nothing there
	takers  []uint32   // instructions that take the next character
	reached [][]uint32 // by class of that character: where they lead; nil: not known yet
}

// What a row says besides the beginning of another row. Rows of states in which
// something was found have the bit hit.
const (
	unknown uint32 = 0
	dead    uint32 = 1<<32 - 1
	hit     uint32 = 1 << 31
)

// maxTable bounds the entries of all rows. A full table is begun anew.
const maxTable = 1 << 17

func newAutomaton(p *plan) *automaton {
	a := &automaton{plan: p, begins: map[syntax.EmptyOp]*beginning{}, visited: make([]uint32, len(p.insts))}
	a.reset()
	return a
}

// columns is the length of a row: the classes, the end of a text, and a class of
// which no row knows anything.
func (a *automaton) columns() int { return a.end + 2 }

// reset forgets all states but the first. Its row is the second: 0 means unknown.
func (a *automaton) reset() {
	a.states, a.numbers = append(a.states[:0], state{}), map[string]uint32{}
	clear(a.next)
	a.next = append(a.next[:0], make([]uint32, a.columns())...)
	a.resets++
	a.state(state{at: a.starts, before: a.context(noRune)})
}

// first is the row of the state before a text.
func (a *automaton) first() uint32 { return uint32(a.columns()) }

// state returns the row of a state, which it adds if it is new.
func (a *automaton) state(s state) uint32 {
	if len(s.at) == 0 && len(a.later) == 0 && s.found == 0 {
		return dead
	}
	a.key = binary.AppendUvarint(binary.AppendVarint(a.key[:0], int64(s.before)), s.found)
	for _, pc := range s.at {
		a.key = binary.AppendUvarint(a.key, uint64(pc))
	}
	row, ok := a.numbers[string(a.key)]
	if !ok {
		row = uint32(len(a.next))
		if s.found != 0 {
			row |= hit
		}
		s.at = slices.Clone(s.at)
		a.states, a.next = append(a.states, s), append(a.next, make([]uint32, a.columns())...)
		a.numbers[string(a.key)] = row
	}
	return row
}

// match says of each expression, in a bit each, whether the text has a match. Of a
// single expression it looks for no other match than the one that ends first.
func (a *automaton) match(s string) (found uint64) {
	row := a.first()
	for i := 0; ; {
		var to uint32
		i, row, to = follow(a.next, &a.class, s, i, row)
		class, size := a.end, 1
		if i < len(s) {
			class, size = a.classAt(s, i)
		}
		if to == unknown {
			if to = a.next[int(row)+class]; to == unknown {
				to = a.step(row, class)
			}
		}
		if to == dead {
			return found
		}
		if row = to &^ hit; row != to {
			found |= a.states[int(row)/a.columns()].found
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

// follow goes on from a place of the text as long as the rows know the next one, and
// nothing is found. It returns where it stopped, and what the row says there, which is
// unknown at the end and at characters that are not ASCII. It is a function of its own
// so that the compiler keeps all that it needs in registers.
//
//go:noinline
func follow(next []uint32, class *[256]uint8, s string, i int, row uint32) (at int, from, to uint32) {
	for i < len(s) {
		to := next[int(row)+int(class[s[i]])]
		if to-1 >= hit-1 { // or unknown
			return i, row, to
		}
		i, row = i+1, to
	}
	return i, row, unknown
}

// step finds out where a state leads with a class, and notes it.
func (a *automaton) step(row uint32, class int) uint32 {
	from := a.states[int(row)/a.columns()]
	flags := a.flags(from.before, class)
	begin := a.begin(flags)
	s := state{found: begin.found | a.closure(from.at, flags)}
	if class != a.end && (a.many || s.found == 0) {
		a.round++
		a.reached = a.behind(a.reached[:0], a.takers, class)
		if begin.reached[class] == nil {
			a.round++
			begin.reached[class] = a.behind([]uint32{}, begin.takers, class)
		}
		a.reached = append(a.reached, begin.reached[class]...)
		slices.Sort(a.reached)
		s.at, s.before = slices.Compact(a.reached), a.context(a.sample[class])
	}
	if len(a.next)+a.columns() > maxTable {
		a.reset()
		return a.state(s)
	}
	to := a.state(s)
	a.next[int(row)+class] = to
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
		if a.takes[class][in.arg] && a.visited[in.out] != a.round {
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
