package automata

import (
	"regexp/syntax"
	"slices"
)

// automaton looks for matches by a table of states that grows as texts need it
// (the lazy construction of deterministic automata, as in RE2). A state is the
// set of instructions that the text so far leads to. Assertions are looked at
// one character later, when both of their sides are known. It is not safe for use by
// several goroutines.
type automaton struct {
	*plan
	// ordered automata keep the instructions of a state in the order in which
	// package regexp prefers them: the last match that they see is the one it takes.
	ordered bool

	table
	states []place
	at     []uint32 // the instructions of all states
	index  []uint16 // the states by their hashes; unknown where there is none
	hits   []hit
	fresh  [contexts][]freshly // by context and class: what begins there
	first  map[syntax.EmptyOp]taking
	resets int

	stack   []uint32
	visited []uint32 // by instruction: the round in which it was seen
	round   uint32
	takers  []uint32
	reached []uint32
}

// place is a state: the instructions that the text leads to, besides those that
// begin anywhere, and the context of the character before.
type place struct {
	from, to uint32 // in automaton.at
	before   rune
	hash     uint32
}

// hit is a way on which expressions are known to match, by their numbers.
type hit struct {
	of uint64
	to uint16
}

// freshly is where a character leads from the beginning of the expressions that
// match anywhere. All states have that in common.
type freshly struct {
	seen    bool
	flags   syntax.EmptyOp // that hold before the character
	of      uint64
	reached []uint32
}

// taking is what stands behind some instructions and their conditions: which
// expressions match there, and what takes the next character.
type taking struct {
	of     uint64
	takers []uint32
}

func newAutomaton(p *plan) *automaton {
	a := &automaton{plan: p, table: newTable(p.end + 2), visited: make([]uint32, len(p.insts))}
	a.first = map[syntax.EmptyOp]taking{}
	a.reset()
	return a
}

// reset forgets all states but the first.
func (a *automaton) reset() {
	if a.resets > 0 {
		a.forget()
	}
	a.states, a.hits, a.at, a.index = append(a.states[:0], place{}), a.hits[:0], a.at[:0], nil
	a.resets++
	a.state(a.starts, a.context(noRune))
}

// state returns a state, which it adds if it is new.
func (a *automaton) state(at []uint32, before rune) uint16 {
	if len(at) == 0 && len(a.later) == 0 {
		return dead
	}
	if 2*len(a.states) >= len(a.index) {
		a.reindex()
	}
	hash := uint32(contextNumber(before))
	for _, pc := range at {
		hash = (hash ^ pc) * 16777619 // FNV-1a
	}
	i := a.slot(hash)
	for ; a.index[i] != unknown; i = (i + 1) % len(a.index) {
		if s := &a.states[a.index[i]]; s.hash == hash && s.before == before && slices.Equal(a.at[s.from:s.to], at) {
			return a.index[i]
		}
	}
	n := uint16(len(a.states))
	if len(a.states) == a.room {
		a.grow()
	}
	a.index[i] = n
	a.states = append(a.states, place{uint32(len(a.at)), uint32(len(a.at) + len(at)), before, hash})
	a.at = append(a.at, at...)
	return n
}

// slot is where the search for a hash begins in the index.
func (a *automaton) slot(hash uint32) int { return int((hash ^ hash>>15) % uint32(len(a.index))) }

// reindex makes room for as many states again.
func (a *automaton) reindex() {
	a.index = make([]uint16, max(32, 2*len(a.index)))
	for n := firstState; int(n) < len(a.states); n++ {
		i := a.slot(a.states[n].hash)
		for ; a.index[i] != unknown; i = (i + 1) % len(a.index) {
		}
		a.index[i] = n
	}
}

// match says whether the text has a match anywhere.
func (a *automaton) match(s string) bool {
	found, _, _ := a.run(s, 0, firstState)
	return found != 0
}

