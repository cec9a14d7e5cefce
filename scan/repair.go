package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

// repair is what turns a failing command into the one that worked.
type repair struct {
	right   *shell.Command
	removed []string // tokens of the failing command alone: flags, variables, operands
	added   []string // tokens of right alone
	program bool     // another program took its place
}

func (r repair) edits() int { return max(len(r.removed), len(r.added)) }

// faulty returns the command of a line that its error is about: of a rule that was broken
// the linter, whatever ran beside it; else the one that the error names as its author, or
// that holds a token that the error names, else the main one. What begins with a place in a
// file was found by a compiler or a test, whatever ran behind it.
func faulty(script *shell.Line, f *fault) *shell.Command {
	if f.rule != "" {
		if c := linterOf(script); c != nil {
			return c
		}
	}
	for _, c := range script.Commands {
		if f.program != "" && c.Program == f.program {
			return c
		}
	}
	for _, c := range script.Commands {
		for _, t := range f.named {
			if c.Program == t || slices.Contains(c.FlagNames(), t) || slices.Contains(c.Operands, t) || slices.Contains(c.Sub, t) {
				return c
			}
		}
	}
	if rulePatterns.place.MatchString(f.salient) {
		for _, c := range slices.Backward(script.Commands) {
			if worksOnSources(c) {
				return c
			}
		}
	}
	if n := len(script.Commands); f.salient == "" && n > 0 && filters[script.Commands[n-1].Program] {
		return script.Commands[n-1] // whose status it is
	}
	return mainCommand(script)
}

// linterOf is the first linter of a line, or a formatter where there is none; nil: neither.
func linterOf(script *shell.Line) *shell.Command {
	var found *shell.Command
	for _, c := range script.Commands {
		switch {
		case purposeOf(c) != lints:
		case !formatters().MatchString(c.Name() + " " + strings.Join(c.Operands, " ")):
			return c
		case found == nil:
			found = c
		}
	}
	return found
}

var formatters = automata.Lazily(`(?i)\b(?:fmt|format|prettier|gofmt|gofumpt|black|isort)\b`)

// counterpart returns the command of a line that does what wrong was meant to
// do: the same program with the longest common sub-command.
func counterpart(wrong *shell.Command, script *shell.Line) *shell.Command {
	var best *shell.Command
	depth := -1
	for _, c := range script.Commands {
		if !sameProgram(wrong, c) {
			continue
		}
		if n := commonPrefix(wrong.Sub, c.Sub); n >= depth {
			best, depth = c, n
		}
	}
	if best != nil && len(task(wrong)) > 0 && len(task(best)) > 0 && depth == 0 {
		return nil
	}
	return best
}

// sameProgram treats versions and runners of one program as it.
func sameProgram(a, b *shell.Command) bool {
	return a.Program == b.Program || isPython(a.Program) && isPython(b.Program) || trimVersion(a.Program) == trimVersion(b.Program)
}

func trimVersion(p string) string {
	n := len(p)
	for n > 0 && (p[n-1] == '.' || '0' <= p[n-1] && p[n-1] <= '9') {
		n--
	}
	if n == 0 {
		return p
	}
	return p[:n]
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// compare aligns two commands of one program.
func compare(wrong, right *shell.Command) repair {
	r := repair{right: right, program: wrong.Path != right.Path || launcherOf(wrong) != launcherOf(right)}
	diff := func(a, b []string) {
		r.removed = append(r.removed, less(a, b)...)
		r.added = append(r.added, less(b, a)...)
	}
	n := commonPrefix(wrong.Sub, right.Sub)
	diff(wrong.Sub[n:], right.Sub[n:])
	for _, passed := range []bool{false, true} {
		diff(flagsOf(wrong, passed), flagsOf(right, passed))
	}
	diff(valuesOf(wrong, right.FlagNames()), valuesOf(right, wrong.FlagNames()))
	diff(wrong.Env, right.Env)
	r.removed = append(r.removed, notValues(less(wrong.Operands, right.Operands), wrong, right)...)
	r.added = append(r.added, notValues(less(right.Operands, wrong.Operands), right, wrong)...)
	return r
}

// notValues are those of some operands of a command that are no values of flags which the other
// one does not have: such a flag and its value are one difference.
func notValues(operands []string, c, other *shell.Command) []string {
	for _, f := range c.Flags {
		if !slices.Contains(other.FlagNames(), f.Name) {
			operands = without(operands, f.Next)
		}
	}
	return operands
}

// flagsOf are the names of the flags of a command, or of those that it passes on.
func flagsOf(c *shell.Command, passed bool) []string {
	flags := lists.Filter(c.Flags, func(f shell.Flag) bool { return f.Passed == passed })
	return lists.Map(flags, func(f shell.Flag) string { return f.Name })
}

// valuesOf returns the flags with values whose flag is also among the others'.
func valuesOf(c *shell.Command, flags []string) []string {
	var kept []string
	for _, f := range c.Flags {
		if f.Value != "" && slices.Contains(flags, f.Name) {
			kept = append(kept, f.String())
		}
	}
	return kept
}

// launcherOf names the programs that run a command.
func launcherOf(c *shell.Command) string { return strings.Join(c.Wrappers, " ") }

// less returns the elements of a that b lacks, as multisets.
func less(a, b []string) []string {
	count := map[string]int{}
	for _, x := range b {
		count[x]++
	}
	var rest []string
	for _, x := range a {
		if count[x]--; count[x] < 0 {
			rest = append(rest, x)
		}
	}
	return rest
}
