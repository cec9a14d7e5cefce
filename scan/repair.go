package scan

import (
	"slices"
	"strings"
)

// repair is what turns a failing command into the one that worked.
type repair struct {
	wrong, right *shellCommand
	removed      []string // tokens of wrong alone: flags, variables, operands
	added        []string // tokens of right alone
	program      bool     // another program took its place
}

func (r repair) edits() int { return max(len(r.removed), len(r.added)) }

// faulty returns the command of a line that its error is about: the one that
// the error names as its author, else the one that holds a token that the error
// names, else the main one.
func faulty(script *shellScript, f *fault) *shellCommand {
	if script == nil {
		return nil
	}
	for _, c := range script.commands {
		if f.program != "" && c.program == f.program {
			return c
		}
	}
	for _, c := range script.commands {
		for _, t := range f.named {
			if c.program == t || slices.Contains(c.flags, t) || slices.Contains(c.operands, t) || slices.Contains(c.sub, t) {
				return c
			}
		}
	}
	return script.main()
}

// counterpart returns the command of a line that does what wrong was meant to
// do: the same program with the longest common sub-command.
func counterpart(wrong *shellCommand, script *shellScript) *shellCommand {
	if script == nil {
		return nil
	}
	var best *shellCommand
	depth := -1
	for _, c := range script.commands {
		if !sameProgram(wrong, c) {
			continue
		}
		if n := commonPrefix(wrong.sub, c.sub); n >= depth {
			best, depth = c, n
		}
	}
	if best != nil && len(wrong.sub) > 0 && len(best.sub) > 0 && depth == 0 {
		return nil
	}
	return best
}

// sameProgram treats versions and runners of one program as it.
func sameProgram(a, b *shellCommand) bool {
	return a.program == b.program || isPython(a.program) && isPython(b.program) || trimVersion(a.program) == trimVersion(b.program)
}

func trimVersion(p string) string {
	if t := strings.TrimRight(p, "0123456789."); t != "" {
		return t
	}
	return p
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// compare aligns two commands of one program.
func compare(wrong, right *shellCommand) repair {
	r := repair{wrong: wrong, right: right, program: wrong.path != right.path || launcherOf(wrong) != launcherOf(right)}
	diff := func(a, b []string) {
		r.removed = append(r.removed, less(a, b)...)
		r.added = append(r.added, less(b, a)...)
	}
	n := commonPrefix(wrong.sub, right.sub)
	diff(wrong.sub[n:], right.sub[n:])
	diff(wrong.flags, right.flags)
	diff(valuesOf(wrong, right.flags), valuesOf(right, wrong.flags))
	diff(wrong.env, right.env)
	diff(wrong.operands, right.operands)
	return r
}

// valuesOf returns the flags with values whose flag is also among the others'.
func valuesOf(c *shellCommand, flags []string) []string {
	var kept []string
	for _, v := range c.values {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(flags, name) {
			kept = append(kept, v)
		}
	}
	return kept
}

// launcherOf names the programs that run a command.
func launcherOf(c *shellCommand) string { return strings.Join(c.Wrappers, " ") }

// less returns the elements of a that b lacks, as multisets.
func less(a, b []string) []string {
	if len(a) > 16 || len(b) > 16 {
		return lessOfMany(a, b)
	}
	var rest []string
	for i, x := range a {
		if count(a[:i+1], x) > count(b, x) {
			rest = append(rest, x)
		}
	}
	return rest
}

func count(list []string, x string) int {
	n := 0
	for _, y := range list {
		if x == y {
			n++
		}
	}
	return n
}

func lessOfMany(a, b []string) []string {
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
