package reconcile

import (
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

var restoredCases = []scenario{
	{"22_conflict_solved_by_keeping", conflictKept, false},
	{"23_deletion_reverted", deletionReverted, true},
	{"24_tombstone_stays_after_the_revert", tombstoneStays, true},
	{"25_render_commit_reverted", renderReverted, true},
	{"26_restored_then_deleted_again", deletedAgain, true},
	{"27_hard_reset_before_the_deletion", hardReset, false},
}

func conflictKept(s *scene) {
	w := s.begin("a", "b")
	w.git("checkout", "-qb", "side")
	w.cut("a")
	w.Commit("Delete a")
	w.see()
	w.write()
	w.Commit("Publish the tombstone")
	w.git("checkout", "-q", "main")
	w.edit("a", "few words", "some words")
	w.Commit("Edit a")
	if _, err := w.TryGit("merge", "-q", "side"); err == nil {
		s.t.Fatal("the merge has no conflict")
	}
	w.git("add", s.pathOf("a"))
	w.CommitStaged("Merge, keeping a")
	w.expect(want{"a": "restored", "b": "unchanged"})
	w.wantVerdicts("a")
	w.expect(want{"a": "edited"})
	w.write()
	w.wantRow("a", s.pathOf("a"), 3)
	w.expect(want{"a": "edited"})
}

func deletionReverted(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.cut(name)
	deleted := w.Commit("Delete it")
	w.expect(want{name: "gone committed"})
	w.git("revert", "--no-edit", deleted)
	report := w.expect(want{name: "restored", "b": "unchanged"})
	s.check(report.Count(Restored) == 1, "restored counts %d", report.Count(Restored))
	w.wantVerdicts(name)
	report = w.expect(want{name: "unchanged"})
	confidence, status := verdict.Shown(w.clone.log.Get(idOf(name)), report.View, observe.Thresholds{})
	s.check(status == observe.Created && confidence == 0.95, "shown as %v %s", confidence, status)
}

func tombstoneStays(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.cut(name)
	deleted := w.Commit("Delete it")
	w.see()
	w.write()
	w.Commit("Publish the tombstone")
	w.git("revert", "--no-edit", deleted)
	w.wantTomb(name, deleted)
	w.expect(want{name: "restored", "b": "unchanged"})
	w.expect(want{name: "unchanged"})
	w.write()
	w.wantRow(name, s.pathOf(name), 3)
	w.expect(want{name: "unchanged"})
	// Another clone, without this ledger, sees the tombstone yield too.
	w.git("checkout", "-q", "--", ".")
	c := w.cloned()
	c.expect(want{name: "restored", "b": "unchanged"})
	c.write()
	c.wantRow(name, s.pathOf(name), 3)
}

func renderReverted(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	rendered := w.Commit("Render it")
	w.see()
	w.git("revert", "--no-edit", rendered)
	reverted := w.Head()
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == reverted, "commit %s, want the revert %s", item.Commit, reverted)
	w.wantVerdicts(name, "committed "+reverted)
	w.write()
	w.wantNoEntry(name)

	c := w.cloned()
	c.expect(want{name: "nothing", "b": "unchanged"})
	c.observe(name, observe.Created, 3)
	c.expect(want{name: "gone committed"})

	w.git("revert", "--no-edit", reverted)
	w.expect(want{name: "restored"})
	w.wantVerdicts(name)
	w.expect(want{name: "unchanged"})
}

func deletedAgain(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.cut(name)
	first := w.Commit("Delete it")
	w.see()
	w.git("revert", "--no-edit", first)
	w.expect(want{name: "restored"})
	w.cut(name)
	second := w.Commit("Delete it again")
	report := w.expect(want{name: "gone committed", "b": "unchanged"})
	s.check(w.item(report, name).Commit == second, "commit %s, want the second", w.item(report, name).Commit)
	s.check(report.Count(Gone) == 1, "deletions count %d", report.Count(Gone))
	w.wantVerdicts(name, "committed "+second)
	s.check(w.events(name, "verdict") == 2, "%d verdicts", w.events(name, "verdict"))
}

func hardReset(s *scene) {
	w := s.begin("a", "b")
	w.cut("a")
	w.Commit("Delete a")
	w.see()
	w.git("reset", "-q", "--hard", "HEAD~1")
	w.expect(want{"a": "restored", "b": "unchanged"})
	w.wantVerdicts("a")

	w.Write("README.md", "# Another title\n")
	w.cut("a")
	w.Commit("Delete a, and change the title")
	w.expect(want{"a": "gone committed"})
	w.git("checkout", "HEAD~1", "--", s.pathOf("a"))
	w.git("commit", "-q", "--amend", "-m", "Change the title")
	w.expect(want{"a": "restored", "b": "unchanged"})
	w.wantVerdicts("a")
	w.expect(want{"a": "unchanged"})
}
