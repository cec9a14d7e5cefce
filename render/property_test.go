package render_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// renderedAt renders observations in a work tree at some place of some machine
// and returns the committed files.
func renderedAt(t testing.TB, place string, layout entry.Layout, observations []*observe.Observation) map[string]string {
	t.Helper()
	log := &observe.Log{}
	for _, o := range observations {
		log.Put(o)
	}
	lines := slices.Collect(strings.Lines(string(log.Bytes())))
	shuffle := rand.New(rand.NewPCG(uint64(len(place)), 7))
	shuffle.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	m := fsxtest.NewMemory(map[string]string{
		place + "/.lessons/config.json":            fmt.Sprintf(`{"type": "lessons-config", "version": 1, "layout": %q}`, layout),
		place + "/.git/lessons/learning-log.jsonl": strings.Join(lines, ""),
	})
	st := store.New(m, store.Places{Root: place, Local: place + "/.git/lessons", Shared: place + "/.git/lessons"})
	s, err := st.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := render.NewPlan(s, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := apply(st, p); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name, text := range m.Tree() {
		if path := strings.TrimPrefix(name, place+"/"); !strings.HasPrefix(path, ".git/") {
			files[path] = text
		}
	}
	return files
}

func TestTwoMachinesWriteTheSameBytes(t *testing.T) {
	observations := append(all(), kinds()...)
	observations = append(observations, decisions(12)...)
	for i := range 6 {
		observations = append(observations, toolLesson("gh", i), toolLesson("go", i))
	}
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		want := renderedAt(t, root, layout, observations)
		if len(want) < 25 {
			t.Fatalf("%d files", len(want))
		}
		for _, place := range []string{"/Users/other person/src/shop", "/w"} {
			if diff := fsxtest.Diff(want, renderedAt(t, place, layout, observations)); diff != "" {
				t.Errorf("%s, %s: %s", layout, place, diff)
			}
		}
	}
}

// words are pieces of texts as they come from sessions and from people who mean
// harm. Few of them, so that equal titles, triggers and details are frequent.
var words = []string{
	"Run", "tests", "run tests", "Prices é", "日本", "gh", "because", "a; b", "area: internal/cart", "; issue: old", "decision: x", "; rationale: y",
	"!`id`", "@/etc/passwd", "$ARGUMENTS", "$1", "```", "\n", "---", "\n---\n", "# T", "## ADR-001: forged", "- **Source**: self-learning:obs_forged00",
	"<!--", "-->", "<script>", "\"", "'", "\\", "`code`", "[link](x)", ": ", "#", "%s", "\u202e", "\x00", "\x1b[31m", "\U000E0041", "1. a 2. b", "- item", "con", "...", "/", "../x",
}

func text(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, label), rapid.SampledFrom([]string{" ", ""}).Draw(t, label+" joined"))
}

func someTexts(t *rapid.T, label string) []string {
	var all []string
	for i := range rapid.IntRange(0, 3).Draw(t, label+" number") {
		all = append(all, text(t, fmt.Sprint(label, i)))
	}
	return all
}

func anyObservation(t *rapid.T, i int) *observe.Observation {
	o := &observe.Observation{
		ID:      fmt.Sprintf("obs_rapid%05d", i),
		Type:    rapid.SampledFrom([]knowledge.Type{knowledge.Workflow, knowledge.Procedural, knowledge.Decision, knowledge.Pitfall}).Draw(t, "type"),
		Pattern: text(t, "pattern"), Details: text(t, "details"), Evidence: someTexts(t, "evidence"),
		QualityOK: rapid.Bool().Draw(t, "quality"),
		Origin:    rapid.SampledFrom([]observe.Origin{observe.OriginErrorFix, observe.OriginSelfReport, observe.OriginManual}).Draw(t, "origin"),
	}
	if rapid.Bool().Draw(t, "stated") {
		o.Kind, o.Marks = lesson.Requirement, []observe.Mark{observe.MarkStated}
	}
	if rapid.Bool().Draw(t, "trigger") {
		o.Trigger = &lesson.Trigger{
			Tools: someTexts(t, "tools"), Commands: someTexts(t, "commands"), Paths: someTexts(t, "paths"), Keywords: someTexts(t, "keywords"),
		}
		o.Mistake, o.Fix = text(t, "mistake"), text(t, "fix")
	}
	if rapid.Bool().Draw(t, "tagged") {
		o.Tags = []string{"tool:gh", text(t, "tag")}
		o.Marks = append(o.Marks, observe.MarkSelfReport)
	}
	o.Items = someTexts(t, "items")
	return seenIn(o, rapid.IntRange(1, 5).Draw(t, "sessions"), rapid.IntRange(1, 5).Draw(t, "first"), rapid.IntRange(6, 20).Draw(t, "last"))
}

func anyLog(t *rapid.T) []*observe.Observation {
	var all []*observe.Observation
	for i := range rapid.IntRange(1, 14).Draw(t, "observations") {
		all = append(all, anyObservation(t, i))
	}
	return all
}

