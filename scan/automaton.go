package scan

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// plan is an expression as automata need it: the program of package
// regexp/syntax, and the characters in classes that it cannot tell apart.
type plan struct {
	prog     *syntax.Prog
	anchored bool // matches at the beginning only
	looks    syntax.EmptyOp
	begins   []rune // where each class begins, ascending; a class may occur twice
	class    []uint8
	ascii    [utf8.RuneSelf]uint8
	sample   []rune // of each class
}

// newPlan returns nil for an expression with more classes than a table holds.
func newPlan(expr string) *plan {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	p := &plan{prog: prog, anchored: prog.StartCond()&syntax.EmptyBeginText != 0}
	for i := range prog.Inst {
		if in := &prog.Inst[i]; in.Op == syntax.InstEmptyWidth {
			p.looks |= syntax.EmptyOp(in.Arg)
		}
	}
	if !p.classify() {
		return nil
	}
	return p
}

// classify divides the characters into intervals in which every instruction
// treats them alike, and gives intervals that are treated alike one class.
func (p *plan) classify() bool {
	p.begins = append(p.begins, 0, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1, utf8.RuneSelf)
	for i := range p.prog.Inst {
		in := &p.prog.Inst[i]
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
	width := 1 + (len(p.prog.Inst)+7)/8
	keys := slices.Collect(slices.Chunk(make([]byte, len(p.begins)*width), width))
	for k, r := range p.begins {
		keys[k][0] = byte(p.context(r))
	}
	interval := func(r rune) int {
		k, _ := slices.BinarySearch(p.begins, r)
		return k
	}
	for i := range p.prog.Inst {
		at, bit := 1+i/8, byte(1)<<(i%8)
		take := func(from, to int) {
			for _, key := range keys[from:to] {
				key[at] |= bit
			}
		}
		switch in := &p.prog.Inst[i]; in.Op {
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

// automaton looks for a match by a table of states that grows as texts need it
// (the lazy construction of deterministic automata, as in RE2). A state is the
// set of instructions that the text so far leads to. Assertions are looked at
// one character later, when both of their sides are known. It is not safe for use by
// several goroutines.
type automaton struct {
	*plan
	next   []int32 // by state and class; the last class is the end of the text
	width  int
	states []place
	known  map[string]int32
	resets int

	stack   []uint32
	visited []uint32 // by instruction: the round in which it was seen
	round   uint32
	reached []uint32
}

type place struct {
	at     []uint32 // instructions, sorted
	before rune     // context of the character before
}

// What the table says besides the row of a state.
const (
	unknown int32 = -1 - iota
	matched
	dead
)

// maxTable bounds the memory of a table, in entries. A full one is begun anew.
const maxTable = 1 << 16

func newAutomaton(p *plan) *automaton {
	a := &automaton{plan: p, width: len(p.sample) + 1, visited: make([]uint32, len(p.prog.Inst))}
	a.reset()
	return a
}

// reset forgets all states but the first.
func (a *automaton) reset() {
	a.next, a.states, a.known = a.next[:0], a.states[:0], map[string]int32{}
	a.resets++
	a.row([]uint32{uint32(a.prog.Start)}, a.context(noRune))
}

// row returns the row of a state, which it adds if it is new.
func (a *automaton) row(at []uint32, before rune) int32 {
	if len(at) == 0 {
		return dead
	}
	key := binary.AppendVarint(make([]byte, 0, 2*len(at)+1), int64(before))
	for _, pc := range at {
		key = binary.AppendUvarint(key, uint64(pc))
	}
	if row, ok := a.known[string(key)]; ok {
		return row
	}
	row := int32(len(a.next))
	for range a.width {
		a.next = append(a.next, unknown)
	}
	a.states = append(a.states, place{slices.Clone(at), before})
	a.known[string(key)] = row
	return row
}

// match says whether the text has a match anywhere.
func (a *automaton) match(s string) bool {
	found, _ := a.run(s, 0, 0)
	return found
}

// run goes on from a place of the text in a state, and says whether a match
// ends behind it, and where that was known.
func (a *automaton) run(s string, i int, row int32) (bool, int) {
	next, ascii := a.next, &a.ascii
	for ; i < len(s); i++ {
		var class uint8
		if c := s[i]; c < utf8.RuneSelf {
			class = ascii[c]
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			class = a.classOf(r)
			i += size - 1
		}
		to := next[int(row)+int(class)]
		if to < 0 {
			if to == unknown {
				to = a.step(row, int(class))
				next = a.next
			}
			if to < 0 {
				return to == matched, i
			}
		}
		row = to
	}
	end := a.next[int(row)+a.width-1]
	if end == unknown {
		end = a.step(row, a.width-1)
	}
	return end == matched, len(s)
}

// step finds out where a state leads with a class, and notes it.
func (a *automaton) step(row int32, class int) int32 {
	from := a.states[int(row)/a.width]
	r := noRune
	if class < len(a.sample) {
		r = a.sample[class]
	}
	if a.reach(from, r) {
		a.next[int(row)+class] = matched
		return matched
	}
	if r == noRune {
		a.next[int(row)+class] = dead
		return dead
	}
	if !a.anchored {
		a.reached = append(a.reached, uint32(a.prog.Start))
	}
	slices.Sort(a.reached)
	a.reached = slices.Compact(a.reached)
	full := len(a.next)+a.width > maxTable
	if full {
		a.reset()
	}
	to := a.row(a.reached, a.context(r))
	if !full {
		a.next[int(row)+class] = to
	}
	return to
}

// reach collects the instructions behind those that take r, and says whether
// the expression matches before it.
func (a *automaton) reach(from place, r rune) bool {
	flags := syntax.EmptyOpContext(from.before, r)
	a.round++
	a.reached = a.reached[:0]
	a.stack = append(a.stack[:0], from.at...)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.visited[pc] == a.round {
			continue
		}
		a.visited[pc] = a.round
		switch in := &a.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			a.stack = append(a.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^flags == 0 {
				a.stack = append(a.stack, in.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if r != noRune && in.MatchRune(r) {
				a.reached = append(a.reached, in.Out)
			}
		}
	}
	return false
}
