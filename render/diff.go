package render

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/lessons-cli/lessons/knowledge/store"
)

// Diff writes changes as a unified diff that git apply and patch take. It has
// no colours.
func Diff(changes []store.Change) string {
	var b strings.Builder
	for _, c := range changes {
		from, to := "a/"+c.Path, "b/"+c.Path
		if c.Before == nil {
			from = "/dev/null"
		}
		if c.After == nil {
			to = "/dev/null"
		}
		b.WriteString(udiff.Unified(from, to, string(c.Before), string(c.After)))
	}
	return b.String()
}

// Diff shows what the plan changes in the artifacts.
func (p Plan) Diff() string { return Diff(p.Changes) }
