package render_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/render"
)

const (
	root   = "/home/dev/shop"
	shared = root + "/.git/lessons"
)

func places() store.Places {
	return store.Places{Root: root, Local: shared, Shared: shared}
}

// repository is a work tree in memory.
type repository struct {
	t testing.TB
	*fsxtest.Memory
}

func newRepository(t testing.TB, layout entry.Layout, observations ...*observe.Observation) repository {
	t.Helper()
	r := repository{t, fsxtest.NewMemory(map[string]string{
		root + "/.git/HEAD":            "ref: refs/heads/main\n",
		root + "/.lessons/config.json": fmt.Sprintf("{\"type\": \"lessons-config\", \"version\": 1, \"layout\": %q}\n", layout),
	})}
	r.see(observations...)
	return r
}

// see puts observations into the log, joined with what is there.
func (r repository) see(observations ...*observe.Observation) {
	r.t.Helper()
	log := r.load().Log
	for _, o := range observations {
		log.Put(o)
	}
	r.Put(shared+"/learning-log.jsonl", string(log.Bytes()))
}

// promote renders an observation because a person wants it.
func (r repository) promote(id string) render.Plan {
	o := r.observation(id)
	observe.PromoteByHand(o)
	r.see(o)
	return r.run(render.Options{Only: []string{id}})
}

func (r repository) store() *store.Store { return store.New(r.Memory, places()) }

func (r repository) load() *store.Snapshot {
	r.t.Helper()
	s, err := r.store().Load()
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r repository) plan(o render.Options) render.Plan {
	r.t.Helper()
	p, err := render.NewPlan(r.load(), o)
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// waiting says of each observation that a plan leaves unwritten what it misses.
func (r repository) waiting() map[string]string {
	return render.Waiting(r.load(), verdict.View{}, r.plan(render.Options{}))
}

// render is one run of lessons render.
func (r repository) render() render.Plan {
	r.t.Helper()
	p := r.plan(render.Options{})
	if err := apply(r.store(), p); err != nil {
		r.t.Fatal(err)
	}
	return p
}

// apply stores a plan in one transaction under one lock.
func apply(s *store.Store, p render.Plan) error {
	return s.Apply(store.Transaction{Changes: p.Changes, Log: p.Log, Manifest: p.Manifest})
}

func renderOn(f fsx.FS) error {
	st := store.New(f, places())
	s, err := st.Load()
	if err != nil {
		return err
	}
	p, err := render.NewPlan(s, render.Options{})
	if err != nil {
		return err
	}
	return apply(st, p)
}

func (r repository) read(path string) string {
	r.t.Helper()
	data, err := r.ReadFile(filepath.Join(root, path))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r repository) edit(path, old, new string) {
	r.t.Helper()
	text := r.read(path)
	if !strings.Contains(text, old) {
		r.t.Fatalf("%s does not contain %q:\n%s", path, old, text)
	}
	r.Put(filepath.Join(root, path), strings.Replace(text, old, new, 1))
}

func (r repository) exists(path string) bool {
	_, err := r.Lstat(filepath.Join(root, path))
	return err == nil
}

func (r repository) observation(id string) *observe.Observation {
	r.t.Helper()
	o := r.load().Log.Get(id)
	if o == nil {
		r.t.Fatalf("no observation %s", id)
	}
	return o
}

// artifacts are the committed files, by relative path, without the settings and
// what a kill left half written.
func (r repository) artifacts() map[string]string {
	files := map[string]string{}
	for name, text := range r.Tree() {
		path := strings.TrimPrefix(name, root+"/")
		if !strings.HasPrefix(path, ".git/") && path != ".lessons/config.json" && !fsxtest.Temporary(name) {
			files[path] = text
		}
	}
	return files
}

// bury puts a tombstone in place of an artifact's row and removes its file, as
// reconcile --write does after a committed deletion.
func (r repository) bury(key knowledge.Key) {
	r.t.Helper()
	s := r.load()
	row, ok := s.Manifest.Row(key)
	if !ok {
		r.t.Fatalf("no row %v", key)
	}
	s.Manifest.Bury(manifest.Tombstone{Row: row, How: "committed", By: "dev", At: "2026-02-01T00:00:00Z"})
	change := store.Change{Path: row.Path, Before: []byte(r.read(row.Path))}
	if row.Anchor != "" {
		text := string(change.Before)
		for _, e := range slices.Concat(s.Decisions, s.Pitfalls) {
			if e.ID() == row.Anchor {
				text = strings.Replace(text, string(e.Text), "", 1)
			}
		}
		change.After = []byte(text)
	}
	if err := r.store().Apply(store.Transaction{Changes: []store.Change{change}, Manifest: s.Manifest}); err != nil {
		r.t.Fatal(err)
	}
}

func at(day int) time.Time { return time.Date(2026, 1, day, 9, 30, 0, 0, time.UTC) }

// seenIn gives an observation n sessions from the first to the last day.
func seenIn(o *observe.Observation, n, first, last int) *observe.Observation {
	o.Observations, o.FirstSeen, o.LastSeen = n, at(first), at(last)
	o.Sessions = nil
	for i := range n {
		o.Sessions = append(o.Sessions, fmt.Sprintf("session%03d", i))
	}
	o.Status = ""
	observe.Promote(o, observe.DefaultThresholds())
	return o
}

func workflow() *observe.Observation {
	return seenIn(&observe.Observation{
		ID: "obs_workflow01", Type: knowledge.Workflow, Pattern: "Release the shop", QualityOK: true,
		Details:  "1. run make check\n2. bump the version in go.mod\n3. tag and push",
		Evidence: []string{"please check, bump, tag and push as always", "release it the usual way"},
	}, 3, 1, 9)
}

func procedural() *observe.Observation {
	return seenIn(&observe.Observation{
		ID: "obs_procedur01", Type: knowledge.Procedural, Pattern: "Add a database migration", QualityOK: true,
		Details:  "write the SQL file -> run migrate up -> run migrate down -> commit both",
		Evidence: []string{"always test the way down as well"},
		Trigger:  nil,
	}, 4, 1, 12)
}

func decision() *observe.Observation {
	return seenIn(&observe.Observation{
		ID: "obs_decision01", Type: knowledge.Decision, Pattern: "Keep money in whole cents", QualityOK: true,
		Details:  "context: totals were off by one; rounding differed; decision: all amounts are int64 cents; rationale: because floats lose cents",
		Evidence: []string{"floats lose cents, use integers", "we keep cents"},
	}, 2, 3, 4)
}

func pitfall() *observe.Observation {
	return seenIn(&observe.Observation{
		ID: "obs_pitfall001", Type: knowledge.Pitfall, Pattern: "The cart cache outlives a deploy", QualityOK: true,
		Details:  "area: internal/cart/cache.go; issue: old prices are shown; impact: wrong totals; resolution: clear the cache in the deploy script",
		Evidence: []string{"the cache again"},
	}, 2, 2, 6)
}

func someLesson() *observe.Observation {
	return seenIn(&observe.Observation{
		ID: "obs_lesson0001", Type: knowledge.Pitfall, Pattern: "pytest hangs without a terminal", QualityOK: true,
		Mistake: "Bare `pytest` waits for a terminal in an agent's shell.", Fix: "`python -m pytest --no-header -p no:faulthandler`",
		Trigger:  &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"pytest"}, Unless: []string{"--no-header", "TERM=dumb"}},
		Tags:     []string{"lang:python", "tool:pytest", "severity:hang"},
		Marks:    []observe.Mark{observe.MarkSelfReport, observe.MarkHang},
		Origin:   observe.OriginSelfReport,
		Evidence: []string{"it hangs because there is no terminal", "TERM=dumb helps too", "again"},
	}, 1, 5, 5)
}

