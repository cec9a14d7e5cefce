package scan

import (
	"slices"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
	"pgregory.net/rapid"
)

// walked looks for the person's last words by walking back through the window.
func walked(w *Window) (*Step, []*Step) {
	var acts []*Step
	n := 0
	for s := range w.Back("") {
		switch s.Kind {
		case transcript.User, transcript.Rejection:
			if s.Kind == transcript.User || s.speech().n > 0 {
				slices.Reverse(acts)
				return s, acts
			}
		case transcript.Compaction, transcript.Interrupt:
			return nil, nil
		case transcript.Assistant, transcript.ToolCall:
			if n++; n >= proofSteps {
				return nil, nil
			}
			if weighs(s) {
				acts = append(acts, s)
			}
		}
	}
	return nil, nil
}

// What a window keeps of the talk is what a walk through it would find.
func TestTalkIsWhatTheWindowHolds(t *testing.T) {
	parts := []func(*teller){
		user("that is wrong, the test still fails"), user("add a page"), user("run the tests again please now"), says("You're right, I forgot that."), says("Done."), says("Shall I go on?"), says(" "),
		edit("a.go", "one\n", "two\nthree\nfour\n"), edit("a.go", "two\nthree\nfour\n", "one\n"), bash("go test ./...", transcript.OK, "ok"), bash("go test -v ./...", transcript.OK, "ok"),
		bash("git revert HEAD", transcript.Rejected, "no, never revert"), bash("ls", transcript.Rejected, ""), read("a.go", transcript.OK, "two"), interrupt(), compaction(),
	}
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		rare := rapid.IntRange(1, 20).Draw(t, "rare")
		var s story
		for range rapid.IntRange(1, 300).Draw(t, "events") {
			part := rapid.SampledFrom(parts).Draw(t, "part")
			if rapid.IntRange(1, 20).Draw(t, "often") > rare {
				part = rapid.SampledFrom(parts[3:12]).Draw(t, "act")
			}
			agent := rapid.SampledFrom([]string{"", "", "", "sub"}).Draw(t, "agent")
			s = append(s, func(t *teller) { t.agent = agent; part(t) })
		}
		w := NewWindow()
		for _, e := range s.events() {
			w.Push(&e)
			now := w.Last()
			if now.Agent != "" || !weighs(now) {
				continue
			}
			said, acts := w.lastWords()
			if want, before := walked(w); said != want || said != nil && !slices.Equal(acts, append(before, now)) {
				t.Fatalf("line %d: %v %d, want %v %d", now.Line, said, len(acts), want, len(before)+1)
			}
			if said == nil {
				continue
			}
			c := w.occasionOf(said)
			if c == nil {
				continue
			}
			asked++
			fresh := w.answered(said)
			if !slices.Equal(c.turn, fresh.turn) || !slices.Equal(c.earlier, fresh.earlier) || c.claim != fresh.claim || c.asked != fresh.asked || c.acted != fresh.acted {
				t.Fatalf("line %d: %v, want %v", now.Line, c, fresh)
			}
			for n := len(acts) - 1; n <= len(acts); n++ {
				got := w.talk.proven(said.speech(), c, n)
				if want := proven(said.speech(), fresh, acts[:n]); got != want {
					t.Fatalf("line %d, %d acts: %v", now.Line, n, got)
				}
			}
		}
	})
	if asked == 0 {
		t.Error("no message answered to anything")
	}
}
