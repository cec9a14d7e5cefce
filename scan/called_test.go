package scan

import (
	"slices"
	"testing"
)

// TestStopsNameTheirLessons: which lessons held a call back is read from a hook's advice to
// people, and from the comment of earlier versions.
func TestStopsNameTheirLessons(t *testing.T) {
	const comment = `<!-- lessons:{"v":1,"injected":["A","B"],"dropped":["C"]} -->`
	for text, want := range map[string][]string{
		"[lessons] Do this instead: ls\nStopped once.\nWhy: lessons show B; lessons show A\n" + comment:         {"A", "B"},
		"[lessons] Do this instead: ls\nStopped once.\nWhy: lessons show B; lessons show A":                     {"A", "B"},
		"[lessons] Missing: make has not run.\nA person can let it pass: lessons allow G":                       {"G"},
		"Command blocked by PreToolUse hook: [lessons] Run make.\nA person can let it pass: lessons allow G\nx": {"G"},
		"Command blocked by PreToolUse hook: [lessons] Run ls.\nWhy: lessons show A. Command: ls -q":            {"A"}, // Codex
		"The user doesn't want to proceed: run lessons show A":                                                  nil,
	} {
		if got := fired(text); !slices.Equal(got, want) {
			t.Errorf("%q, want %q of %q", got, want, text)
		}
	}
}