// toolLesson is the i-th self-reported lesson about a tool.
func toolLesson(tool string, i int) *observe.Observation {
	o := someLesson()
	o.ID = fmt.Sprintf("obs_%s%03d", tool, i)
	o.Pattern = fmt.Sprintf("%s mistake %d", tool, i)
	o.Mistake, o.Fix = fmt.Sprintf("wrong way %d", i), fmt.Sprintf("right way %d", i)
	o.Trigger = &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{fmt.Sprintf("%s sub%d", tool, i)}}
	o.Tags = []string{"tool:" + tool}
	return o
}

func all() []*observe.Observation {
	return []*observe.Observation{workflow(), procedural(), decision(), pitfall(), someLesson()}
}

func TestPlanChangesNothing(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, all()...)
	before := r.Tree()
	s := r.load()
	text := func() string {
		observations, err := json.Marshal(s.Log.Observations())
		if err != nil {
			t.Fatal(err)
		}
		return string(s.Log.Bytes()) + string(observations) + string(s.Manifest.Bytes())
	}
	was := text()
	if _, err := render.NewPlan(s, render.Options{}); err != nil {
		t.Fatal(err)
	}
	if text() != was {
		t.Error("the snapshot was changed")
	}
	if !maps.Equal(before, r.Tree()) {
		t.Error("files were changed")
	}
}

func TestRenderTwiceChangesNothing(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		r := newRepository(t, layout, all()...)
		first := r.render()
		if len(first.Rendered) != 5 {
			t.Errorf("%s: rendered %q", layout, first.Rendered)
		}
		before := r.Tree()
		second := r.render()
		if len(second.Changes)+len(second.Rendered)+len(second.Skipped) > 0 {
			t.Errorf("%s: second run: %+v", layout, second)
		}
		if !maps.Equal(before, r.Tree()) {
			t.Errorf("%s: the second run changed something:\n%s", layout, fsxtest.Diff(before, r.Tree()))
		}
		for _, o := range r.load().Log.Observations() {
			want := observe.Created
			if o.Status != want || o.ArtifactPath == "" {
				t.Errorf("%s: %s is %s at %q", layout, o.ID, o.Status, o.ArtifactPath)
			}
		}
	}
}
