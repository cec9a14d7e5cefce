//go:build e2e

package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
	"github.com/lessons-cli/lessons/internal/test/pairs"
)

// pairsStopped is how many of the twenty mistakes an agent has to be stopped at.
const pairsStopped = 14

// rightAtOnce is how many right calls are made in one turn.
const rightAtOnce = 10

// TestPairs: a real agent makes twenty mistakes with ordinary tools and mends them, in two
// sessions. In the third one hooks stop most of them with the fix, and none of the right
// calls beside them. Nobody edits the pairs to fit.
func TestPairs(t *testing.T) {
	if os.Getenv("LESSONS_PAIRS") == "" {
		t.Skip("SKIPPED: make pairs runs it: sixty calls an agent take minutes; cmd/lessons has the same without an agent")
	}
	all := pairs.Read(t, "testdata/pairs")
	var mended, right []string
	for _, p := range all {
		mended = append(mended, p.Mistake.Line, p.Fix.Line)
		for _, c := range p.Right {
			right = append(right, c.Line)
		}
	}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			s := newSite(t, "--agent", c.name)
			s.fakes(all)
			sessions := 0
			work := func(turns ...mockmodel.Turn) []string {
				sessions++
				model := s.session(c, "Go on with the work.", append(append(turns, c.runs("echo done")...), says("Done."))...)
				s.learned(sessions, "echo done")
				return answers(t, model, len(turns))
			}
			work(c.runs(mended...)...)
			work(c.runs(mended...)...)
			var turns []mockmodel.Turn
			for lines := range slices.Chunk(right, rightAtOnce) {
				turns = append(turns, c.atOnce(lines...))
			}
			first := len(turns) // of the mistakes
			for _, p := range all {
				turns = append(turns, c.runs(p.Mistake.Line)...)
			}
			said := work(turns...)

			for _, text := range said[:first] {
				if strings.Contains(text, "Stopped once") {
					t.Errorf("a right call is stopped:\n%s", text)
				}
			}
			stopped := 0
			for i, p := range all {
				what := "runs"
				switch text := said[first+i]; {
				case strings.Contains(text, "Stopped once") && p.Fixed(text):
					what = "stopped"
					stopped++
				case strings.Contains(text, "[lessons]"):
					what = "told"
				}
				t.Logf("%-8s %-28s %s", c.name, p.Name, what)
			}
			t.Logf("%s: stopped are %d of %d", c.name, stopped, len(all))
			if len(all) != 20 || stopped < pairsStopped {
				t.Errorf("%s is stopped at %d of %d mistakes, want %d of 20", c.name, stopped, len(all), pairsStopped)
			}
		})
	}
}
