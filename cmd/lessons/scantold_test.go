package main

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan"
)

// A scan ends in five lines at a terminal, however much it found, and in one elsewhere.
func TestScanEndsInFiveLines(t *testing.T) {
	r := scan.Result{Files: 3, Unchanged: 2, Foreign: 1, Learned: []string{"obs_a", "obs_b"}, Log: &observe.Log{}}
	for range maxFindings + 2 {
		r.Candidates = append(r.Candidates, scan.Candidate{Kind: "error-fix", Mistake: "a mistake"})
	}
	r.Candidates[0].Kind = "decision"
	r.Log.Put(&observe.Observation{ID: "obs_a", Type: "decision", Status: observe.Ready})
	r.Log.Put(&observe.Observation{ID: "obs_b", Type: "decision", Status: observe.Observing})
	tell := func(attended bool, c scanCommand) string {
		var out strings.Builder
		sys := &system{stdout: plain.NewPrinter(&out), terminal: attended}
		if attended {
			sys.stdout = plain.NewTerminal(&out, 80, false)
		}
		c.tell(&invocation{sys: sys}, r)
		return out.String()
	}
	want := "" +
		"read     3 sessions, 2 without news, 1 of other repositories left alone\n" +
		"found    11 error-fix, 1 decision\n" +
		"stored   in 2 observations\n" +
		"waits    1 ready to be written, 1 for more evidence\n" +
		"next     lessons render\n"
	at := tell(true, scanCommand{})
	if _, end, _ := strings.Cut(at, "\n\n"); end != want || strings.Count(at, "a mistake") != maxFindings || !strings.Contains(at, "and 2 more: lessons list --observations\n") {
		t.Errorf("at a terminal:\n%s", at)
	}
	if got, want := tell(false, scanCommand{}), "3 sessions read, 12 findings in 2 observations; next: lessons render\n"; got != want {
		t.Errorf("in a pipe: %q, want %q", got, want)
	}
	if got := tell(false, scanCommand{DryRun: true}); strings.Count(got, "a mistake") != 12 || !strings.HasSuffix(got, "12 findings not stored (dry run); next: lessons scan\n") {
		t.Errorf("of a dry run: %q", got)
	}
}
