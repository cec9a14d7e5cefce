package check

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
)

func decision(number int, text string) knowledge.Entry {
	return knowledge.Entry{Kind: knowledge.KindADR, Number: number, Title: "T", Path: "d.md", Line: 10 * number, Text: []byte(text)}
}

func rules(findings []knowledge.Problem) string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Rule)
	}
	return strings.Join(all, " ")
}

// TestRules has for each rule what it finds and what it leaves alone.
func TestRules(t *testing.T) {
	manifest := func(rows ...knowledge.Row) *knowledge.Manifest { return &knowledge.Manifest{Rows: rows} }
	artifact := func(path, source string) knowledge.Artifact {
		return knowledge.Artifact{Kind: knowledge.KindLesson, Path: path, Source: source, Line: 1, Text: []byte("# T\n")}
	}
	row := knowledge.Row{ObservationID: "obs_a", Type: "lesson", Path: ".lessons/a.md"}
	cases := map[string]struct {
		in   Input
		want string
	}{
		"nothing": {Input{Snapshot: &knowledge.Snapshot{Manifest: manifest()}}, ""},
		"a problem of reading": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(), Problems: []knowledge.Problem{{Path: "x", Line: 1, Rule: "lesson"}},
		}}, "lesson"},
		"numbers that differ": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(), Decisions: []knowledge.Entry{decision(1, ""), decision(2, "")},
		}}, ""},
		"a number twice": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(), Decisions: []knowledge.Entry{decision(1, ""), decision(1, "")},
		}}, "duplicate-number"},
		"a citation of an entry that is there": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(), Decisions: []knowledge.Entry{decision(1, "see ADR-002\n"), decision(2, "")},
		}}, ""},
		"of one that was withdrawn": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: &knowledge.Manifest{Tombstones: []knowledge.Tombstone{{Row: knowledge.Row{Anchor: "ADR-002"}}}}, Decisions: []knowledge.Entry{decision(1, "see ADR-002\n")},
		}}, ""},
		"of one that never was": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(), Decisions: []knowledge.Entry{decision(1, "see ADR-002\n")},
		}}, "dangling-citation"},
		"registered": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(row), Artifacts: []knowledge.Artifact{artifact(".lessons/a.md", "obs_a")},
		}}, ""},
		"a person's own": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(), Artifacts: []knowledge.Artifact{artifact(".lessons/a.md", "")},
		}}, ""},
		"not registered": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(), Artifacts: []knowledge.Artifact{artifact(".lessons/a.md", "obs_a")},
		}}, "unregistered"},
		"twice": {Input{Snapshot: &knowledge.Snapshot{
			Manifest: manifest(row), Artifacts: []knowledge.Artifact{artifact(".lessons/a.md", "obs_a"), artifact(".lessons/b.md", "obs_a")},
		}}, "marker-twice"},
		"what history tells": {Input{
			Snapshot: &knowledge.Snapshot{Manifest: manifest(row)}, Further: []knowledge.Problem{{Path: ".lessons/a.md", Rule: "row-without-file"}},
		}, "row-without-file"},
	}
	for name, c := range cases {
		if got := rules(Run(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestListsAndPointersAreNoCommands(t *testing.T) {
	for fix, want := range map[string]string{
		"1. plugin.json 2. CHANGELOG.md": "", "read .lessons/x-1234.md": "", "git push": "git push", "run `make fmt` first": "make fmt",
		"1. run `make fmt`": "make fmt",
	} {
		if got := commandIn(fix); got != want {
			t.Errorf("the command of %q is %q, want %q", fix, got, want)
		}
	}
}
