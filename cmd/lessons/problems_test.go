package main

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// Where no advice follows from a mend, people read in which way it differed.
func TestHowAProblemWasMended(t *testing.T) {
	for how, want := range map[calls.How]string{
		calls.ByEdit:      "by edits",
		calls.ByArguments: "with other arguments",
		calls.ByTarget:    "with another input",
		calls.ByRun:       "after something else ran",
		calls.BySetting:   "in another folder or environment",
		calls.ByOther:     "by another command or tool",
	} {
		if got := manner(problem.Mend{How: how}); got != want {
			t.Errorf("%s: %q, not %q", how, got, want)
		}
	}
}
