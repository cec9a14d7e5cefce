package scan

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// plan is an expression as automata need it, or several that one automaton looks
// for together: the programs of package regexp/syntax, and the characters in
// classes that they cannot tell apart.
type plan struct {
	insts  []inst
	starts []uint32 // where the expressions begin
	later  []uint32 // of those that match not only at the beginning of a text
	many   bool
	groups int // that it has
	looks  syntax.EmptyOp

	sets    []charset
	numbers map[string]uint16        // of the sets, by their characters
	letters [2][utf8.RuneSelf]uint16 // and of those of a letter, counted from 1, by whether its case matters

	begins    []rune // where intervals of characters begin that are of one class, ascending
	intervals []uint8
	class     [256]uint8 // by byte, for what is ASCII; another for the others
	sample    []rune     // of each class
	end       int        // the class of the end of a text, behind all others
	takes     []bool     // by set and class
}

// inst is an instruction: InstMatch with the number of the expression, InstAlt,
// InstEmptyWidth with its conditions, or InstRune with the number of a set.
type inst struct {
	op       syntax.InstOp
	out, arg uint32
}

// charset is the characters between each two runes, with both.
type charset []rune

// newPlan returns nil for expressions with more classes than a table holds.
func newPlan(exprs ...string) *plan {
	p := &plan{many: len(exprs) > 1, numbers: map[string]uint16{}, begins: make([]rune, 0, 256)}
	for i, expr := range exprs {
		parsed, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return nil
		}
		p.groups = max(p.groups, parsed.MaxCap())
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

// here is the plan for matches that begin where the search does.
func (p *plan) here() *plan {
	here := *p
	here.later = nil
	return &here
}

// add puts the program of an expression behind the others.
func (p *plan) add(prog *syntax.Prog, number int) {
	from := uint32(len(p.insts))
	at := func(pc uint32) uint32 {
		for prog.Inst[pc].Op == syntax.InstCapture || prog.Inst[pc].Op == syntax.InstNop {
			pc = prog.Inst[pc].Out
		}
		return from + pc
	}
	start := at(uint32(prog.Start))
	p.starts = append(p.starts, start)
	if prog.StartCond()&syntax.EmptyBeginText == 0 {
		p.later = append(p.later, start)
	}
	p.insts = slices.Grow(p.insts, len(prog.Inst))
	for i := range prog.Inst {
		in := &prog.Inst[i]
		to := inst{op: in.Op}
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			to = inst{syntax.InstAlt, at(in.Out), at(in.Arg)}
		case syntax.InstMatch:
			to.arg = uint32(number)
		case syntax.InstEmptyWidth:
			p.looks |= syntax.EmptyOp(in.Arg)
			to.out, to.arg = at(in.Out), in.Arg
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			to = inst{syntax.InstRune, at(in.Out), uint32(p.setOf(in))}
		}
		p.insts = append(p.insts, to)
	}
}

// setOf returns the number of the set of characters that an instruction takes.
// Most take one letter.
func (p *plan) setOf(in *syntax.Inst) uint16 {
	if len(in.Rune) == 1 && in.Rune[0] < utf8.RuneSelf {
		number := &p.letters[syntax.Flags(in.Arg)&syntax.FoldCase][in.Rune[0]]
		if *number == 0 {
			p.sets = append(p.sets, charsetOf(in))
			*number = uint16(len(p.sets))
		}
		return *number - 1
	}
	set := charsetOf(in)
	key := make([]byte, 0, 64)
	for _, r := range set {
		key = binary.LittleEndian.AppendUint32(key, uint32(r))
	}
	number, ok := p.numbers[string(key)]
	if !ok {
		number = uint16(len(p.sets))
		p.numbers[string(key)] = number
		p.sets = append(p.sets, set)
	}
	return number
}

func charsetOf(in *syntax.Inst) charset {
	switch {
	case in.Op == syntax.InstRuneAny:
		return charset{0, unicode.MaxRune}
	case in.Op == syntax.InstRuneAnyNotNL:
		return charset{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case len(in.Rune) != 1:
		return in.Rune
	}
	r := in.Rune[0]
	set := append(make(charset, 0, 6), r, r)
	if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			set = append(set, f, f)
		}
	}
	return set
}

// classify divides the characters into intervals that every set takes whole or
// not at all, and gives intervals that are treated alike one class.
func (p *plan) classify() bool {
	p.begins = append(p.begins, 0, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1, utf8.RuneSelf)
	for _, set := range p.sets {
		for i := 0; i+1 < len(set); i += 2 {
			p.begins = append(p.begins, set[i], set[i+1]+1)
		}
	}
	slices.Sort(p.begins)
	p.begins = slices.Compact(p.begins)
	treatments, width := p.treatments()
	known := make(map[string]uint8, 64)
	of := make([][]byte, 0, 64) // the treatment of each class
	p.intervals = make([]uint8, 0, len(p.begins))
	for k := range p.begins {
		key := treatments[k*width:][:width]
		class, ok := known[string(key)]
		if !ok {
			if len(known) == 250 {
				return false
			}
			class = uint8(len(known))
			known[string(key)] = class
			p.sample, of = append(p.sample, p.begins[k]), append(of, key)
		}
		p.intervals = append(p.intervals, class)
	}
	p.end = len(p.sample)
	for c := range p.class {
		p.class[c] = uint8(p.end + 1)
	}
	for k, r := range p.begins {
		for ; r < utf8.RuneSelf && (k+1 == len(p.begins) || r < p.begins[k+1]); r++ {
			p.class[r] = p.intervals[k]
		}
	}
	p.takes = make([]bool, len(p.sets)*len(p.sample))
	for class, key := range of {
		for set := range p.sets {
			p.takes[set*len(p.sample)+class] = key[1+set/8]>>(set%8)&1 != 0
		}
	}
	return true
}

// classAt is the class of the character at a place of a text, and its size.
func (p *plan) classAt(s string, i int) (class, size int) {
	if c := s[i]; c < utf8.RuneSelf {
		return int(p.class[c]), 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return int(p.classOf(r)), size
}

func (p *plan) classOf(r rune) uint8 {
	after, _ := slices.BinarySearch(p.begins, r+1)
	return p.intervals[after-1]
}

// treatments say of each interval what an assertion sees in it and which sets
// take it, a bit each: so many bytes of each interval.
func (p *plan) treatments() (keys []byte, width int) {
	width = 1 + (len(p.sets)+7)/8
	keys = make([]byte, len(p.begins)*width)
	for k, r := range p.begins {
		keys[k*width] = byte(p.context(r))
	}
	begin := func(r rune) int {
		k, _ := slices.BinarySearch(p.begins, r)
		return k
	}
	for i, set := range p.sets {
		at, bit := 1+i/8, byte(1)<<(i%8)
		for k := 0; k+1 < len(set); k += 2 {
			for interval, end := begin(set[k]), begin(set[k+1]+1); interval < end; interval++ {
				keys[interval*width+at] |= bit
			}
		}
	}
	return keys, width
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

// contexts is how many characters [plan.context] tells apart, and contextNumber
// numbers them.
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
