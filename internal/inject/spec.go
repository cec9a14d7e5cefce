package inject

import (
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Feeder returns the place of the command whose output goes into the one at a place, -1
// where nothing's does.
func Feeder(commands []*shell.Command, at int) int {
	for at--; at >= 0; at-- {
		switch c := commands[at]; {
		case c.In(shell.Piped) && !c.Wrapper:
			return at
		case !c.Wrapper:
			return -1
		}
	}
	return -1
}

// holds says whether a spec matches a command of the call, where it stands and with what
// is piped into it.
func (p *prepared) holds(s *Spec, c *shell.Command) bool {
	if !s.matches(c) || s.Dir != "" && !Glob(s.Dir, p.relative(".", c.Dir)) {
		return false
	}
	if s.From == nil {
		return true
	}
	i := Feeder(p.Line.All, slices.Index(p.Line.All, c))
	return i >= 0 && p.holds(s.From, p.Line.All[i])
}

// matches says whether a command is what a spec names: program and target, all
// of its flags in any order, operands, wrappers and environment. A flag is the
// program's or its target's, as in the spec. A spec without program asks for
// the others only; one whose program is written with a slash asks for that path.
func (s *Spec) matches(c *shell.Command) bool {
	if s.Program != "" && s.Program != c.Program && s.Program != c.Path {
		return false
	}
	sub := c.Sub
	if len(s.Sub) > 0 && s.Sub[0] != "run" {
		sub = withoutRun(c)
	}
	if len(s.Sub) > len(sub) {
		return false
	}
	for i, want := range s.Sub {
		if !sameTarget(want, sub[i], c.Dir) {
			return false
		}
	}
	for _, f := range s.Flags {
		if !hasFlag(c, f, false) && (s.Program != "" || !hasFlag(c, f, true)) {
			return false
		}
	}
	for _, f := range s.Passed {
		if !hasFlag(c, f, true) {
			return false
		}
	}
	for _, o := range s.Operands {
		if !hasOperand(c, o) && (!strings.Contains(o, "=") || !slices.Contains(c.Env, o)) {
			return false
		}
	}
	return subset(s.Wrappers, c.Wrappers) && subset(s.Env, c.Env)
}

// withoutRun is what a command asks for, without the "run" that leads to a package's script:
// yarn run lint is yarn lint. Bun tests and builds by itself.
func withoutRun(c *shell.Command) []string {
	if len(c.Sub) < 2 || c.Sub[0] != "run" {
		return c.Sub
	}
	own := c.Program == "bun" && (c.Sub[1] == "test" || c.Sub[1] == "build")
	if own || !shell.RunsPackageScripts(c.Program) {
		return c.Sub
	}
	return c.Sub[1:]
}

// sameTarget says whether a target is the one that a spec names: the same word, the
// same file as seen from another folder, or one for which a glob stands.
func sameTarget(want, have, dir string) bool {
	return standsFor(want, have) || dir != "" && path.Join(dir, want) == have || isGlob(want) && globOperand(want, have) ||
		strings.Contains(want, "/") && strings.HasSuffix(have, "/"+strings.TrimPrefix(want, "./"))
}

func subset(want, have []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(have, w) })
}

// hasOperand also finds a word that stands as the value of a flag. A word with
// "*" is a glob: without a slash it is for the base name.
func hasOperand(c *shell.Command, want string) bool {
	isIt := func(have string) bool { return standsFor(want, have) }
	if slices.ContainsFunc(c.Operands, isIt) || slices.Contains(c.Sub, want) {
		return true
	}
	for _, f := range c.Flags {
		if f.HasValue && isIt(f.Value) || f.Next != "" && isIt(f.Next) {
			return true
		}
	}
	return isGlob(want) && slices.ContainsFunc(c.Operands, func(o string) bool { return globOperand(want, o) })
}

// isGlob says whether a word of a trigger stands for others: it has a star and
// more than stars.
func isGlob(want string) bool {
	return strings.Contains(want, "*") && strings.Trim(want, "*") != ""
}

func globOperand(pattern, operand string) bool {
	operand = strings.TrimPrefix(operand, "./")
	if !strings.Contains(pattern, "/") {
		operand = operand[strings.LastIndexByte(operand, '/')+1:]
	}
	return Glob(pattern, operand)
}

// hasFlag says whether the program has a flag, or its target where that is passed
// on: under the name of the spec, or in its short or long form.
func hasFlag(c *shell.Command, want string, passed bool) bool {
	name, value, hasValue := strings.Cut(want, "=")
	if hasFlagNamed(c, name, value, hasValue, passed) {
		return true
	}
	twin := c.Twin(name)
	return twin != "" && !passed && hasFlagNamed(c, twin, value, hasValue, passed)
}

func hasFlagNamed(c *shell.Command, name, value string, hasValue, passed bool) bool {
	long := !passed && shell.HasLongFlags(c.Program)
	for _, f := range c.Flags {
		if f.Passed != passed || !sameFlag(name, f.Name) && (!long || strings.TrimLeft(f.Name, "-") != strings.TrimLeft(name, "-")) {
			continue
		}
		if !hasValue || f.HasValue && isValue(value, f.Value) || !f.HasValue && isValue(value, f.Next) {
			return true
		}
	}
	return !hasValue && !long && hasLetters(c, name, passed)
}

// sameFlag says whether a flag has the name that a spec gives, in which a star stands for
// any letters.
func sameFlag(want, have string) bool { return want == have || isGlob(want) && Glob(want, have) }

// isValue says whether a flag has the value that a spec gives: the same, or one for which
// it stands.
func isValue(want, have string) bool {
	return standsFor(want, have) || isGlob(want) && globOperand(want, have)
}

// hasLetters says whether each letter of "-rf" is given: alone, in a bundle, or as its
// long form.
func hasLetters(c *shell.Command, want string, passed bool) bool {
	if !isBundle(want) {
		return false
	}
	for i := 1; i < len(want); i++ {
		letter := want[i : i+1]
		long := c.Twin("-" + letter)
		found := slices.ContainsFunc(c.Flags, func(f shell.Flag) bool {
			return f.Passed == passed && (isBundle(f.Name) && strings.Contains(f.Name[1:], letter) || f.Name == long)
		})
		if !found {
			return false
		}
	}
	return true
}

// isBundle says whether a flag is one dash and one to five letters.
func isBundle(f string) bool {
	if len(f) < 2 || len(f) > 6 || f[0] != '-' {
		return false
	}
	return !strings.ContainsFunc(f[1:], func(r rune) bool { return (r|0x20) < 'a' || (r|0x20) > 'z' })
}
