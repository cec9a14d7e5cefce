package migrate

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
)

func TestMigrationsAreNumberedAndNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for i, m := range Migrations() {
		if m.Number != i+1 || m.Name == "" || m.About == "" || m.Plan == nil || seen[m.Name] {
			t.Errorf("migration %d: %+v", i+1, m)
		}
		seen[m.Name] = true
		if found, ok := MigrationNamed(m.Name); !ok || found.Number != m.Number {
			t.Errorf("%s is not found", m.Name)
		}
		plan := m.Plan(MigrationInput{Snapshot: &knowledge.Snapshot{Manifest: &knowledge.Manifest{}}})
		if len(plan.Changes)+len(plan.Does) > 0 {
			t.Errorf("%s does something to an empty repository: %v", m.Name, plan.Does)
		}
	}
}

// TestPurgeOfEntryFiles removes files of the layout files, keeps what has a
// marker or a row, and what stands in a file with a problem.
func TestPurgeOfEntryFiles(t *testing.T) {
	entry := func(n int, source string) knowledge.Entry {
		e := knowledge.Entry{Kind: knowledge.KindADR, Number: n, Title: "T", Source: source}
		e.Path = knowledge.EntryPath(e)
		return e
	}
	s := &knowledge.Snapshot{Manifest: &knowledge.Manifest{}}
	s.Decisions = []knowledge.Entry{entry(1, ""), entry(2, "obs_1"), entry(3, ""), entry(4, "")}
	s.Manifest.Rows = []knowledge.Row{{ObservationID: "obs_3", Type: "decision", Path: s.Decisions[2].Path, Anchor: "ADR-003"}}
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
