package render_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// fewer shortens the loops over faults when -short is given.
func fewer(t *testing.T) []fsxtest.Mode {
	if testing.Short() {
		return []fsxtest.Mode{fsxtest.KillAfter, fsxtest.PowerLoss}
	}
	return nil
}

// busy is a repository in which every kind of artifact is due, some are there
// already, a draft becomes active, a tool skill is renewed, and a book of people
// is added to.
func busy(t *testing.T, layout entry.Layout) repository {
	t.Helper()
	old := decision()
	old.ID, old.Pattern = "obs_old0000001", "An older decision"
	early := draft()
	early.ID, early.Pattern, early.Fix = "obs_draft00001", "A draft", "another fix"
	r := newRepository(t, layout, old, early)
	for i := range 5 {
		r.see(toolLesson("gh", i))
	}
	r.render()
	r.see(seenIn(r.observation(early.ID), 2, 5, 8), toolLesson("gh", 6))
	r.see(all()...)
	return r
}

func TestAKillAtAnyPointIsCompletedByTheNextRun(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		t.Run(string(layout), func(t *testing.T) {
			r := busy(t, layout)
			n := fsxtest.EveryPoint(t, fsxtest.Scenario{Start: r.Memory, Run: renderOn, Modes: fewer(t), Chances: 2})
			t.Logf("%d points", n)
			if n < 60 {
				t.Errorf("only %d points", n)
			}
		})
	}
}

// TestAnEditBetweenKillAndNextRunSurvives: whatever is there after the kill is
// edited by a person. The next run must keep every edit and otherwise end where
// an uninterrupted run ends.
func TestAnEditBetweenKillAndNextRunSurvives(t *testing.T) {
	const edit = "\nEdited by a person.\n"
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		t.Run(string(layout), func(t *testing.T) {
			r := busy(t, layout)
			done := repository{t, r.Clone()}
			done.render()
			want, wantMarkers := done.load(), done.markers()
			var edited []string
			fsxtest.EveryPoint(t, fsxtest.Scenario{
				Start: r.Memory, Run: renderOn,
				Modes: []fsxtest.Mode{fsxtest.KillAfter, fsxtest.PowerLoss},
				Between: func(m *fsxtest.Memory) {
					edited = nil
					for name, text := range m.Tree() {
						if strings.HasPrefix(name, root+"/.lessons/") && strings.HasSuffix(name, ".md") && !fsxtest.Temporary(name) {
							m.Put(name, text+edit)
							edited = append(edited, name)
						}
					}
				},
				Check: func(_ fsxtest.Point, _, got map[string]string) error {
					for _, name := range edited {
						if !strings.HasSuffix(got[name], edit) {
							return fmt.Errorf("the edit of %s is lost", name)
						}
					}
					r := repository{t, fsxtest.NewMemory(got)}
					if markers := r.markers(); !maps.Equal(markers, wantMarkers) {
						return fmt.Errorf("markers %v, want %v", markers, wantMarkers)
					}
					s := r.load()
					for _, o := range want.Log.Observations() {
						if now := s.Log.Get(o.ID); now.Status != o.Status || now.ArtifactPath != o.ArtifactPath {
							return fmt.Errorf("%s is %s at %s", o.ID, now.Status, now.ArtifactPath)
						}
					}
					for _, row := range want.Manifest.Rows {
						if now, ok := s.Manifest.Row(row.Key()); !ok || now.Path != row.Path || now.Anchor != row.Anchor {
							return fmt.Errorf("row %+v is %+v", row, now)
						}
					}
					return nil
				},
			})
		})
	}
}
