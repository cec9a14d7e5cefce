package scan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// A failure that a success could mend is never overlooked, in however many
// threads a session runs.
func TestFailedBeforeMissesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		w := NewWindow()
		agents := []string{"", "a", "b"}[:1+random.IntN(3)]
		rare := 2 + random.IntN(60)
		var open []transcript.Event // calls without result
		for i := range 600 {
			e := transcript.Event{Line: i + 1, Agent: agents[random.IntN(len(agents))], Kind: transcript.Assistant, Text: "on"}
			switch n := random.IntN(12); {
			case n == 0 && random.IntN(9) == 0:
				e.Kind = transcript.Compaction
			case n < 2:
				e.Kind = transcript.User
			case n < 5:
				e.Kind, e.ToolUse, e.Tool, e.Command = transcript.ToolCall, fmt.Sprint(i), "Bash", "go test"
				open = append(open, e)
			case n < 11 && len(open) > 0:
				k := random.IntN(len(open))
				e.Kind, e.ToolUse, e.Tool, e.Agent = transcript.ToolResult, open[k].ToolUse, "Bash", open[k].Agent
				open = append(open[:k], open[k+1:]...)
				e.Outcome = transcript.OK
				if random.IntN(rare) == 0 {
					e.Outcome, e.Text = transcript.Fail, "Error: unknown flag: --x"
				}
			}
			w.Push(&e)
			if now := w.Last(); now.Kind == transcript.ToolResult && random.IntN(5) > 0 { // some are only judged later, as in a resumed scan
				var near [lookFar]*Step
				results, turn := w.attempts(now, 0, lookFar, near[:0])
				for _, far := range results[min(len(results), lookCalls):] {
					if far.seq < w.thread(now.Agent).turned {
						t.Fatalf("event %d: event %d lies in reach, and in another turn", i, far.seq)
					}
				}
				failures := w.failedBefore(now)
				if len(failures) == 0 {
					failures = []openResult{{seq: now.seq}}
				}
				var fewer [lookFar]*Step
				nearer, sameTurn := w.attempts(now, failures[0].seq, lookFar, fewer[:0])
				for k, s := range results {
					known := slices.ContainsFunc(failures, func(r openResult) bool { return w.at(r.seq) == s })
					if w.judge(s) != nil && (!known || k >= len(nearer) || nearer[k] != s || (k < turn) != (k < sameTurn)) {
						t.Fatalf("event %d: the failure of event %d was overlooked", i, s.seq)
					}
				}
			}
		}
	}
}
