package inject

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
)

// oneDash are programs whose long flags have one dash, so that "-timeout" is
// no bundle of letters.
var oneDash = map[string]bool{
	"go": true, "find": true, "java": true, "javac": true, "terraform": true, "tofu": true, "gcc": true, "g++": true, "clang": true,
	"ffmpeg": true, "convert": true, "magick": true, "xcodebuild": true, "openssl": true, "staticcheck": true, "gofmt": true,
}

// matches says whether a command is what a spec names: program and
// sub-command, all of its flags in any order, operands, wrappers and
// environment. A spec without program asks for the others only; one whose
// program is written with a slash asks for that path.
func (s *Spec) matches(c *shell.Command) bool {
	if s.Program != "" && s.Program != c.Program && s.Program != c.Path {
		return false
	}
	if len(s.Sub) > len(c.Sub) || !slices.Equal(s.Sub, c.Sub[:len(s.Sub)]) {
		return false
	}
	for _, f := range s.Flags {
		if !hasFlag(c, f) {
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

func subset(want, have []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(have, w) })
}

// hasOperand also finds a word that stands as the value of a flag. A word with
// "*" is a glob: without a slash it is for the base name.
func hasOperand(c *shell.Command, want string) bool {
	if slices.Contains(c.Operands, want) || slices.Contains(c.Sub, want) {
		return true
	}
	for _, f := range c.Flags {
		if f.HasValue && f.Value == want || f.Next == want {
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

func hasFlag(c *shell.Command, want string) bool {
	name, value, hasValue := strings.Cut(want, "=")
	for _, f := range c.Flags {
		if sameFlag(c.Program, f.Name, name) {
			if !hasValue || f.HasValue && f.Value == value || !f.HasValue && f.Next == value {
				return true
			}
			continue
		}
		if isShort(name) && strings.HasPrefix(f.Name, name) && !oneDash[c.Program] { // -j4
			if rest := f.Name[2:]; hasValue && rest == value || !hasValue && isDigits(rest) {
				return true
			}
		}
	}
	return !hasValue && !oneDash[c.Program] && hasLetters(c, name)
}

func sameFlag(program, have, want string) bool {
	if have == want {
		return true
	}
	return oneDash[program] && strings.TrimLeft(have, "-") == strings.TrimLeft(want, "-")
}

// hasLetters says whether each letter of "-rf" is given, alone or in a bundle.
func hasLetters(c *shell.Command, want string) bool {
	if !isBundle(want) {
		return false
	}
	for i := 1; i < len(want); i++ {
		found := false
		for _, f := range c.Flags {
			found = found || isBundle(f.Name) && strings.IndexByte(f.Name[1:], want[i]) >= 0
		}
		if !found {
			return false
		}
	}
	return true
}

func isShort(f string) bool { return len(f) == 2 && f[0] == '-' && f[1] != '-' }

// isBundle says whether a flag is one dash and one to five letters.
func isBundle(f string) bool {
	if len(f) < 2 || len(f) > 6 || f[0] != '-' {
		return false
	}
	return !strings.ContainsFunc(f[1:], func(r rune) bool { return (r|0x20) < 'a' || (r|0x20) > 'z' })
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
