package scan

import (
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// What stands in a room of one file is gone in the next.
func TestRoomForgetsItsFile(t *testing.T) {
	for _, events := range []int{1, firstSteps, firstSteps + 1, 2 * windowSize} {
		r := new(room)
		w := r.window()
		var all []*Step
		for n := range events {
			w.Push(&transcript.Event{Kind: transcript.User, Line: n + 1, Text: "no"})
			all = append(all, w.Last())
			for i, s := range w.steps {
				if want := n + 2 - len(w.steps) + i; s.Line != want || s.Text != "no" {
					t.Fatalf("step %d of %d is of line %d, not of %d", i, len(w.steps), s.Line, want)
				}
			}
			if gone := n - windowSize; gone >= 0 && (all[gone].Text != "" || all[gone].seq != gone) {
				t.Fatalf("the text of event %d stays", gone)
			}
		}
		r.leave(w)
		for i := range r.steps {
			if s := &r.steps[i]; s.Text != "" || s.seq != 0 || s.Line != 0 {
				t.Fatalf("%d events: step %d stays: %+v", events, i, s)
			}
		}
		for i, s := range r.order {
			if s != nil {
				t.Fatalf("%d events: step %d is still known", events, i)
			}
		}
	}
}
