package audit

import (
	"regexp"
	"sync"
)

// lazily compiles an expression at its first use. Most runs of the program audit nothing,
// and compiling all of them took more than the rest of its start.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
