package automata

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reader turns expressions into the instructions of a plan. It takes a fraction of
// the time of package regexp/syntax, which scans of few sessions would notice, and
// knows what the expressions of detectors are made of. With others it fails, and
// package regexp must be asked.
type reader struct {
	*plan
	mode
	expr   string
	ends   []uint16 // by where a character, an escape, a class or a group begins: where it ends
	parts  []span   // of the choices that are being read
	copies int      // that repetitions made
	bounds bool     // of groups are wanted
	failed bool

	numbers map[string]uint16        // of the sets of characters, by how they are written
	letters [2][utf8.RuneSelf]uint16 // and of letters, counted from 1, by whether their case matters
}

// span is a part of the expression.
type span struct{ from, to int }

// mode is what flags as in (?i) say.
type mode struct{ fold, lines, dots bool }

// Bounds of what is read: repetitions within repetitions make many copies.
const (
	maxExpression = 1 << 15
	maxCopies     = 1 << 12
)

// read puts the instructions of an expression behind the others.
func (r *reader) read(expr string, number int) bool {
	from, groups := r.pc(), r.groups
	r.expr, r.groups, r.mode, r.starts = expr, 0, mode{}, append(r.starts, from)
	if !r.measure() {
		return false
	}
	rest := span{0, len(expr)}
	for rest.from < rest.to && r.isFlags(rest.from) {
		end := int(r.ends[rest.from])
		r.group(span{rest.from, end})
		rest.from = end
	}
	if r.choice(rest); r.failed {
		return false
	}
	r.emit(syntax.InstMatch, uint32(number))
	for i := from; i < r.pc(); i++ {
		in := &r.insts[i]
		if in.out = r.behindJumps(in.out); in.op == syntax.InstAlt {
			in.arg = r.behindJumps(in.arg)
		}
	}
	if !r.onlyAtBegin(from, 0) {
		r.later = append(r.later, from)
	}
	r.groups = max(groups, r.groups)
	return true
}

// measure finds out where everything ends that the expression consists of.
func (r *reader) measure() bool {
	s := r.expr
	if len(s) > maxExpression {
		return false
	}
	r.ends = make([]uint16, len(s))
	var open []int
	for i := 0; i < len(s); {
		size := 1
		switch c := s[i]; {
		case c == '(':
			open = append(open, i)
		case c == ')':
			if len(open) == 0 {
				return false
			}
			r.ends[open[len(open)-1]] = uint16(i + 1)
			open = open[:len(open)-1]
		case c == '[':
			size = classLength(s[i:])
		case c == '\\':
			size = escapeLength(s[i:])
		case c >= utf8.RuneSelf:
			_, size = utf8.DecodeRuneInString(s[i:])
		}
		if s[i] != '(' {
			r.ends[i] = uint16(i + size)
		}
		if i += size; i > len(s) {
			return false
		}
	}
	return len(open) == 0
}

