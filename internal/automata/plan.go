package automata

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// plan is an expression as automata need it, or several that one automaton looks
// for together: their instructions, and the characters in classes that these cannot
// tell apart.
type plan struct {
	// What every run needs stands together, to be found in the caches.
	class    [256]uint8 // by byte, for what is ASCII; another for the others
	end      int        // the class of the end of a text, behind all others
	many     bool
	anchored bool      // matches begin at the beginning of a text only
	opens    [256]bool // by byte, once it was noted: whether matches may begin with it

	insts  []inst
	starts []uint32 // where the expressions begin
	later  []uint32 // of those that match not only at the beginning of a text
	groups int      // that it has
	looks  syntax.EmptyOp

	sets []charset

	begins    []rune // where intervals of characters begin that are of one class, ascending
	intervals []uint8
	sample    []rune // of each class
	takes     []byte // by class and set, so many bytes of each class, as in [plan.treatments]
	width     int
}

// inst is an instruction: InstMatch with the number of the expression, InstAlt,
// InstEmptyWidth with its conditions, InstRune with the number of a set, InstCapture
// with the number of a bound if these are wanted, or InstNop, to which none leads in
// the end.
type inst struct {
	op       syntax.InstOp
	out, arg uint32
}

// newPlan returns nil for expressions that it cannot read, and for those with more
// classes than a table holds.
func newPlan(exprs ...string) *plan { return planOf(false, exprs...) }

// planOf is newPlan, with instructions that note where groups begin and end if they
// are wanted.
func planOf(bounds bool, exprs ...string) *plan {
	length := 0
	for _, expr := range exprs {
		length += len(expr)
	}
	p := &plan{many: len(exprs) > 1, insts: make([]inst, 0, length), begins: make([]rune, 0, 256)}
	r := reader{plan: p, bounds: bounds, numbers: map[string]uint16{}}
	for i, expr := range exprs {
		if !r.read(expr, i) {
			return nil
		}
	}
	if !p.classify() {
		return nil
	}
	if p.anchored = len(p.later) == 0; p.anchored {
		p.note()
	}
	return p
}

// here is the plan for matches that begin where the search does.
func (p *plan) here() *plan {
	here := *p
	here.later = nil
	return &here
}

// mayMatch says whether a text begins as matches do, if they are anchored.
func (p *plan) mayMatch(s string) bool { return !p.anchored || s == "" || p.opens[s[0]] }

// note finds out with which bytes matches may begin, and says whether they may be
// empty.
func (p *plan) note() (nothing bool) {
	seen := make([]bool, len(p.insts))
	takers := make([]byte, p.width-1) // a bit of each set, as in taken
	ways := slices.Clone(p.starts)
	for len(ways) > 0 {
		pc := ways[len(ways)-1]
		ways = ways[:len(ways)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &p.insts[pc]; in.op {
		case syntax.InstMatch:
			nothing = true
		case syntax.InstAlt:
			ways = append(ways, in.out, in.arg)
		case syntax.InstEmptyWidth:
			ways = append(ways, in.out)
		case syntax.InstRune:
			takers[in.arg/8] |= 1 << (in.arg % 8)
		}
	}
	for c := range p.opens {
		p.opens[c] = nothing || c >= utf8.RuneSelf
		for i := 0; i < len(takers) && !p.opens[c]; i++ {
			p.opens[c] = takers[i]&p.taken(int(p.class[c]))[i] != 0
		}
	}
	return nothing
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
	treatments := p.treatments()
	known := make(map[string]uint8, 64)
	p.intervals = make([]uint8, 0, len(p.begins))
	for k := range p.begins {
		key := treatments[k*p.width:][:p.width]
		class, ok := known[string(key)]
		if !ok {
			if len(known) == 250 {
				return false
			}
			class = uint8(len(known))
			known[string(key)] = class
			p.sample, p.takes = append(p.sample, p.begins[k]), append(p.takes, key...)
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
	return true
}

// taken are the sets that take a class, a bit each, as [plan.treatments] says.
func (p *plan) taken(class int) []byte { return p.takes[class*p.width+1:][:p.width-1] }

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
func (p *plan) treatments() []byte {
	p.width = 1 + (len(p.sets)+7)/8
	keys := make([]byte, len(p.begins)*p.width)
	for k, r := range p.begins {
		keys[k*p.width] = byte(p.context(r))
	}
	begin := func(r rune) int {
		k, _ := slices.BinarySearch(p.begins, r)
		return k
	}
	for i, set := range p.sets {
		at, bit := 1+i/8, byte(1)<<(i%8)
		for k := 0; k+1 < len(set); k += 2 {
			for interval, end := begin(set[k]), begin(set[k+1]+1); interval < end; interval++ {
				keys[interval*p.width+at] |= bit
			}
		}
	}
	return keys
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
