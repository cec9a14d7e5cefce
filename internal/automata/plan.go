package automata

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// plan is what automata need of one expression, or of several that one automaton
// looks for together: their instructions, and the characters in classes that no
// instruction tells apart.
type plan struct {
	class  [256]uint8 // of each ASCII character; one that no state knows for other bytes
	end    int        // the class of the end of a text, behind those of characters
	many   bool       // there are several expressions
	insts  []inst
	starts []uint32 // where the expressions begin
	later  []uint32 // where those begin that match not only at the beginning of a text
	looks  syntax.EmptyOp
	must   literals

	sets   [][]rune // of characters: first and last of each interval, ascending
	begins []rune   // where intervals of characters begin that are of one class, ascending
	of     []uint8  // the class of each interval
	sample []rune   // a character of each class
	holds  [][]byte // by class: in a bit each, the sets that hold it
}

// inst is an instruction of package regexp/syntax, with out and arg counted in
// plan.insts. The arg of InstMatch is the number of the expression, that of InstRune
// the number of its set.
type inst struct {
	op       syntax.InstOp
	out, arg uint32
}

// maxClasses bounds the classes, which are numbered by bytes.
const maxClasses = 250

// newPlan returns nil for expressions with too many classes of characters. One that
// cannot be parsed is an error.
func newPlan(exprs ...string) (*plan, error) {
	p := &plan{many: len(exprs) > 1}
	numbers := map[string]uint32{} // of the sets, by their runes
	for i, expr := range exprs {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return nil, err
		}
		re = re.Simplify()
		prog, err := syntax.Compile(re)
		if err != nil {
			return nil, err
		}
		p.add(prog, uint32(i), numbers)
		if l := literalsOf(re); i == 0 || l != nil && p.must != nil {
			p.must = append(p.must, l...)
		} else {
			p.must = nil
		}
	}
	p.must = p.must.useful()
	if !p.classify() {
		return nil, nil
	}
	return p, nil
}

// add puts the instructions of an expression behind the others.
func (p *plan) add(prog *syntax.Prog, number uint32, numbers map[string]uint32) {
	base := uint32(len(p.insts))
	p.insts = slices.Grow(p.insts, len(prog.Inst))
	start := base + uint32(prog.Start)
	p.starts = append(p.starts, start)
	if prog.StartCond()&syntax.EmptyBeginText == 0 {
		p.later = append(p.later, start)
	}
	for i := range prog.Inst {
		in := &prog.Inst[i]
		to := inst{op: in.Op, out: base + in.Out}
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			to.op, to.arg = syntax.InstAlt, base+in.Arg
		case syntax.InstCapture:
			to.op = syntax.InstNop
		case syntax.InstEmptyWidth:
			to.arg = in.Arg
			p.looks |= syntax.EmptyOp(in.Arg)
		case syntax.InstMatch:
			to.arg = number
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			set := setOf(in)
			n, ok := numbers[string(set)]
			if !ok {
				n = uint32(len(p.sets))
				numbers[string(set)], p.sets = n, append(p.sets, set)
			}
			to.op, to.arg = syntax.InstRune, n
		}
		p.insts = append(p.insts, to)
	}
}

// setOf are the characters that an instruction takes.
func setOf(in *syntax.Inst) []rune {
	switch {
	case in.Op == syntax.InstRuneAny:
		return []rune{0, unicode.MaxRune}
	case in.Op == syntax.InstRuneAnyNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case len(in.Rune) > 1:
		return in.Rune
	}
	all := []rune{in.Rune[0]}
	if in.Op == syntax.InstRune && syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
		for r := unicode.SimpleFold(all[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
			all = append(all, r)
		}
	}
	slices.Sort(all)
	set := make([]rune, 0, 2*len(all))
	for _, r := range all {
		set = append(set, r, r)
	}
	return set
}

// classify divides the characters into intervals that every set takes whole or
// not at all, and gives intervals that are treated alike one class.
func (p *plan) classify() bool {
	p.begins = append(p.begins, 0, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1, utf8.RuneSelf)
	for _, set := range p.sets {
		for i := 0; i < len(set); i += 2 {
			p.begins = append(p.begins, set[i], set[i+1]+1)
		}
	}
	slices.Sort(p.begins)
	p.begins = slices.Compact(p.begins)
	classes := map[string]uint8{}
	for i, treatment := range p.treatments() {
		class, ok := classes[string(treatment)]
		if !ok {
			if len(classes) == maxClasses {
				return false
			}
			class = uint8(len(classes))
			classes[string(treatment)] = class
			p.sample, p.holds = append(p.sample, p.begins[i]), append(p.holds, treatment[1:])
		}
		p.of = append(p.of, class)
	}
	p.end = len(p.sample)
	for c := range p.class {
		if p.class[c] = uint8(p.end + 1); c < utf8.RuneSelf {
			p.class[c] = p.classOf(rune(c))
		}
	}
	return true
}

// treatments say of each interval of characters what an assertion sees in it and,
// in a bit each, which sets hold it.
func (p *plan) treatments() [][]byte {
	all := make([][]byte, len(p.begins))
	for i, r := range p.begins {
		all[i] = make([]byte, 1+(len(p.sets)+7)/8)
		all[i][0] = byte(p.context(r))
	}
	for n, set := range p.sets {
		for i := 0; i < len(set); i += 2 {
			from, _ := slices.BinarySearch(p.begins, set[i])
			for k := from; k < len(all) && p.begins[k] <= set[i+1]; k++ {
				all[k][1+n/8] |= 1 << (n % 8)
			}
		}
	}
	return all
}

// takes says whether a set holds a class.
func (p *plan) takes(class int, set uint32) bool { return p.holds[class][set/8]>>(set%8)&1 != 0 }

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
	return p.of[after-1]
}

// noRune stands for the beginning and the end of a text.
const noRune = rune(-1)

// context reduces a character to what assertions see in it.
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
