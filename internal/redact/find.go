package redact

import (
	"github.com/lessons-cli/lessons/internal/lists"
)

// Secrets returns the byte offsets at which secrets begin in a text, ascending: those of a
// known form, wherever they stand. A password in an example has none.
func Secrets(s string) []int {
	t := newScanner(s)
	t.walk(knownForms(), false)
	t.scanDecoded(knownForms(), false)
	secrets := lists.Filter(t.spans, func(p span) bool { return p.with == mark })
	return lists.SortedUnique(lists.Map(secrets, func(p span) int { return p.from }))
}
