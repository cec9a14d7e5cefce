package migrate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// planOf plans for a repository that holds nothing but what prepare adds.
func planOf(t *testing.T, things []Thing, prepare func(*store.Snapshot)) Plan {
	t.Helper()
	s := &store.Snapshot{Manifest: &manifest.Manifest{}, Log: &observe.Log{}, Config: config.Default()}
	if prepare != nil {
		prepare(s)
	}
	p, err := NewPlan(s, things, Options{Project: "/home/ada/app", Now: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func decision(n int) Thing {
	t := Thing{
		Source: Source{Format: "adr", Path: fmt.Sprintf("docs/adr/%04d-x.md", n), ID: fmt.Sprintf("%04d-x", n)}, Kind: knowledge.KindADR,
		Title: fmt.Sprintf("Decision %d", n), Status: "Accepted", Names: []string{fmt.Sprintf("ADR-%d", n)},
	}
	t.field(entry.FieldDecision, fmt.Sprintf("As in ADR-%d.", n-1))
	return t
}

func TestNothingIsLostAtTheCeiling(t *testing.T) {
	var things []Thing
	for n := range 130 {
		things = append(things, decision(n+1))
	}
	p := planOf(t, things, nil)
	book, problems := entry.ParseBook(p.Changes[0].Path, p.Changes[0].After)
	if len(book.Entries) != 130 || len(problems) > 0 || len(p.Manifest.Rows) != 130 || len(p.Log.Observations()) != 130 {
		t.Errorf("%d entries, %d rows, %v", len(book.Entries), len(p.Manifest.Rows), problems)
	}
	if len(p.Notices) != 1 || !strings.Contains(p.Notices[0], "130 active decisions") {
		t.Errorf("notices: %q", p.Notices)
	}
}

func TestNumbersFollowWhatWasEverUsed(t *testing.T) {
	p := planOf(t, []Thing{decision(1), decision(2)}, func(s *store.Snapshot) {
		s.Manifest.Bury(manifest.Tombstone{Row: manifest.Row{ObservationID: "x", Type: "decision", Anchor: "ADR-040"}})
	})
	text := string(p.Changes[0].After)
	for _, want := range []string{"## ADR-041: Decision 1", "## ADR-042: Decision 2", "As in ADR-041.", "As in ADR 0."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestVerdictsStand(t *testing.T) {
	one := decision(1)
	key := knowledge.Key{Observation: one.ID(), Kind: knowledge.KindADR}
	cases := map[string]struct {
		prepare func(*store.Snapshot)
		want    Outcome
	}{
		"a row": {func(s *store.Snapshot) {
			s.Manifest.PutRow(manifest.Row{ObservationID: key.Observation, Type: "decision", Path: "x"})
		}, Known},
		"a tombstone": {func(s *store.Snapshot) {
			s.Manifest.Bury(manifest.Tombstone{Row: manifest.Row{ObservationID: key.Observation, Type: "decision"}})
		}, Removed},
		"a verdict": {func(s *store.Snapshot) {
			s.Ledger = []verdict.Event{{Event: verdict.EventVerdict, ID: key.Observation, Type: "decision"}}
		}, Removed},
		"a marker": {func(s *store.Snapshot) {
			s.Artifacts = []artifact.Artifact{{Kind: knowledge.KindADR, Source: key.Observation, Path: "x", Anchor: "ADR-001"}}
		}, Known},
		"the log alone: the import was undone": {func(s *store.Snapshot) {
			s.Log.Put(&observe.Observation{ID: key.Observation, Type: knowledge.Decision})
		}, Imported},
		"another kind": {func(s *store.Snapshot) {
			s.Manifest.PutRow(manifest.Row{ObservationID: key.Observation, Type: "pitfall", Path: "x"})
		}, Imported},
	}
	for name, c := range cases {
		if p := planOf(t, []Thing{one}, c.prepare); p.Count(c.want) != 1 {
			t.Errorf("%s: %+v, want %s", name, p.Items, c.want)
		}
	}
	if p := planOf(t, []Thing{one, one}, nil); p.Count(Imported) != 1 || p.Count(Known) != 1 {
		t.Errorf("twice in one import: %+v", p.Items)
	}
}

func TestScoped(t *testing.T) {
	for scope, want := range map[string]bool{"home-ada-app": true, "app": true, "Users-bob-app": true, "home-ada": true, "home-ada-ap": false, "home-bob-other": false} {
		if got := scoped(scope, "/home/ada/app"); got != want {
			t.Errorf("%s: %v", scope, got)
		}
	}
}