// classLength is how long a class in brackets is.
func classLength(s string) int {
	i := 1
	if strings.HasPrefix(s[i:], "^") {
		i++
	}
	for first := i; i < len(s) && (s[i] != ']' || i == first); i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// escapeLength is how long an escape is.
func escapeLength(s string) int {
	switch {
	case strings.HasPrefix(s, `\x{`):
		return 1 + max(1, strings.IndexByte(s, '}'))
	case strings.HasPrefix(s, `\x`):
		return 4
	}
	return 2
}

func (r *reader) pc() uint32 { return uint32(len(r.insts)) }

// emit adds an instruction that goes on with the one behind it.
func (r *reader) emit(op syntax.InstOp, arg uint32) uint32 {
	at := r.pc()
	r.insts = append(r.insts, inst{op, at + 1, arg})
	return at
}

func (r *reader) behindJumps(pc uint32) uint32 {
	for int(pc) < len(r.insts) && r.insts[pc].op == syntax.InstNop {
		pc = r.insts[pc].out
	}
	return pc
}

// onlyAtBegin says whether all that begins with an instruction matches at the beginning
// of a text only, as far as that is seen soon.
func (r *reader) onlyAtBegin(pc uint32, depth int) bool {
	if depth > 100 {
		return false
	}
	switch in := &r.insts[pc]; in.op {
	case syntax.InstAlt:
		return r.onlyAtBegin(in.out, depth+1) && r.onlyAtBegin(in.arg, depth+1)
	case syntax.InstEmptyWidth:
		return syntax.EmptyOp(in.arg) == syntax.EmptyBeginText || r.onlyAtBegin(in.out, depth+1)
	}
	return false
}

// choice reads what bars part.
func (r *reader) choice(all span) {
	base := len(r.parts)
	from := all.from
	for i := from; i < all.to; i = int(r.ends[i]) {
		if r.expr[i] == '|' {
			r.parts = append(r.parts, span{from, i})
			from = i + 1
		}
	}
	r.parts = append(r.parts, span{from, all.to})
	r.oneOf(base, len(r.parts))
	r.parts = r.parts[:base]
}

// oneOf reads the parts of a choice. What neighbours begin with they share.
func (r *reader) oneOf(from, to int) {
	const none = ^uint32(0)
	jump := none // the last of those to the end, each holding the one before
	for i := from; i < to; {
		shared := r.unit(r.parts[i])
		next := i + 1
		for shared != "" && next < to && r.unit(r.parts[next]) == shared {
			next++
		}
		var way uint32
		if next < to {
			way = r.emit(syntax.InstAlt, 0)
		}
		if part := r.parts[i]; next == i+1 {
			r.sequence(part)
		} else {
			r.sequence(span{part.from, part.from + len(shared)})
			base := len(r.parts)
			for _, part := range r.parts[i:next] {
				r.parts = append(r.parts, span{part.from + len(shared), part.to})
			}
			r.oneOf(base, len(r.parts))
			r.parts = r.parts[:base]
		}
		if i = next; i < to {
			at := r.emit(syntax.InstNop, 0)
			r.insts[at].out, jump = jump, at
			r.insts[way].arg = r.pc()
		}
	}
	for jump != none {
		before := r.insts[jump].out
		r.insts[jump].out, jump = r.pc(), before
	}
}

// unit is the character or the escape that a part begins with, empty when it begins
// with something else, or when that may be repeated.
func (r *reader) unit(part span) string {
	if part.from == part.to || strings.IndexByte(`[(.^$*+?{`, r.expr[part.from]) >= 0 {
		return ""
	}
	end := int(r.ends[part.from])
	if end < part.to && strings.IndexByte("*+?{", r.expr[end]) >= 0 {
		return ""
	}
	return r.expr[part.from:end]
}

// sequence reads what stands one behind the other.
func (r *reader) sequence(all span) {
	for i := all.from; i < all.to && !r.failed; {
		atom := span{i, int(r.ends[i])}
		again, size := r.repetition(r.expr[atom.to:all.to])
		if i = atom.to + size; size == 0 {
			r.atom(atom)
		} else {
			r.repeat(atom, again)
		}
	}
}

// repetition says how often something may come. Most is below 0 for any number.
type repetition struct {
	least, most int
	lazy        bool
}

// repetition reads how often comes what stands before it, and how long that is
// written.
func (r *reader) repetition(s string) (again repetition, size int) {
	if s == "" {
		return again, 0
	}
	switch s[0] {
	case '*':
		again.most, size = -1, 1
	case '+':
		again.least, again.most, size = 1, -1, 1
	case '?':
		again.most, size = 1, 1
	case '{':
		size = 1 + strings.IndexByte(s, '}')
		least, most, ranged := strings.Cut(s[1:max(1, size-1)], ",")
		again.least, again.most = r.number(least), -1
		switch {
		case !ranged:
			again.most = again.least
		case most != "":
			again.most = r.number(most)
		}
		r.failed = r.failed || again.most == 0 || again.most > 0 && again.most < again.least
	default:
		return again, 0
	}
	if size < len(s) && s[size] == '?' {
		again.lazy = true
		size++
	}
	r.failed = r.failed || size < len(s) && strings.IndexByte("*+?{", s[size]) >= 0
	return again, size
}

func (r *reader) number(s string) int {
	n, err := strconv.ParseUint(s, 10, 16)
	r.failed = r.failed || err != nil || n > 1000
	return int(n)
}

// repeat reads something as often as it comes.
func (r *reader) repeat(atom span, again repetition) {
	r.failed = r.failed || r.isFlags(atom.from)
	groups := r.groups
	one := func() {
		if r.copies++; r.copies > maxCopies {
			r.failed = true
		}
		if !r.failed {
			r.groups = groups
			r.atom(atom)
		}
	}
	for range again.least - 1 {
		one()
	}
	var forks []uint32
	switch {
	case again.most < 0 && again.least == 0: // (x+)?: what can match nothing is tried in the right order
		forks = append(forks, r.emit(syntax.InstAlt, 0))
		r.loop(one, again.lazy)
	case again.most < 0:
		r.loop(one, again.lazy)
	default:
		if again.least > 0 {
			one()
		}
		for range again.most - again.least {
			forks = append(forks, r.emit(syntax.InstAlt, 0))
			one()
		}
	}
	for _, at := range forks {
		r.fork(at, at+1, r.pc(), again.lazy)
	}
}

// loop reads something that comes once or more often.
func (r *reader) loop(one func(), lazy bool) {
	from := r.pc()
	one()
	at := r.emit(syntax.InstAlt, 0)
	r.fork(at, from, r.pc(), lazy)
}

// fork lets an instruction go on with one more, or behind all, and with the latter
// first if it is lazy.
func (r *reader) fork(at, more, behind uint32, lazy bool) {
	if lazy {
		more, behind = behind, more
	}
	r.insts[at].out, r.insts[at].arg = more, behind
}

// atom reads a character, an escape, a class or a group.
func (r *reader) atom(atom span) {
	switch s := r.expr[atom.from:atom.to]; s[0] {
	case '(':
		r.group(atom)
	case '^':
		r.assert(syntax.EmptyBeginText, syntax.EmptyBeginLine)
	case '$':
		r.assert(syntax.EmptyEndText, syntax.EmptyEndLine)
	case '*', '+', '?', '{':
		r.failed = true
	case '\\':
		r.escape(s)
	case '[', '.':
		r.take(s)
	default:
		r.character(s)
	}
}

// escape reads what a backslash begins.
func (r *reader) escape(s string) {
	switch s[1] {
	case 'b':
		r.look(syntax.EmptyWordBoundary)
	case 'B':
		r.look(syntax.EmptyNoWordBoundary)
	case 'A':
		r.look(syntax.EmptyBeginText)
	case 'z':
		r.look(syntax.EmptyEndText)
	default:
		r.take(s)
	}
}

// assert looks at the bounds of the text or of a line.
func (r *reader) assert(text, line syntax.EmptyOp) {
	if r.lines {
		text = line
	}
	r.look(text)
}

func (r *reader) look(op syntax.EmptyOp) {
	r.looks |= op
	r.emit(syntax.InstEmptyWidth, uint32(op))
}

// isFlags says whether there stand flags, for all that follows.
func (r *reader) isFlags(at int) bool {
	return strings.HasPrefix(r.expr[at:], "(?") && strings.IndexByte(r.expr[at:r.ends[at]], ':') < 0
}

// group reads what stands in parentheses, and flags.
func (r *reader) group(all span) {
	before, inner := r.mode, span{all.from + 1, all.to - 1}
	if inner.from == inner.to || r.expr[inner.from] != '?' {
		r.groups++
		number := uint32(2 * r.groups)
		if r.bounds {
			r.emit(syntax.InstCapture, number)
		}
		if r.choice(inner); r.bounds {
			r.emit(syntax.InstCapture, number+1)
		}
		r.mode = before
		return
	}
	set := true
	for i := inner.from + 1; i < inner.to; i++ {
		switch r.expr[i] {
		case 'i':
			r.fold = set
		case 'm':
			r.lines = set
		case 's':
			r.dots = set
		case '-':
			r.failed = r.failed || !set
			set = false
		case ':':
			r.choice(span{i + 1, inner.to})
			r.mode = before
			return
		default:
			r.failed = true
		}
	}
	// Elsewhere than at the beginning, parts of a choice may share what must be read
	// in different ways.
	r.failed = r.failed || r.mode != before && r.pc() != r.starts[len(r.starts)-1]
}

// character takes one character.
func (r *reader) character(s string) {
	if len(s) > 1 || s[0] >= utf8.RuneSelf {
		r.take(s)
		return
	}
	fold := 0
	if r.fold {
		fold = 1
	}
	number := &r.letters[fold][s[0]]
	if *number == 0 {
		r.sets = append(r.sets, letterSets()[fold][s[0]])
		*number = uint16(len(r.sets))
	}
	r.emit(syntax.InstRune, uint32(*number-1))
}

// take takes a character of a set, as it is written.
func (r *reader) take(s string) {
	key := s
	switch {
	case s == "." && r.dots:
		key = "(?s)" + s
	case s != "." && r.fold:
		key = "(?i)" + s
	}
	number, ok := r.numbers[key]
	if !ok {
		set, known := charsetOf(s, r.fold, r.dots)
		r.failed = r.failed || !known
		number = uint16(len(r.sets))
		r.numbers[key], r.sets = number, append(r.sets, set)
	}
	r.emit(syntax.InstRune, uint32(number))
}
