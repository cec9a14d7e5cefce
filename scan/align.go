package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// editKind is what kind of word differs between two commands.
type editKind int

const (
	programEdit editKind = iota
	wrapperEdit          // what runs the program: sudo, npx, python -m
	subEdit              // sub-command
	flagEdit
	valueEdit // of a flag that both have
	operandEdit
	envEdit
	endEdit   // "--" came in
	emptyEdit // an empty word came in behind a flag
	quoteEdit // the same words, one of them quoted now
	orderEdit // the same words, an assignment stands elsewhere
	placeEdit // the same words, a flag stands before a word that it stood behind
	joinEdit  // the same words, several of them are one in quotes now
)

// change is one edit: words of the command that failed, and those of the
// one that worked. Either may be empty.
type change struct {
	kind           editKind
	old, new       string
	flag           string // whose value it is, which the empty word follows, or before the words
	oldVal, newVal string // values of flags that only one command has
	passed         bool   // the flag that left, or else the one that came in, is given to the target
	glued          bool   // it stands behind the flag's "="
	moved          bool   // the program's flag is given to the target now
}

// lacksUnit says whether a bare number was mended by a unit behind it: 30 by 30s. Then
// the form of the value was wrong, and so is every other bare number.
func (e change) lacksUnit() bool {
	unit, same := strings.CutPrefix(e.new, e.old)
	return e.kind == valueEdit && same && inject.IsNumber(e.old) && unitPattern.MatchString(unit)
}

// general is the edit for every number where the number was not what was wrong.
func (e change) general() change {
	if e.lacksUnit() {
		e.old, e.new = "<number>", "<number>"+strings.TrimPrefix(e.new, e.old)
	}
	return e
}

// letterOf is the edit of the one letter that the message turns down, where flags of one
// letter were written together: -oP.
func (e change) letterOf(message errorText) change {
	letters := strings.TrimPrefix(e.old, "-")
	if e.kind != flagEdit || len(letters) < 2 || letters[0] == '-' {
		return e
	}
	for _, m := range errorTexts.letter.FindAllStringSubmatch(message.text, 4) {
		if rest := strings.Replace(letters, m[1], "", 1); rest != letters {
			if e.old = "-" + m[1]; e.new == "-"+rest {
				e.new = ""
			}
			return e
		}
	}
	return e
}

// wordOf is the edit of a word that the message turns down without a word of the long flag
// before it, which may take no value: --stat main...HEAD.
func (e change) wordOf(message errorText) change {
	if flag := strings.TrimLeft(e.flag, "-"); e.kind == valueEdit && !e.glued && len(flag) > 1 && message.names(e.old) && !strings.Contains(strings.ToLower(message.text), strings.TrimSuffix(strings.ToLower(flag), "s")) {
		return change{kind: operandEdit, old: e.old, new: e.new}
	}
	return e
}

// general is also the edit for every path where a path was one word too many, unless the
// command that worked has one too.
func (s *shaper) general(e change) change {
	if e.kind != operandEdit || e.new != "" || !inject.IsPath(e.old) || !tooMany().MatchString(s.message.text) {
		return e.general()
	}
	isPath := func(f shell.Flag) bool { return inject.IsPath(f.Value) || inject.IsPath(f.Next) }
	if !slices.ContainsFunc(s.g.Operands, inject.IsPath) && !slices.ContainsFunc(s.g.Flags, isPath) {
		e.old = "<path>"
	}
	return e
}

var tooMany = automata.Lazily(`(?i)\baccepts (?:at most |between \d+ and )?\d+ arg|\btoo many arguments|\bextra operand|\bunexpected (?:extra )?(?:argument|operand)`)

// zeros are the conditions under which flags that want a unit need none: nothing has
// no unit.
func zeros(flags []string) []string {
	var conditions []string
	for _, f := range flags {
		if name, ok := strings.CutSuffix(f, "=<number>"); ok {
			conditions = append(conditions, name+"=0")
		}
	}
	return conditions
}

var unitPattern = automata.New(`^(?:[a-zA-Z]{1,3}|%)$`)

// transparent are wrappers that do not matter for what a command does.
var transparent = lists.Words(`timeout gtimeout time gtime env nice ionice nohup setsid command exec builtin stdbuf unbuffer xargs watch caffeinate bash sh zsh
	dash eval find fd parallel arch`)

// runners are the wrappers of a command that matter.
func runners(c *shell.Command) []string {
	return slices.DeleteFunc(slices.Clone(c.Wrappers), func(w string) bool { return transparent[w] })
}

