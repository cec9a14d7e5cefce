package scan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// What was looked at for one pair of calls answers for the next pair as if nothing
// had been asked before, and only until another event comes.
func TestEditBetweenAnyCalls(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	tools := []string{"Edit", "Bash", "Bash", "Read", "Bash"}
	edited := 0
	for range 300 {
		w := NewWindow()
		var calls []*Step
		for i := range 60 {
			e := transcript.Event{Line: i + 1, Agent: []string{"", "", "a"}[random.IntN(3)], Kind: transcript.Assistant, Text: "on"}
			switch n := random.IntN(5); {
			case n < 2:
				e.Kind, e.ToolUse, e.Tool, e.Command = transcript.ToolCall, fmt.Sprint(i), tools[random.IntN(len(tools))], "ls"
			case n < 4 && len(calls) > 0:
				call := calls[random.IntN(len(calls))]
				e.Kind, e.ToolUse, e.Agent = transcript.ToolResult, call.ToolUse, call.Agent
				e.Outcome = []transcript.Outcome{transcript.OK, transcript.Fail}[random.IntN(2)]
			}
			w.Push(&e)
			if e.Kind == transcript.ToolCall {
				calls = append(calls, w.Last())
			}
			for range min(len(calls), 4) {
				from, to := calls[random.IntN(len(calls))], calls[max(0, len(calls)-1-random.IntN(3))]
				want := false
				for s := range w.callsBefore(to) {
					want = want || s.seq > from.seq && changesFiles(s)
				}
				if got := w.editBetween(from, to); got != want {
					t.Fatalf("between %d and %d: %v", from.seq, to.seq, got)
				}
				if want {
					edited++
				}
			}
		}
	}
	if edited < 1000 {
		t.Errorf("only %d pairs have an edit between them", edited)
	}
}
