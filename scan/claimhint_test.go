package scan

import (
	"testing"
)

// No sentence claims anything without words that hint at it: no way through an
// automaton of both leads to a claim before it leads to a hint.
func TestEveryClaimHoldsAHint(t *testing.T) {
	p := claimPatterns()
	for one, expr := range p.told.exprs {
		if !(admitting | undoing | causing | reasoning | needing | slipping | announcing).has(one) {
			continue
		}
		if text, found := wayTo(newAutomaton(newPlan(expr, p.hint.expr)), 1, 2); found {
			t.Errorf("claims something and holds no hint: %q", text)
		}
	}
}

// wayTo looks for a text that matches an expression of an automaton and none of
// those to be avoided.
func wayTo(a *automaton, match, avoid uint64) (text string, found bool) {
	ways := map[uint16]string{firstState: ""}
	a.limit = int(lastHit) * a.columns
	for waiting := []uint16{firstState}; len(waiting) > 0; waiting = waiting[1:] {
		for class := range a.end + 1 {
			text := ways[waiting[0]]
			if class < a.end {
				text += string(a.sample[class])
			}
			to, of := a.step(waiting[0], class), uint64(0)
			if firstHit >= to && to >= lastHit {
				of, to = a.hits[firstHit-to].of, a.hits[firstHit-to].to
			}
			if a.hits = a.hits[:0]; a.resets > 1 {
				return "too many states", true
			}
			if of&avoid != 0 {
				continue
			}
			if of&match != 0 {
				return text, true
			}
			if _, known := ways[to]; to != dead && !known {
				ways[to] = text
				waiting = append(waiting, to)
			}
		}
	}
	return "", false
}
