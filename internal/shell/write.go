package shell

import (
	"slices"
	"strings"
)

// Write returns the words of a command behind its program, so that they are read
// as these parts again. Operands stand before flags, so that none looks like a
// flag's value.
func Write(program string, sub, operands, flags, passed []string) []string {
	n := targets(program, sub)
	switch r := programOf(program).runs; {
	case n > 0 && r.rest:
		return slices.Concat(sub[:len(sub)-n], flags, sub[len(sub)-n:], operands, passed)
	case len(passed) > 0:
		return slices.Concat(sub, operands, flags, []string{"--"}, passed)
	}
	return slices.Concat(sub, operands, flags)
}

// targets returns how many of the last words behind a program name its target.
func targets(program string, sub []string) int {
	r := programOf(program).runs
	switch {
	case r == nil || len(sub) == 0:
		return 0
	case r.behind == "" || r.file && strings.ContainsAny(sub[0], "./"):
		return len(sub)
	case takesNext(r.behind, sub[0]):
		return len(sub) - 1
	}
	return 0
}
