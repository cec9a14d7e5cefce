package scan

import (
	"encoding/binary"
	"math/bits"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// plan is an expression as automata need it, or several that one automaton looks
// for together: the programs of package regexp/syntax, and the characters in
// classes that they cannot tell apart.
type plan struct {
	insts  []syntax.Inst // of a match, Arg is the number of the expression
	starts []uint32      // where the expressions begin
	later  []uint32      // of those that match not only at the beginning of a text
	many   bool
	groups bool // it has some
	looks  syntax.EmptyOp
	begins []rune // where each class begins, ascending; a class may occur twice
	class  []uint8
	ascii  [utf8.RuneSelf]uint8
	sample []rune // of each class
}

// newPlan returns nil for expressions with more classes than a table holds.
func newPlan(exprs ...string) *plan {
	p := &plan{many: len(exprs) > 1}
	for i, expr := range exprs {
		parsed, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return nil
		}
		p.groups = p.groups || parsed.MaxCap() > 0
		prog, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			return nil
		}
		p.add(prog, i)
	}
	if !p.classify() {
		return nil
	}
	return p
}

// add puts the program of an expression behind the others.
func (p *plan) add(prog *syntax.Prog, number int) {
	from := uint32(len(p.insts))
	start := from + uint32(prog.Start)
	p.starts = append(p.starts, start)
	if prog.StartCond()&syntax.EmptyBeginText == 0 {
		p.later = append(p.later, start)
	}
	for _, in := range prog.Inst {
		in.Out += from
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			in.Arg += from
		case syntax.InstMatch:
			in.Arg = uint32(number)
		case syntax.InstEmptyWidth:
			p.looks |= syntax.EmptyOp(in.Arg)
		}
		p.insts = append(p.insts, in)
	}
}

// here is the plan for matches that begin where the search does.
func (p *plan) here() *plan {
	here := *p
	here.later = nil
	return &here
}

// classify divides the characters into intervals in which every instruction
// treats them alike, and gives intervals that are treated alike one class.
func (p *plan) classify() bool {
	p.begins = append(p.begins, 0, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1, utf8.RuneSelf)
	for i := range p.insts {
		in := &p.insts[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
			p.divide(in)
		}
	}
	slices.Sort(p.begins)
	p.begins = slices.Compact(p.begins)
	known := map[string]uint8{}
	for k, key := range p.treatments() {
		class, ok := known[string(key)]
		if !ok {
			if len(known) == 250 {
				return false
			}
			class = uint8(len(known))
			known[string(key)] = class
			p.sample = append(p.sample, p.begins[k])
		}
		p.class = append(p.class, class)
	}
	for r := range p.ascii {
		p.ascii[r] = p.classOf(rune(r))
	}
	return true
}

func (p *plan) classOf(r rune) uint8 {
	after, _ := slices.BinarySearch(p.begins, r+1)
	return p.class[after-1]
}

// divide notes where the characters begin and end that an instruction takes.
func (p *plan) divide(in *syntax.Inst) {
	if len(in.Rune) == 1 {
		for _, r := range runesOf(in) {
			p.begins = append(p.begins, r, r+1)
		}
		return
	}
	for i := 0; i+1 < len(in.Rune); i += 2 {
		p.begins = append(p.begins, in.Rune[i], in.Rune[i+1]+1)
	}
}

// treatments say of each interval what an assertion sees in it and which
// instructions take it, a bit each.
func (p *plan) treatments() [][]byte {
	width := 1 + (len(p.insts)+7)/8
	keys := slices.Collect(slices.Chunk(make([]byte, len(p.begins)*width), width))
	for k, r := range p.begins {
		keys[k][0] = byte(p.context(r))
	}
	interval := func(r rune) int {
		k, _ := slices.BinarySearch(p.begins, r)
		return k
	}
	for i := range p.insts {
		at, bit := 1+i/8, byte(1)<<(i%8)
		take := func(from, to int) {
			for _, key := range keys[from:to] {
				key[at] |= bit
			}
		}
		switch in := &p.insts[i]; in.Op {
		case syntax.InstRuneAny:
			take(0, len(keys))
		case syntax.InstRuneAnyNotNL:
			take(0, interval('\n'))
			take(interval('\n')+1, len(keys))
		case syntax.InstRune, syntax.InstRune1:
			for k := 0; k+1 < len(in.Rune); k += 2 {
				take(interval(in.Rune[k]), interval(in.Rune[k+1]+1))
			}
			if len(in.Rune) == 1 {
				for _, r := range runesOf(in) {
					take(interval(r), interval(r)+1)
				}
			}
		}
	}
	return keys
}

