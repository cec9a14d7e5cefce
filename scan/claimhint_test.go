package scan

import (
	"testing"

	"github.com/lessons-cli/lessons/internal/automata"
)

// No sentence claims anything without words that hint at it: no way through an
// automaton of both leads to a claim before it leads to a hint.
func TestEveryClaimHoldsAHint(t *testing.T) {
	p := claimPatterns()
	for one, expr := range p.told.Exprs() {
		if !(admitting | undoing | causing | reasoning | needing | slipping | announcing).Has(one) {
			continue
		}
		if text, ok := automata.Implies(expr, p.hint.String()); !ok {
			t.Errorf("claims something and holds no hint: %q", text)
		}
	}
}
