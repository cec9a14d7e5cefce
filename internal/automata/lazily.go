package automata

import (
	"regexp"
	"sync"
)

// Lazily compiles an expression at its first use. Most runs of the program ask for few, and
// compiling all of them took more than the rest of its start.
func Lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