// runesOf are the characters that an instruction for a single one takes.
func runesOf(in *syntax.Inst) []rune {
	r := in.Rune[0]
	all := []rune{r}
	if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			all = append(all, f)
		}
	}
	return all
}

func takes(in *syntax.Inst, r rune) bool {
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return in.MatchRune(r)
	}
	return false
}

// context is what assertions see in a character; a sample of it as a number.
func (p *plan) context(r rune) rune {
	const word = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
	switch {
	case r == noRune && p.looks != 0:
		return noRune
	case r == '\n' && p.looks&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0:
		return '\n'
	case r != noRune && syntax.IsWordChar(r) && p.looks&word != 0:
		return 'a'
	}
	return ' '
}

// noRune stands for the beginning and the end of a text.
const noRune = rune(-1)

// contexts numbers what [plan.context] tells apart.
const contexts = 4

func contextNumber(before rune) int {
	switch before {
	case noRune:
		return 0
	case '\n':
		return 1
	case 'a':
		return 2
	}
	return 3
}

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

	next   []int16 // by state and class: rows of a power of two, the entries small to stay in caches
	shift  int
	end    int // the class of the end of a text
	states []place
	known  map[string]int16
	hits   []hit
	fresh  []freshly // by context and class: what begins there
	resets int

	stack   []uint32
	visited []uint32 // by instruction: the round in which it was seen
	round   uint32
	reached []uint32
}

type place struct {
	at     []uint32 // instructions, besides those that begin anywhere
	before rune     // context of the character before
}

// hit is a way on which expressions are known to match, by their numbers.
type hit struct {
	of uint64
	to int16
}

// freshly is where a character leads from the beginning of the expressions that
// match anywhere. All states have that in common.
type freshly struct {
	seen    bool
	of      uint64
	reached []uint32
}

// What the table says besides the number of a state. From firstHit down it is the
// number of a hit.
const (
	unknown int16 = -1 - iota
	dead
	firstHit
)

// maxTable bounds the memory of a table, in entries, and maxHits the hits. A full
// one is begun anew.
const (
	maxTable = 1 << 17
	maxHits  = 1 << 14
)

func newAutomaton(p *plan) *automaton {
	a := &automaton{plan: p, end: len(p.sample), visited: make([]uint32, len(p.insts))}
	a.shift = bits.Len(uint(a.end))
	a.fresh = make([]freshly, contexts*(a.end+1))
	a.reset()
	return a
}

// reset forgets all states but the first.
func (a *automaton) reset() {
	a.next, a.states, a.hits, a.known = a.next[:0], a.states[:0], a.hits[:0], map[string]int16{}
	a.resets++
	a.state(a.starts, a.context(noRune))
}

// state returns the number of a state, which it adds if it is new.
func (a *automaton) state(at []uint32, before rune) int16 {
	if len(at) == 0 && len(a.later) == 0 {
		return dead
	}
	key := append(make([]byte, 0, 4*len(at)+1), byte(contextNumber(before)))
	for _, pc := range at {
		key = binary.AppendUvarint(key, uint64(pc))
	}
	if n, ok := a.known[string(key)]; ok {
		return n
	}
	n := int16(len(a.states))
	for range 1 << a.shift {
		a.next = append(a.next, unknown)
	}
	a.states = append(a.states, place{slices.Clone(at), before})
	a.known[string(key)] = n
	return n
}

