package migrate

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

func TestMigrationsAreNumberedAndNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for i, m := range Migrations() {
		if m.Number != i+1 || m.Name == "" || m.About == "" || m.Plan == nil || seen[m.Name] {
			t.Errorf("migration %d: %+v", i+1, m)
		}
		seen[m.Name] = true
		plan := m.Plan(MigrationInput{Snapshot: &store.Snapshot{Manifest: &manifest.Manifest{}}})
		if len(plan.Changes)+len(plan.Does) > 0 {
			t.Errorf("%s does something to an empty repository: %v", m.Name, plan.Does)
		}
	}
}

// TestPurgeOfEntryFiles removes files of the layout files, keeps what has a
// marker or a row, and what stands in a file with a problem.
func TestPurgeOfEntryFiles(t *testing.T) {
	entryOf := func(n int, source string) entry.Entry {
		e := entry.Entry{Kind: knowledge.KindADR, Number: n, Title: "T", Source: source}
		e.Path = entry.Path(e)
		return e
	}
	s := &store.Snapshot{Manifest: &manifest.Manifest{}}
	s.Decisions = []entry.Entry{entryOf(1, ""), entryOf(2, "obs_1"), entryOf(3, ""), entryOf(4, "")}
	s.Manifest.Rows = []manifest.Row{{ObservationID: "obs_3", Type: "decision", Path: s.Decisions[2].Path, Anchor: "ADR-003"}}
	s.Problems = []knowledge.Problem{{Path: s.Decisions[3].Path}}
	plan := purgeV3(MigrationInput{Snapshot: s})
	if len(plan.Changes) != 1 || plan.Changes[0].Path != s.Decisions[0].Path || plan.Changes[0].After != nil || len(plan.Keeps) != 2 {
		t.Errorf("%+v", plan)
	}
	if plan := purgeV2(MigrationInput{Snapshot: s}); len(plan.Changes) != 0 {
		t.Errorf("v2 takes %v", plan.Does)
	}
	marked := map[string][]byte{MigrationFiles[0]: []byte("source: self-learning:x"), MigrationFiles[1]: []byte("seeded")}
	if plan := purgeV2(MigrationInput{Snapshot: s, Files: marked}); len(plan.Changes) != 1 || plan.Changes[0].Path != MigrationFiles[1] {
		t.Errorf("%+v", plan)
	}
}
