package render_test

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/render"
)

// idOfDraft is the id of the lesson that draft becomes.
func idOfDraft(t *testing.T) string {
	t.Helper()
	r := newRepository(t, entry.LayoutBook, draft())
	path := r.render().Rendered[0]
	l, err := lesson.Parse(path, []byte(r.read(path)))
	if err != nil {
		t.Fatal(err)
	}
	return l.ID
}

func TestANewLessonFollowsThePast(t *testing.T) {
	id := idOfDraft(t)
	for _, c := range []struct {
		name    string
		history render.History
		want    []string // in the file; nil: none is written
	}{
		{"a clean tally that suffices", render.History{State: compile.Stops, Nature: "named"}, []string{"\nstatus: active\n", "\nnature: named\n"}},
		{"more evidence is needed", render.History{State: compile.Informs, Nature: "shape"}, []string{"\nstatus: draft\n", "\nnature: shape\n"}},
		{"a call worked", render.History{State: compile.Informs, Nature: "shape", Against: []string{"s9"}}, []string{"\nstatus: draft\n", "against: [s9]"}},
		{"several calls worked", render.History{State: compile.Shadow, Why: "3 calls worked that it would have stopped"}, nil},
	} {
		r := newRepository(t, entry.LayoutBook, draft())
		p := r.plan(render.Options{History: map[string]render.History{id: c.history}})
		if err := apply(r.store(), p); err != nil {
			t.Fatal(err)
		}
		if c.want == nil {
			if len(p.Rendered) != 0 || len(p.Skipped) != 1 || !strings.Contains(p.Skipped[0].Reason, "3 calls worked") {
				t.Errorf("%s: %+v", c.name, p)
			}
			continue
		}
		for _, line := range c.want {
			if text := r.read(p.Rendered[0]); !strings.Contains(text, line) {
				t.Errorf("%s: no %q in\n%s", c.name, line, text)
			}
		}
	}
}

func TestAPersonsRenderTellsAFileWhatContradictsIt(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, draft())
	path := r.render().Rendered[0]
	history := map[string]render.History{idOfDraft(t): {State: compile.Informs, Against: []string{"s9"}}}
	if p := r.plan(render.Options{History: history, Hook: true}); len(p.Changes) > 0 {
		t.Errorf("a render that nobody watches changed what git may track:\n%s", p.Diff())
	}
	if err := apply(r.store(), r.plan(render.Options{History: history})); err != nil {
		t.Fatal(err)
	}
	if text := r.read(path); !strings.Contains(text, "against: [s9]") {
		t.Error(text)
	}
	if p := r.plan(render.Options{History: history}); len(p.Changes) > 0 {
		t.Errorf("and again:\n%s", p.Diff())
	}
}
