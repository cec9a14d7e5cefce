//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// What a person says in the prompts, and what the agent's block makes of it.
const (
	objection = "No, that is wrong: never run `go vet -x ./...` here again, it prints every command. Run `go vet ./...`."
	reported  = "Understood, that applies ADR-001.\n\n#lesson\ntool: Bash\ntrigger: go vet -x ./...\nmistake: go vet -x prints every command\nfix: go vet ./...\ntags: tool:go\n#/lesson"
	another   = "From now on never run `go test -v`, it is too long to read."
	asksMark  = "[lessons] ask "
)

// TestAgentsAreAsked: a correction brings the ask, the block that answers it becomes a
// lesson, and that stops the call in the next session. "#lesson:none" answers too, and
// teaches nothing; the setting 0 is silence. Nobody calls lessons to learn. What the agent
// cites in its answer is counted.
func TestAgentsAreAsked(t *testing.T) {
	for _, c := range clients {
		if c.keepsPrompts {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			s := newSite(t, "--agent", c.name)
			s.run("lessons", "add", "No verbose tools", "--type", "decision", "--decision", "tools print what is wrong alone", "--because", "logs are read by people")
			model := s.session(c, objection, says(reported))
			if n := strings.Count(lastRequest(model.Requests()), asksMark); n != 1 {
				t.Errorf("the objection brought %d asks, want 1", n)
			}
			s.waitFor(".lessons/*go-vet*.md")
			s.quiet()

			if shown := s.run("lessons", "show", "ADR-001"); !strings.Contains(shown, "cited by agents once") {
				t.Errorf("the citation is not counted:\n%s", shown)
			}

			model = s.session(c, "Look at the code once more.", append(c.runs("go vet -x ./...", "go vet ./..."), says("It is fine."))...)
			if said := newAfter(t, model, 0); !strings.Contains(said, "Stopped once") || !strings.Contains(said, "go vet ./...") {
				t.Errorf("the lesson did not stop the call:\n%s", said)
			}
			if model.Saw(asksMark) {
				t.Error("asked without a cause")
			}
			s.quiet()

			if model = s.session(c, another, says("As you wish.\n\n#lesson:none")); !model.Saw(asksMark) {
				t.Errorf("a standing instruction brought no ask:\n%s", lastRequest(model.Requests()))
			}
			s.until("both answers are counted", func() bool {
				return strings.Contains(s.run("lessons", "scan", "--compliance"), "asked: 2 times; answered with a block 1, with none 1; ignored 0")
			})

			s.run("lessons", "config", "ask", "0")
			if s.session(c, another, says("As you wish.")).Saw(asksMark) {
				t.Error("asked although the setting is 0")
			}
			s.quiet()
		})
	}
}

// TestAgentsAreAskedAboutMends: the call that mends one which failed brings the ask, and
// neither the failure nor another call does.
func TestAgentsAreAskedAboutMends(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			s := newSite(t, "--agent", c.name)
			model := s.session(c, "Which branch is this?", append(c.runs("echo fine", "git branch --show-curent", "git branch --show-current"), says("It is main."))...)
			for i, want := range []bool{false, false, true} {
				if said := newAfter(t, model, i); strings.Contains(said, asksMark) != want {
					t.Errorf("after call %d asked is %v:\n%s", i, !want, said)
				}
			}
			s.quiet()
		})
	}
}

// quiet waits until nothing runs any more that hooks started.
func (s *site) quiet() {
	s.t.Helper()
	s.until("what hooks started has ended", func() bool { return len(s.processes()) == 0 })
}

func lastRequest(requests []string) string { return requests[len(requests)-1] }
