package render_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/render"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares files with testdata/name.golden, in which a line "-- path --"
// stands before each file.
func golden(t *testing.T, name string, files map[string]string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		b.WriteString("-- " + file + " --\n" + files[file])
		if !strings.HasSuffix(files[file], "\n") {
			t.Errorf("%s does not end with a line end", file)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("differs from %s (go test -update rewrites it):\n%s", path, udiff.Unified("want", "got", string(want), got))
	}
}

// kinds are observations that show the other forms of lessons.
func kinds() []*observe.Observation {
	checklist := someLesson()
	checklist.ID, checklist.Pattern, checklist.Origin, checklist.Marks = "obs_checklist1", "Raise the version everywhere", observe.OriginBlock, []observe.Mark{observe.MarkBlock}
	checklist.Mistake, checklist.Fix = "", ""
	checklist.Items = []string{"change version.go", "change package.json", "run `make check`"}
	checklist.Details = "The version stands in two files."
	checklist.Trigger = &lesson.Trigger{Tools: []string{"Edit", "Write"}, Paths: []string{"version.go", "package.json"}}
	requirement := someLesson()
	requirement.ID, requirement.Pattern, requirement.Origin, requirement.Marks = "obs_require001", "Never push to main", observe.OriginManual, []observe.Mark{observe.MarkManual}
	requirement.Mistake, requirement.Fix, requirement.Tags = "", "", nil
	requirement.Details = "decision: Changes reach main by pull request only; rationale: because main deploys itself"
	requirement.Trigger = &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"git push origin main"}}
	pattern := someLesson()
	pattern.ID, pattern.Pattern, pattern.Origin, pattern.Marks = "obs_pattern001", "Read the schema before writing a query", observe.OriginRetry, nil
	pattern.Mistake, pattern.Tags = "", nil
	pattern.Fix = "cat <<EOF | psql\n\\d orders\nEOF"
	pattern.Trigger = &lesson.Trigger{Keywords: []string{"query", "sql"}}
	warning := seenIn(someLesson(), 2, 5, 6)
	warning.ID, warning.Pattern, warning.Origin, warning.Marks = "obs_warning001", "The cart is cached", observe.OriginErrorFix, []observe.Mark{observe.MarkErrorFix}
	warning.Mistake, warning.Fix, warning.Tags = "", "", nil
	warning.Kind = lesson.Warning
	warning.Details = "area: internal/cart; issue: reads are an hour old; impact: wrong totals; resolution: read through"
	warning.Trigger = &lesson.Trigger{Paths: []string{"internal/cart/**"}}
	return []*observe.Observation{checklist, requirement, pattern, warning}
}

func TestGolden(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		t.Run(string(layout), func(t *testing.T) {
			r := newRepository(t, layout, all()...)
			r.render()
			golden(t, string(layout), r.artifacts())
		})
	}
}

func TestGoldenLessonKinds(t *testing.T) {
	r := newRepository(t, entry.LayoutFiles, kinds()...)
	r.render()
	golden(t, "kinds", r.artifacts())
}

func TestGoldenToolSkill(t *testing.T) {
	r := newRepository(t, entry.LayoutBook)
	for i := range 5 {
		r.see(toolLesson("gh", i))
	}
	r.render()
	files := map[string]string{}
	for _, path := range []string{".lessons/skills/cli-intel-gh/SKILL.md", ".claude/skills/cli-intel-gh/SKILL.md"} {
		files[path] = r.read(path)
	}
	golden(t, "tool", files)
}

func TestGoldenDiff(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, decision())
	r.render()
	second := pitfall()
	third := decision()
	third.ID, third.Pattern = "obs_decision02", "Name columns in snake_case"
	r.see(second, third)
	golden(t, "diff", map[string]string{"diff": r.plan(render.Options{}).Diff()})
}
