package tally

import (
	"errors"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// A guard is held against history with its gates: what it would have stopped rightly, and
// what worked.
func TestHoldBack(t *testing.T) {
	ran := func(input string, o calls.Outcome) calls.Call {
		return calls.Call{ID: input, Tool: "Bash", Input: input, Outcome: o}
	}
	log := []calls.Session{
		{Name: "untested", Calls: []calls.Call{ran("make deploy", calls.Failed), ran("go test ./...", calls.Failed), ran("make deploy", calls.OK)}},
		{Name: "tested", Calls: []calls.Call{ran("go test ./...", calls.OK), ran("make deploy", calls.OK)}},
		{Name: "edited", Calls: []calls.Call{
			ran("go test ./...", calls.OK), {ID: "e", Tool: "Edit", Input: "a.go", Outcome: calls.OK}, ran("make deploy", calls.Interrupted), ran("make build", calls.OK),
		}},
		{Name: "stopped", Calls: []calls.Call{ran("make deploy", calls.Stopped), ran("make deploy", calls.Refused)}},
	}
	deploy := lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"make deploy"}}
	for _, c := range []struct {
		require               string
		right, wrong, unclear int
	}{
		{"  passed: go test", 3, 1, 1},
		{"  ran: go test", 3, 0, 0},
		{"  never: true", 3, 2, 1},
	} {
		l := &lesson.Lesson{ID: "g", Triggers: deploy, Unknown: []lesson.UnknownKey{{Name: "require", YAML: "require:\n" + c.require}}}
		h, err := HoldBack(l, log)
		if err != nil || len(h.Right) != c.right || len(h.Wrong) != c.wrong || len(h.Unclear) != c.unclear || h.Unsure != 0 {
			t.Errorf("%s: %d right, %d wrong, %d unclear, %v", c.require, len(h.Right), len(h.Wrong), len(h.Unclear), err)
		}
	}
	files := &lesson.Lesson{ID: "g", Triggers: deploy, Unknown: []lesson.UnknownKey{{Name: "require", YAML: "require:\n  artifact: out/**"}}}
	if h, err := HoldBack(files, log); err != nil || h.Unsure != 6 {
		t.Errorf("files: %+v, %v", h, err)
	}
	content := &lesson.Lesson{ID: "g", Triggers: lesson.Trigger{Tools: []string{"Edit"}, Content: []string{"sleep"}}}
	if _, err := HoldBack(content, log); !errors.Is(err, ErrUntold) {
		t.Errorf("content: %v", err)
	}
}