// align compares a command that failed with its counterpart: flags as a
// multiset by name, values by flag, the other words in order.
func align(f, g *shell.Command) []change {
	a := &aligner{f: f, g: g, left: slices.Clone(f.Operands), right: slices.Clone(g.Operands)}
	if f.Program != g.Program || f.Path != g.Path {
		a.add(change{kind: programEdit, old: f.Path, new: g.Path})
	}
	a.pair(wrapperEdit, runners(f), runners(g))
	if n := commonPrefix(f.Sub, g.Sub); n < max(len(f.Sub), len(g.Sub)) {
		a.add(change{kind: subEdit, old: strings.Join(f.Sub[n:], " "), new: strings.Join(g.Sub[n:], " ")})
	}
	if a.joined() {
		return a.edits
	}
	a.flags()
	a.operands()
	a.env()
	a.signs()
	return a.edits
}

type aligner struct {
	f, g        *shell.Command
	left, right []string // operands that are not accounted for yet
	edits       []change
}

func (a *aligner) add(e change) { a.edits = append(a.edits, e) }

func (a *aligner) flags() {
	added := slices.Clone(a.g.Flags)
	var removed []shell.Flag
	for _, x := range a.f.Flags {
		i := slices.IndexFunc(added, func(y shell.Flag) bool { return y.Name == x.Name && y.Passed == x.Passed })
		if i < 0 {
			removed = append(removed, x)
			continue
		}
		a.values(x, added[i])
		added = slices.Delete(added, i, i+1)
	}
	for _, x := range removed {
		e := change{kind: flagEdit, old: x.Name, passed: x.Passed}
		if i := slices.Index(a.right, x.Name); i >= 0 {
			a.right = slices.Delete(a.right, i, i+1)
			e.moved = true
			a.add(e)
			continue
		}
		if i := slices.IndexFunc(added, func(y shell.Flag) bool { return y.Name == x.Name }); i >= 0 && !x.Passed {
			e.moved = true
			a.add(e)
			a.values(x, added[i])
			added = slices.Delete(added, i, i+1)
			continue
		}
		e.oldVal = own(a.f, x, &a.left, a.g.Operands)
		if i := partner(x, added, len(removed)); i >= 0 {
			e.new, e.newVal = added[i].Name, own(a.g, added[i], &a.right, a.f.Operands)
			added = slices.Delete(added, i, i+1)
		}
		a.add(e)
	}
	for _, y := range added {
		a.add(change{kind: flagEdit, new: y.Name, passed: y.Passed, newVal: own(a.g, y, &a.right, a.f.Operands)})
	}
}

// partner finds the flag that took a removed one's place: of the same letters,
// else the only one.
func partner(x shell.Flag, added []shell.Flag, removed int) int {
	bare := strings.TrimLeft(x.Name, "-")
	if i := slices.IndexFunc(added, func(y shell.Flag) bool { return strings.TrimLeft(y.Name, "-") == bare }); i >= 0 {
		return i
	}
	if len(added) == 1 && removed == 1 {
		return 0
	}
	return slices.IndexFunc(added, func(y shell.Flag) bool { return prose.Distance(x.Name, y.Name) <= 2 })
}

// values compares what a flag of both commands is given.
func (a *aligner) values(x, y shell.Flag) {
	switch {
	case x.HasValue && y.HasValue && x.Value != y.Value:
		a.add(change{kind: valueEdit, flag: x.Name, passed: x.Passed, old: x.Value, new: y.Value, glued: true})
	case !x.HasValue && !y.HasValue && x.Next != "" && y.Next != "" && x.Next != y.Next &&
		!slices.Contains(a.g.Operands, x.Next) && !slices.Contains(a.f.Operands, y.Next):
		a.add(change{kind: valueEdit, flag: x.Name, passed: x.Passed, old: x.Next, new: y.Next})
		a.left, a.right = without(a.left, x.Next), without(a.right, y.Next)
	}
}

// own returns the value of a flag of c that the other command lacks, and takes it
// out of the operands. What the other command has too is no value.
func own(c *shell.Command, x shell.Flag, operands *[]string, others []string) string {
	switch {
	case x.HasValue:
		return x.Value
	case !slices.Contains(c.Operands, x.Next) && !slices.Contains(c.Sub, x.Next):
		return x.Next // the program's flag is known to take one
	}
	if x.Next == "" || slices.Contains(others, x.Next) || !slices.Contains(*operands, x.Next) {
		return ""
	}
	*operands = without(*operands, x.Next)
	return x.Next
}

