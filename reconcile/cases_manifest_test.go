package reconcile

import (
	"context"

	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

var manifestCases = []scenario{
	{"54_row_and_artifact_deleted_together", rowAndArtifact, true},
	{"55_manifest_deleted", manifestDeleted, true},
	{"56_whole_tool_removed", toolRemoved, true},
	{"58_orphan_branch", orphanBranch, true},
}

func rowAndArtifact(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	row, _ := w.manifest().Row(keyOf(name))
	w.cut(name)
	w.dropRow(name)
	deleted := w.Commit("Delete artifact and row")
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == deleted, "commit %s", item.Commit)
	w.wantVerdicts(name, "committed "+deleted)
	w.write()
	w.wantNoEntry(name)
	events, _ := verdict.ReadLedger("ledger", w.clone.ledger)
	s.check(verdict.Rejected(w.clone.log.Get(idOf(name)), w.manifest(), events) == verdict.Blocked, "not blocked")

	c := w.cloned()
	c.expect(want{name: "nothing", "b": "unchanged"})
	s.check(c.events(name, "verdict") == 0, "a verdict without a log")

	// A clone that is about to write it for the first time asks history before.
	repo, err := c.open(context.Background(), c.Dir)
	if err != nil {
		s.t.Fatal(err)
	}
	defer repo.Close()
	other := manifest.Row{ObservationID: "obs_new", Type: row.Type, Path: row.Path}
	removed, err := RemovedBefore(context.Background(), repo, []manifest.Row{row, other}, "here", func(string) int { return 7 })
	s.check(err == nil && len(removed) == 1, "removed before: %+v, %v", removed, err)
	if len(removed) == 1 {
		s.check(removed[0].Key() == row.Key() && removed[0].Commit == deleted && removed[0].N == 7, "removed before: %+v", removed[0])
	}
}

func manifestDeleted(s *scene) {
	w := s.begin("a", "adr1", "adr2")
	before := w.manifest()
	w.loseManifest()
	w.expect(want{"a": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
	w.git("add", "-A")
	w.expect(want{"a": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
	w.CommitStaged("Delete the manifest")
	report := w.expect(want{"a": "healed", "adr1": "healed", "adr2": "healed"})
	s.check(report.Count(Healed) == 3, "healed counts %d", report.Count(Healed))
	w.write()
	for _, r := range before.Rows {
		now, ok := w.manifest().Row(r.Key())
		s.check(ok && now.ContentHash == r.ContentHash && now.Path == r.Path && now.Anchor == r.Anchor, "the row of %s is not rebuilt: %+v", r.Path, now)
	}
	w.expect(want{"a": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
}

func toolRemoved(s *scene) {
	w := s.begin("a", "adr1", "adr2")
	w.Remove(".lessons")
	w.Remove(".memory")
	w.expect(want{"a": "pending", "adr1": "pending", "adr2": "pending"})
	w.Commit("Remove the tool")
	w.expect(want{"a": "norow", "adr1": "norow", "adr2": "norow"})
	for _, name := range []string{"a", "adr1", "adr2"} {
		w.wantVerdicts(name)
	}
	w.write()
	s.check(!w.Exists(".memory"), "--write brought the manifest back")
}

func orphanBranch(s *scene) {
	w := s.begin("a", "adr1", "adr2")
	w.git("checkout", "-q", "--orphan", "empty")
	w.git("rm", "-rqf", ".")
	w.expect(want{"a": "norow", "adr1": "norow", "adr2": "norow"})
	w.CommitStaged("Begin again")
	w.expect(want{"a": "norow", "adr1": "norow", "adr2": "norow"})
	w.wantVerdicts("a")
	w.git("checkout", "-q", "main")
	w.expect(want{"a": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
}