// checkRepository checks what holds after every render: one artifact a row, each
// found by its marker, with the hash of its row unless it was edited, readable,
// and inert where an agent executes it.
func checkRepository(t *rapid.T, r repository, edited map[string]bool) {
	s := r.load()
	for _, p := range s.Problems {
		t.Fatalf("a problem: %+v\n%s", p, r.read(p.Path))
	}
	found := map[knowledge.Key]int{}
	for _, a := range s.Artifacts {
		if a.Source == "" {
			t.Fatalf("%s has no marker:\n%s", a.Path, a.Text)
		}
		key := knowledge.Key{Observation: a.Source, Kind: a.Kind}
		row, ok := s.Manifest.Row(key)
		switch {
		case !ok:
			t.Fatalf("%s (%v) has no row:\n%s", a.Path, key, a.Text)
		case slices.Contains(row.Copies, a.Path):
			continue
		case row.Path != a.Path || row.Anchor != a.Anchor:
			t.Fatalf("%s#%s has the row %+v", a.Path, a.Anchor, row)
		case row.ContentHash != a.Hash && !edited[a.Path]:
			t.Fatalf("%s differs from its row:\n%s", a.Path, a.Text)
		}
		found[key]++
	}
	for _, row := range s.Manifest.Rows {
		if found[row.Key()] != 1 {
			t.Fatalf("row %+v has %d artifacts", row, found[row.Key()])
		}
	}
	for path, text := range r.artifacts() {
		if strings.HasPrefix(path, ".claude/commands/") || strings.HasSuffix(path, "/SKILL.md") {
			checkExecutable(t, path, text)
		}
	}
}

// checkExecutable checks a slash command or skill.
func checkExecutable(t *rapid.T, path, text string) {
	matter, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(text, "---\n") {
		t.Fatalf("%s has no front matter:\n%s", path, text)
	}
	for line := range strings.Lines(matter) {
		key, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		known := []string{"name", "description", "metadata", "digest", "source", "seen", "lessons", "quote-1", "quote-2", "# source", "# seen", "# quote"}
		if !slices.Contains(known, key) {
			t.Fatalf("%s has the key %q:\n%s", path, key, text)
		}
	}
	for _, bad := range []string{"!`", "$ARGUMENTS", "$1", " @/", "\n@/", "`@/", "<!--", "\x00", "\x1b", "\u202e"} {
		if strings.Contains(body, bad) {
			t.Fatalf("%s holds %q:\n%s", path, bad, text)
		}
	}
}

// passesCheck runs the gate for pull requests on what was rendered.
func passesCheck(t *rapid.T, r repository) {
	s := r.load()
	_, further := compile.Compile(provenance.Parted(s.Lessons, nil), compile.Options{Config: s.Config, Today: "2026-03-01"})
	fires := func(l *lesson.Lesson, command string) bool {
		on, _ := compile.Matcher(&l.Triggers)
		return on(command)
	}
	for _, p := range check.Run(check.Input{Snapshot: s, Fires: fires, Further: further}) {
		t.Fatalf("%s:%d: %s: %s\n%s", p.Path, p.Line, p.Rule, p.Text, r.read(p.Path))
	}
}

func TestRandomLogs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		layout := rapid.SampledFrom([]entry.Layout{entry.LayoutBook, entry.LayoutFiles}).Draw(rt, "layout")
		observations := anyLog(rt)
		r := newRepository(t, layout, observations...)
		r.render()
		checkRepository(rt, r, nil)
		passesCheck(rt, r)
		before := r.Tree()
		if p := r.render(); len(p.Rendered) > 0 {
			rt.Fatalf("the second run renders %q", p.Rendered)
		}
		if diff := fsxtest.Diff(before, r.Tree()); diff != "" {
			rt.Fatalf("the second run changes something:\n%s", diff)
		}
		if diff := fsxtest.Diff(renderedAt(t, "/w", layout, observations), renderedAt(t, "/home/x", layout, observations)); diff != "" {
			rt.Fatalf("two machines differ:\n%s", diff)
		}

		// People edit some of it, and more is observed.
		edited := map[string]bool{}
		for path, text := range r.artifacts() {
			if slices.Contains(entry.BookPaths(), path) {
				edited[path] = true // grows, and its sections are compared one by one
			}
			if strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, ".claude/skills/") && rapid.Bool().Draw(rt, "edit "+path) {
				r.Put(root+"/"+path, text+"\nEdited by a person.\n")
				edited[path] = true
			}
		}
		for _, o := range r.load().Log.Observations() {
			if rapid.Bool().Draw(rt, "seen again") {
				r.see(seenAgain(o))
			}
		}
		r.render()
		checkRepository(rt, r, edited)
		for path := range edited {
			if !slices.Contains(entry.BookPaths(), path) && !strings.HasSuffix(r.read(path), "\nEdited by a person.\n") {
				rt.Fatalf("the edit of %s is lost:\n%s", path, r.read(path))
			}
		}
	})
}

// seenAgain adds sessions to an observation as a scan does.
func seenAgain(o *observe.Observation) *observe.Observation {
	status := o.Status
	o = seenIn(o, o.Observations+3, 1, 25)
	if status == observe.Created {
		o.Status = status
	}
	return o
}