func without(list []string, word string) []string {
	if i := slices.Index(list, word); i >= 0 {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return list
}

// operands pairs what is left of the two lists in order.
func (a *aligner) operands() { a.pair(operandEdit, a.left, a.right) }

// pair pairs the words that only one of two lists has, in order.
func (a *aligner) pair(kind editKind, left, right []string) {
	removed, added := less(left, right), less(right, left)
	for i := range max(len(removed), len(added)) {
		e := change{kind: kind}
		if i < len(removed) {
			e.old = removed[i]
		}
		if i < len(added) {
			e.new = added[i]
		}
		a.add(e)
	}
}

func (a *aligner) env() {
	removed, added := less(a.f.Env, a.g.Env), less(a.g.Env, a.f.Env)
	for _, old := range removed {
		e := change{kind: envEdit, old: old}
		name, _, _ := strings.Cut(old, "=")
		if i := slices.IndexFunc(added, func(s string) bool { return strings.HasPrefix(s, name+"=") }); i >= 0 {
			e.new = added[i]
			added = slices.Delete(added, i, i+1)
		}
		a.add(e)
	}
	for _, e := range added {
		a.add(change{kind: envEdit, new: e})
	}
}

var signs = struct{ end, empty, assigned *automata.Pattern }{
	end: automata.New(`\s--(?:\s|$)`), empty: automata.New(`(\S+)\s+(?:''|"")(?:\s|$)`), assigned: automata.New(`(?:^|\s)[A-Za-z_]\w*=\S*\s+(\w+)\b`),
}

// signs finds what the words do not show: "--", empty words, quotes, order.
func (a *aligner) signs() {
	f, g := a.f.Source, a.g.Source
	if strings.Contains(g, "--") && !slices.ContainsFunc(a.g.Flags, func(f shell.Flag) bool { return f.Passed }) && signs.end.MatchString(g) && !signs.end.MatchString(f) {
		a.add(change{kind: endEdit})
	}
	if m := signs.empty.FindStringSubmatch(g); m != nil && !signs.empty.MatchString(f) {
		a.add(change{kind: emptyEdit, flag: m[1]})
	}
	if len(a.edits) > 0 || f == g {
		return
	}
	for _, sign := range [...]string{"*", "?", "[", "("} {
		if bare(f, sign) && !bare(g, sign) && strings.Contains(g, sign) {
			a.add(change{kind: quoteEdit, old: sign})
			return
		}
	}
	if m := signs.assigned.FindStringSubmatch(f); m != nil && !slices.ContainsFunc(signs.assigned.FindAllStringSubmatch(g, -1), func(n []string) bool { return n[1] == m[1] }) {
		a.add(change{kind: orderEdit, old: m[1]})
		return
	}
	a.placed()
}

// joined finds words of the first command that are one word of the second: the quotes were
// missing. Everything else has to be the same.
func (a *aligner) joined() bool {
	for _, y := range a.g.Flags {
		words := strings.Fields(y.Next)
		i := slices.IndexFunc(a.f.Flags, func(x shell.Flag) bool {
			return x.Name == y.Name && !x.HasValue && len(words) > 1 && x.Next == words[0]
		})
		if i < 0 || len(a.edits) > 0 || !slices.Equal(strings.Fields(a.f.Source), strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(a.g.Source))) {
			continue
		}
		a.add(change{kind: joinEdit, flag: y.Name, old: a.f.Flags[i].Next, new: y.Next})
		return true
	}
	return false
}

// placed finds a flag that stood behind a sub-command or an operand before which it stands now.
func (a *aligner) placed() {
	f, g := strings.Fields(a.f.Source), strings.Fields(a.g.Source)
	for _, flag := range a.f.Flags {
		for _, w := range slices.Backward(append(slices.Clone(a.f.Sub), a.f.Operands...)) {
			if i, j := slices.Index(f, w), slices.Index(g, w); i >= 0 && i < flagAt(f, flag.Name) && j > flagAt(g, flag.Name) && w != flag.Next {
				a.add(change{kind: placeEdit, old: flag.Name, new: w})
				return
			}
		}
	}
}

// flagAt is where a flag stands among the words of a command, with its value or not; -1: nowhere.
func flagAt(words []string, flag string) int {
	return slices.IndexFunc(words, func(w string) bool { return w == flag || strings.HasPrefix(w, flag+"=") })
}

// bare says whether a sign stands in a line outside of quotes.
func bare(line, sign string) bool {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == sign[0]:
			return true
		}
	}
	return false
}
