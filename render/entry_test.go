package render_test

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// fieldsOf renders an observation as the only entry of its kind.
func fieldsOf(t *testing.T, o *observe.Observation) map[string]string {
	t.Helper()
	o.Status = observe.Ready
	r := newRepository(t, entry.LayoutFiles, o)
	r.render()
	s := r.load()
	entries := append(s.Decisions, s.Pitfalls...)
	if len(entries) != 1 {
		t.Fatalf("%d entries", len(entries))
	}
	fields := map[string]string{}
	for _, f := range entries[0].Fields {
		fields[f.Name] = f.Value
	}
	return fields
}

func TestADecisionsPartsStandUnderTheirNames(t *testing.T) {
	for details, want := range map[string][2]string{ // Because, Consequences
		"decision: x; rationale: because it is simple":                  {"it is simple", ""},
		"decision: x; rationale: it is simple; consequences: no joins":  {"it is simple", "no joins"},
		"decision: x; consequences: no joins, since nobody knows joins": {"", "no joins, since nobody knows joins"},
	} {
		o := decision()
		o.Details = details
		got := fieldsOf(t, o)
		if got["Because"] != want[0] || got["Consequences"] != want[1] {
			t.Errorf("%s: %q", details, got)
		}
	}
}

func TestWhatAPersonWroteClaimsNoSession(t *testing.T) {
	o := seenIn(decision(), 1, 1, 1)
	o.Origin, o.Sessions, o.Recorded = observe.OriginManual, nil, observe.RecordedManual
	if got := fieldsOf(t, o); got["Seen"] != "" {
		t.Errorf("seen: %q", got["Seen"])
	}
	o = seenIn(o, 2, 1, 3)
	o.Recorded = observe.RecordedManual
	if got := fieldsOf(t, o); !strings.HasPrefix(got["Seen"], "2 sessions") {
		t.Errorf("seen in sessions later: %q", got["Seen"])
	}
}

func TestAPitfallHasItsArea(t *testing.T) {
	for area, set := range map[string]func(*observe.Observation){
		"internal/cart":       func(o *observe.Observation) { o.Details = "area: internal/cart; issue: x" },
		"api/cart.go, go.sum": func(o *observe.Observation) { o.Pattern = "Touch `go.sum` with api/cart.go." },
		"golangci-lint":       func(o *observe.Observation) { o.Tags = []string{"severity:high", "tool:golangci-lint"} },
		"":                    func(o *observe.Observation) {},
		".github/workflows":   func(o *observe.Observation) { o.Pattern = "Keep secrets out of .github/workflows." },
		"shell": func(o *observe.Observation) {
			o.Tags = []string{"tool:shell"}
			o.Details = "issue: `ls .plans/14-*/*-PLAN.md docs/a.md 2>/dev/null` failed: no matches found: .plans/14-*/*-PLAN.md, docs/a.md"
		},
	} {
		o := seenIn(&observe.Observation{ID: "obs_area000001", Type: knowledge.Pitfall, Pattern: "It breaks at night", QualityOK: true}, 2, 1, 2)
		set(o)
		if got := fieldsOf(t, o)["Area"]; got != area {
			t.Errorf("area %q, want %q", got, area)
		}
	}
}
