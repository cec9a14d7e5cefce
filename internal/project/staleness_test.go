package project_test

import (
	"slices"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

const aboutMoney = `---
id: 01JQXYZ0000000000000000001
kind: warning
priority: high
status: active
confidence: 1
triggers:
  commands: [make money]
---
# Money is made by hand

src/money.go knows how.

**Fix**: make audit
`

// TestHooksAloneSilenceWhatIsStale: the start of a session has history looked at beside it when
// there is something new, and from then on a lesson that names what is gone is at no call. When
// the file comes back, so does the lesson.
func TestHooksAloneSilenceWhatIsStale(t *testing.T) {
	g := gittest.New(t)
	g.Write("src/money.go", "package src\n")
	g.Write(".lessons/money.md", aboutMoney)
	g.Commit("Begin")
	p := openProject(t, g.Dir, g.Now)
	ctx := t.Context()
	armed := func() bool {
		index, err := p.Index()
		if err != nil {
			t.Fatal(err)
		}
		return len(index.Match(inject.Call{Tool: "Bash", Command: "make money", Root: g.Dir, Dir: g.Dir}, inject.Options{})) > 0
	}
	// start is a session's start; what it starts beside it is done.
	start := func() (looked bool) {
		p.Answer(ctx, agent.Claude, agent.Event{Name: agent.SessionStart, Source: "startup", Cwd: g.Dir}, func(args ...string) {
			looked = looked || slices.Equal(args, []string{"compile"})
		})
		if !looked {
			return false
		}
		s, err := p.Store.Load()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Stale(ctx, s); err != nil {
			t.Fatal(err)
		}
		return true
	}
	if !start() || !armed() {
		t.Error("the first start did not look, or the lesson is not armed")
	}
	if start() {
		t.Error("nothing is new, and history was looked at")
	}
	g.Git("rm", "-q", "src/money.go")
	g.CommitStaged("Use a library")
	if !start() || armed() {
		t.Error("what the lesson names is gone, and it is armed")
	}
	g.Write("src/money.go", "package src\n")
	g.Commit("Back")
	if !start() || !armed() {
		t.Error("what the lesson names is back, and it is not armed")
	}
}