// match says whether the text has a match anywhere.
func (a *automaton) match(s string) bool {
	found, _, _ := a.run(s, 0, 0)
	return found != 0
}

// run goes on from a place of the text in a state until nothing can be found any
// more. It says which expressions have a match that ends behind that place, a bit
// each, where the last match ends that it saw, and how far it looked. It looks
// behind a match only if there are several expressions, or an order.
func (a *automaton) run(s string, i int, state int16) (found uint64, last, at int) {
	next, ascii, shift := a.next, &a.ascii, a.shift&15
	for ; i < len(s); i++ {
		class, size := 0, 1
		if c := s[i]; c < utf8.RuneSelf {
			class = int(ascii[c])
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			class = int(a.classOf(r))
		}
		to := next[int(state)<<shift|class]
		if to < 0 {
			if to == unknown {
				to = a.step(state, class)
				next = a.next
			}
			if to <= firstHit {
				h := a.hits[firstHit-to]
				found, last, to = found|h.of, i, h.to
			}
			if to == dead {
				return found, last, i
			}
		}
		state = to
		i += size - 1
	}
	end := a.next[int(state)<<shift|a.end]
	if end == unknown {
		end = a.step(state, a.end)
	}
	if end <= firstHit {
		found, last = found|a.hits[firstHit-end].of, len(s)
	}
	return found, last, len(s)
}

// step finds out where a state leads with a class, and notes it.
func (a *automaton) step(state int16, class int) int16 {
	from := a.states[state]
	fresh := a.begin(from.before, class)
	of := a.reach(from.at, from.before, class) | fresh.of
	a.reached = append(a.reached, fresh.reached...)
	full := len(a.next)+1<<a.shift > maxTable || len(a.hits) == maxHits
	if full {
		a.reset()
	}
	to := dead
	if class != a.end && (of == 0 || a.many || a.ordered) {
		if !a.ordered {
			slices.Sort(a.reached)
		}
		a.reached = a.withoutCopies(a.reached)
		to = a.state(a.reached, a.context(a.sample[class]))
	}
	if of != 0 {
		a.hits = append(a.hits, hit{of, to})
		to = firstHit - int16(len(a.hits)-1)
	}
	if !full {
		a.next[int(state)<<a.shift|class] = to
	}
	return to
}

// begin is where a class leads from the beginning of an expression.
func (a *automaton) begin(before rune, class int) *freshly {
	f := &a.fresh[contextNumber(before)*(a.end+1)+class]
	if !f.seen {
		f.of = a.reach(a.later, before, class)
		f.seen, f.reached = true, slices.Clone(a.reached)
	}
	return f
}

// withoutCopies leaves the first of each.
func (a *automaton) withoutCopies(at []uint32) []uint32 {
	a.round++
	return slices.DeleteFunc(at, func(pc uint32) bool {
		seen := a.visited[pc] == a.round
		a.visited[pc] = a.round
		return seen
	})
}

// reach collects the instructions behind those that take a class, and says which
// expressions match before it.
func (a *automaton) reach(at []uint32, before rune, class int) (of uint64) {
	r := noRune
	if class != a.end {
		r = a.sample[class]
	}
	flags := syntax.EmptyOpContext(before, r)
	a.round++
	a.reached, a.stack = a.reached[:0], a.stack[:0]
	for _, pc := range slices.Backward(at) {
		a.stack = append(a.stack, pc)
	}
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.visited[pc] == a.round {
			continue
		}
		a.visited[pc] = a.round
		switch in := &a.insts[pc]; in.Op {
		case syntax.InstMatch:
			if of |= 1 << in.Arg; !a.many {
				return of // what is preferred less does not matter
			}
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, in.Arg, in.Out)
		case syntax.InstCapture, syntax.InstNop:
			a.stack = append(a.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^flags == 0 {
				a.stack = append(a.stack, in.Out)
			}
		default:
			if r != noRune && takes(in, r) {
				a.reached = append(a.reached, in.Out)
			}
		}
	}
	return of
}
