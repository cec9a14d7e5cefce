package check

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

func decision(number int, text string) entry.Entry {
	return entry.Entry{Kind: knowledge.KindADR, Number: number, Title: "T", Path: "d.md", Line: 10 * number, Text: []byte(text)}
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
	m := func(rows ...manifest.Row) *manifest.Manifest { return &manifest.Manifest{Rows: rows} }
	a := func(path, source string) artifact.Artifact {
		return artifact.Artifact{Kind: knowledge.KindLesson, Path: path, Source: source, Line: 1, Text: []byte("# T\n")}
	}
	row := manifest.Row{ObservationID: "obs_a", Type: "lesson", Path: ".lessons/a.md"}
	cases := map[string]struct {
		in   Input
		want string
	}{
		"nothing": {Input{Snapshot: &store.Snapshot{Manifest: m()}}, ""},
		"a problem of reading": {Input{Snapshot: &store.Snapshot{
			Manifest: m(), Problems: []knowledge.Problem{{Path: "x", Line: 1, Rule: "lesson"}},
		}}, "lesson"},
		"numbers that differ": {Input{Snapshot: &store.Snapshot{
			Manifest: m(), Decisions: []entry.Entry{decision(1, ""), decision(2, "")},
		}}, ""},
		"a number twice": {Input{Snapshot: &store.Snapshot{
			Manifest: m(), Decisions: []entry.Entry{decision(1, ""), decision(1, "")},
		}}, "duplicate-number"},
		"a citation of an entry that is there": {Input{Snapshot: &store.Snapshot{
			Manifest: m(), Decisions: []entry.Entry{decision(1, "see ADR-002\n"), decision(2, "")},
		}}, ""},
		"of one that was withdrawn": {Input{Snapshot: &store.Snapshot{
			Manifest: &manifest.Manifest{Tombstones: []manifest.Tombstone{{Row: manifest.Row{Anchor: "ADR-002"}}}}, Decisions: []entry.Entry{decision(1, "see ADR-002\n")},
		}}, ""},
		"of one that never was": {Input{Snapshot: &store.Snapshot{
			Manifest: m(), Decisions: []entry.Entry{decision(1, "see ADR-002\n")},
		}}, "dangling-citation"},
		"registered": {Input{Snapshot: &store.Snapshot{
			Manifest: m(row), Artifacts: []artifact.Artifact{a(".lessons/a.md", "obs_a")},
		}}, ""},
		"a person's own": {Input{Snapshot: &store.Snapshot{
			Manifest: m(), Artifacts: []artifact.Artifact{a(".lessons/a.md", "")},
		}}, ""},
		"not registered": {Input{Snapshot: &store.Snapshot{
			Manifest: m(), Artifacts: []artifact.Artifact{a(".lessons/a.md", "obs_a")},
		}}, "unregistered"},
		"twice": {Input{Snapshot: &store.Snapshot{
			Manifest: m(row), Artifacts: []artifact.Artifact{a(".lessons/a.md", "obs_a"), a(".lessons/b.md", "obs_a")},
		}}, "marker-twice"},
		"what history tells": {Input{
			Snapshot: &store.Snapshot{Manifest: m(row)}, Further: []knowledge.Problem{{Path: ".lessons/a.md", Rule: "row-without-file"}},
		}, "row-without-file"},
	}
	for name, c := range cases {
		if got := rules(Run(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