// run goes on from a place of the text in a state until nothing can be found any
// more. It says which expressions have a match that ends behind that place, a bit
// each, where the last match ends that it saw, and how far it looked. It looks
// behind a match only if there are several expressions, or an order.
func (a *automaton) run(s string, i int, state uint16) (found uint64, last, at int) {
	for {
		var to uint16
		i, state, to = a.follow(&a.class, s, i, state)
		if i == len(s) {
			break
		}
		size := 1
		if to == unknown {
			to, size = a.leads(state, s, i)
		}
		if firstHit >= to && to >= lastHit {
			if a.ends() {
				return 1, i, i
			}
			h := a.hits[firstHit-to]
			found, last, to = found|h.of, i, h.to
		}
		if to == dead {
			return found, last, i
		}
		state = to
		i += size
	}
	end := a.next[a.end*a.room+int(state)]
	if end == unknown {
		end = a.step(state, a.end)
	}
	if firstHit >= end && end >= lastHit {
		found, last = found|a.hits[firstHit-end].of, len(s)
	}
	return found, last, len(s)
}

// leads says where a state leads with the character at a place of the text, and the
// size of that.
func (a *automaton) leads(state uint16, s string, i int) (to uint16, size int) {
	class, size := a.classAt(s, i)
	if to = a.next[class*a.room+int(state)]; to == unknown {
		to = a.step(state, class)
	}
	return to, size
}

// ends says whether a search ends with the first match that it sees, so that hits
// need not be looked at.
func (a *automaton) ends() bool { return !a.many && !a.ordered }

// step finds out where a state leads with a class, and notes it.
func (a *automaton) step(state uint16, class int) uint16 {
	from := a.states[state]
	fresh := a.begin(from.before, class)
	of := a.closure(a.at[from.from:from.to], fresh.flags) | fresh.of
	a.round++
	a.reached = a.behind(a.reached[:0], a.takers, class)
	for _, pc := range fresh.reached {
		a.reached = a.once(a.reached, pc)
	}
	full := a.full(len(a.states)) || len(a.hits) == maxHits
	if full {
		a.reset()
	}
	to := dead
	if class != a.end && (of == 0 || !a.ends()) {
		if !a.ordered {
			slices.Sort(a.reached)
		}
		to = a.state(a.reached, a.context(a.sample[class]))
	}
	if of != 0 {
		a.hits = append(a.hits, hit{of, to})
		to = firstHit - uint16(len(a.hits)-1)
	}
	if !full {
		a.next[class*a.room+int(state)] = to
	}
	return to
}

// begin is where a class leads from the beginning of an expression.
func (a *automaton) begin(before rune, class int) *freshly {
	of := &a.fresh[contextNumber(before)]
	if *of == nil {
		*of = make([]freshly, a.end+1)
	}
	f := &(*of)[class]
	if !f.seen {
		f.seen, f.flags = true, a.flags(before, class)
		first, ok := a.first[f.flags]
		if !ok {
			first.of = a.closure(a.later, f.flags)
			first.takers = slices.Clone(a.takers)
			a.first[f.flags] = first
		}
		a.round++
		f.of, f.reached = first.of, a.behind(nil, first.takers, class)
	}
	return f
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
	if class == a.end {
		return to
	}
	taken := a.taken(class)
	for _, pc := range takers {
		if in := &a.insts[pc]; taken[in.arg/8]>>(in.arg%8)&1 != 0 {
			to = a.once(to, in.out)
		}
	}
	return to
}

// once appends an instruction that was not seen in this round.
func (a *automaton) once(to []uint32, pc uint32) []uint32 {
	if a.visited[pc] == a.round {
		return to
	}
	a.visited[pc] = a.round
	return append(to, pc)
}

// closure collects in their order what takes a character behind some instructions,
// under the conditions that hold there, and says which expressions match. Of a choice,
// the other way waits on the stack.
func (a *automaton) closure(at []uint32, flags syntax.EmptyOp) (of uint64) {
	a.round++
	takers, stack, visited := a.takers[:0], a.stack[:0], a.visited
	for _, pc := range at {
		for {
			if visited[pc] != a.round {
				visited[pc] = a.round
				switch in := &a.insts[pc]; {
				case in.op == syntax.InstRune:
					takers = append(takers, pc)
				case in.op == syntax.InstAlt:
					stack, pc = append(stack, in.arg), in.out
					continue
				case in.op == syntax.InstEmptyWidth && syntax.EmptyOp(in.arg)&^flags == 0:
					pc = in.out
					continue
				case in.op == syntax.InstMatch:
					of |= 1 << in.arg
				}
			}
			if len(stack) == 0 || of != 0 && !a.many { // what is preferred less than a match does not matter
				break
			}
			pc, stack = stack[len(stack)-1], stack[:len(stack)-1]
		}
		if of != 0 && !a.many {
			break
		}
	}
	a.takers, a.stack = takers, stack
	return of
}
