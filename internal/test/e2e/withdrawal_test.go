//go:build e2e

package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// moody is a program whose first argument is all that it looks at; it fails while a file
// named broken is there.
const moody = `#!/bin/sh
if [ -e broken ]; then echo 'FATAL: Peer authentication failed for user "dev"' >&2; exit 2; fi
echo all is well
`

// TestWrongLessonIsWithdrawn: two sessions taught a lesson that is wrong by now, and a
// person typed another one that is wrong too. Both stop a call of the real agent, which
// makes it again, and it works. From the next session on the learned one stops nothing,
// and after three successes it is silent; hooks alone bring that about. The typed one
// stops as before, and status says what contradicts it.
func TestWrongLessonIsWithdrawn(t *testing.T) {
	claudeCode.find(t)
	s := newSite(t)
	s.run("lessons", "learn", "off") // but for the sessions that the agent has
	s.program("stock", moody)
	s.program("shelf", moody)
	for _, day := range []string{"01", "02"} {
		s.past(day, "./stock count", "stock: FATAL: Peer authentication failed for user \"dev\"", "./stock --host=localhost count")
	}
	s.run("lessons", "scan", "--quiet")
	s.run("lessons", "render")
	s.run("lessons", "learn", "on")
	s.run("lessons", "add", "The shelf wants a number", "--command", "./shelf", "--unless=--number", "--mistake", "the list is long", "--fix", "./shelf --number=7")
	s.run("git", "add", "-A")
	s.run("git", "commit", "-qm", "Lessons")
	learned, err := filepath.Glob(filepath.Join(s.root, ".lessons", "stock-*.md"))
	if err != nil || len(learned) != 1 {
		t.Fatalf("learned is %q, %v", learned, err)
	}
	name := strings.TrimSuffix(filepath.Base(learned[0]), ".md")

	ends := 0
	work := func(lines ...string) []string {
		model := s.session(claudeCode, "What is in stock?", append(claudeCode.runs(append(lines, "echo done")...), says("done"))...)
		ends++
		s.learned(ends, "echo done")
		if files := s.newFiles(); len(files) > 0 {
			t.Errorf("new are %q", files)
		}
		return answers(t, model, len(lines))
	}
	stopped := func(answer, fix string) bool {
		return strings.Contains(answer, "Stopped once") && strings.Contains(answer, fix) && !strings.Contains(answer, "all is well")
	}

	said := work("./stock count", "./stock count", "./shelf list", "./shelf list")
	if !stopped(said[0], "./stock --host") || !stopped(said[2], "./shelf --number=7") {
		t.Errorf("they did not stop: %q", said)
	}
	if !strings.Contains(said[1], "all is well") || !strings.Contains(said[3], "all is well") {
		t.Errorf("what was repeated did not pass: %q", said)
	}
	if out := s.run("lessons", "show", name); !strings.Contains(out, "withdrawn") {
		t.Errorf("it is not withdrawn:\n%s", out)
	}

	said = work("./stock count", "./stock count", "./shelf list", "./shelf list")
	if slices.ContainsFunc(said[:2], func(answer string) bool { return strings.Contains(answer, "[lessons]") }) {
		t.Errorf("a withdrawn lesson spoke at calls that work: %q", said)
	}
	if !stopped(said[2], "./shelf --number=7") {
		t.Errorf("the typed one did not stop again: %q", said)
	}

	s.put(filepath.Join(s.root, ".git", "info", "exclude"), "broken\n")
	s.put(filepath.Join(s.root, "broken"), "")
	said = work("./stock count", "./shelf list")
	if !strings.Contains(said[0], "FATAL") || strings.Contains(said[0], "[lessons]") {
		t.Errorf("after three successes it is not silent: %q", said)
	}
	if !stopped(said[1], "./shelf --number=7") {
		t.Errorf("the typed one did not stop a third time: %q", said)
	}
	status := s.run("lessons", "status")
	if !strings.Contains(status, "the-shelf-wants-a-number") || !strings.Contains(status, "contradicts it") {
		t.Errorf("status does not say what contradicts the typed one:\n%s", status)
	}
	if out := s.run("lessons", "show", "the-shelf-wants-a-number"); !strings.Contains(out, "./shelf list") {
		t.Errorf("show does not name the call:\n%s", out)
	}
}

// answers are what the model reads after each of its first n calls.
func answers(t *testing.T, model *mockmodel.Model, n int) []string {
	t.Helper()
	var all []string
	for i := range n {
		all = append(all, newAfter(t, model, i))
	}
	return all
}
