package reconcile

import (
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

var deletedCases = []scenario{
	{"09_deleted_and_committed", deletedAndCommitted, true},
	{"10_deleted_staged", deletedStaged, true},
	{"10b_staged_then_committed_unstaged_or_checked_out", afterStaged, true},
	{"11_deleted_in_the_work_tree_only", deletedInWorkTree, true},
	{"21_conflict_solved_by_deleting", conflictDeleted, false},
	{"28_deletion_commit_amended", deletionAmended, false},
	{"29_soft_reset_before_the_deletion", softReset, false},
	{"44_merge_into_a_side_that_never_had_it", mergeIntoInnocent, true},
	{"45_removed_inside_the_merge_commit", evilMerge, true},
	{"57_artifact_folder_deleted", folderDeleted, true},
	{"62_backdated_commits", backdated, true},
	{"79_second_render_deleted_again", secondRender, true},
}

// subject is the artifact that a case is about: a lesson in layout book, an
// entry file in layout files.
func (s *scene) subject() string {
	if s.layout == "files" {
		return "adr1"
	}
	return "a"
}

func deletedAndCommitted(s *scene) {
	for _, name := range []string{"a", "adr1", "cmd"} {
		w := s.begin(name, "b", "adr2")
		o := w.clone.log.Get(idOf(name))
		w.cut(name)
		deleted := w.Commit("Delete it")
		report := w.expect(want{name: "gone committed", "b": "unchanged", "adr2": "unchanged"})
		item := w.item(report, name)
		s.check(report.Count(Gone) == 1, "deletions count %d", report.Count(Gone))
		s.check(item.Commit == deleted, "commit %s, want %s", item.Commit, deleted)
		s.check(item.By == "Ada Author <ada@example.org>", "by %q", item.By)
		_, status := verdict.Shown(o, report.View, observe.Thresholds{})
		s.check(status == observe.Deprecated, "shown as %s", status)
		w.wantVerdicts(name, "committed "+deleted)
		w.wantRow(name, s.pathOf(name), 1)
		w.write()
		w.wantTomb(name, deleted)
		w.expect(want{name: "gone tombstone"})
		w.Commit("Publish the tombstone")
		w.expect(want{name: "gone tombstone"})
		s.check(w.events(name, "verdict") == 1, "%d verdicts", w.events(name, "verdict"))
		s.check(verdict.Rejected(o, w.manifest(), nil) == verdict.Blocked, "not blocked by the tombstone")
	}
}

func deletedStaged(s *scene) {
	w := s.begin("adr1", "b", "adr2")
	w.cut("adr1")
	w.git("add", "-A")
	w.expect(want{"adr1": "gone staged", "b": "unchanged", "adr2": "unchanged"})
	w.wantVerdicts("adr1", "staged")
	w.write()
	w.wantRow("adr1", s.pathOf("adr1"), 1)
}

func afterStaged(s *scene) {
	staged := func() *tree {
		w := s.begin("adr1", "b", "adr2")
		w.cut("adr1")
		w.git("add", "-A")
		w.see()
		return w
	}
	w := staged()
	deleted := w.CommitStaged("Delete it")
	report := w.expect(want{"adr1": "gone committed"})
	s.check(report.Count(Gone) == 0, "a completed verdict counts as a new deletion")
	w.wantVerdicts("adr1", "committed "+deleted)

	w = staged()
	w.git("reset", "-q")
	w.expect(want{"adr1": "pending"})
	w.wantVerdicts("adr1", "staged")

	w = staged()
	w.git("reset", "-q")
	w.git("checkout", "--", ".")
	w.expect(want{"adr1": "restored"})
	w.wantVerdicts("adr1")
	w.expect(want{"adr1": "unchanged"})
}

func deletedInWorkTree(s *scene) {
	w := s.begin("a", "adr1", "b", "adr2")
	w.cut("a")
	w.cut("adr1")
	w.expect(want{"a": "pending", "adr1": "pending", "b": "unchanged", "adr2": "unchanged"})
	w.write()
	w.wantRow("a", s.pathOf("a"), 1)
	w.wantRow("adr1", s.pathOf("adr1"), 1)
	w.wantVerdicts("a")
}

func conflictDeleted(s *scene) {
	w := s.begin("a", "b")
	w.git("checkout", "-qb", "side")
	w.cut("a")
	deleted := w.Commit("Delete a")
	w.git("checkout", "-q", "main")
	w.edit("a", "few words", "some words")
	w.Commit("Edit a")
	if _, err := w.TryGit("merge", "-q", "side"); err == nil {
		s.t.Fatal("the merge has no conflict")
	}
	w.abort("merge")
	w.git("rm", "-q", s.pathOf("a"))
	w.CommitStaged("Merge, deleting a")
	item := w.item(w.expect(want{"a": "gone committed", "b": "unchanged"}), "a")
	s.check(item.Commit == deleted, "commit %s, want the branch's %s", item.Commit, deleted)
	w.write()
	w.wantTomb("a", deleted)

	// Both sides edited it, and the person who merged deleted it: nobody before did.
	w = s.begin("a", "b")
	w.git("checkout", "-qb", "side")
	w.edit("a", "few words", "side words")
	w.Commit("Edit a aside")
	w.git("checkout", "-q", "main")
	w.edit("a", "few words", "main words")
	w.Commit("Edit a")
	if _, err := w.TryGit("merge", "-q", "side"); err == nil {
		s.t.Fatal("the merge has no conflict")
	}
	w.git("rm", "-qf", s.pathOf("a"))
	merge := w.CommitStaged("Merge, deleting a")
	item = w.item(w.expect(want{"a": "gone committed", "b": "unchanged"}), "a")
	s.check(item.Commit == merge, "commit %s, want the merge %s", item.Commit, merge)
}

func deletionAmended(s *scene) {
	w := s.begin("a", "b")
	w.cut("a")
	w.Commit("Delete a")
	w.see()
	w.Write("README.md", "# Another title\n")
	w.git("add", "-A")
	w.git("commit", "-q", "--amend", "-m", "Delete a and change the title")
	item := w.item(w.expect(want{"a": "gone committed"}), "a")
	s.check(item.Commit == w.Head(), "commit %s", item.Commit)
	s.check(!item.New, "an amended deletion is a new one")
}

func softReset(s *scene) {
	w := s.begin("a", "b")
	w.cut("a")
	deleted := w.Commit("Delete a")
	w.see()
	w.git("reset", "-q", "--soft", "HEAD~1")
	w.expect(want{"a": "gone staged", "b": "unchanged"})
	w.wantVerdicts("a", "committed "+deleted)
}

// mergeIntoInnocent: the artifact folders of main never held the file, and its
// row came by itself, so that the merge changes nothing there.
func mergeIntoInnocent(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "side")
	w.render(name)
	w.Commit("Render it")
	w.cut(name)
	deleted := w.Commit("Delete it")
	w.git("checkout", "-q", "main")
	m := manifest.Path
	if s.layout == "files" {
		m = manifest.Folder
	}
	w.git("checkout", "side", "--", m)
	w.Commit("Take the row alone")
	w.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
	c := w.cloned("--single-branch")
	item := c.item(c.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == deleted, "commit %s, want %s", item.Commit, deleted)
}

func evilMerge(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.git("checkout", "-qb", "side")
	w.Write("side.md", "x\n")
	w.Commit("Go aside")
	w.git("checkout", "-q", "main")
	w.Write("README.md", "# Another title\n")
	w.Commit("Go on")
	w.git("merge", "-q", "--no-ff", "--no-commit", "side")
	w.cut(name)
	w.git("add", "-A")
	merge := w.CommitStaged("Merge, and delete it")
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == merge, "commit %s, want the merge %s", item.Commit, merge)
	w.write()
	w.wantTomb(name, merge)
}

func folderDeleted(s *scene) {
	w := s.begin("a", "b", "c", "adr1", "adr2")
	w.Remove(".lessons")
	w.Remove(".memory/knowledge")
	deleted := w.Commit("Delete the folders")
	w.expect(want{"a": "gone committed", "b": "gone committed", "c": "gone committed", "adr1": "gone committed", "adr2": "gone committed"})
	w.write()
	for _, name := range []string{"a", "b", "c", "adr1", "adr2"} {
		w.wantTomb(name, deleted)
	}
}

func backdated(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	old := w.With("GIT_COMMITTER_DATE=2001-01-01T00:00:00Z", "GIT_AUTHOR_DATE=2001-01-01T00:00:00Z")
	old.Write("x.md", "x\n")
	old.Commit("From another time")
	w.cut(name)
	deleted := old.Commit("Delete it, long ago")
	old.Write("x.md", "y\n")
	old.Commit("From another time again")
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == deleted, "commit %s, want %s", item.Commit, deleted)
}

func secondRender(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.cut(name)
	first := w.Commit("Delete it")
	w.see()
	w.write()
	w.wantTomb(name, first)
	w.Commit("Publish the tombstone")
	w.observe(name, observe.Created, 6)
	w.place(name, textOf(name))
	m := w.manifest()
	row := w.rowFor(name)
	row.N = 6
	m.PutRow(row)
	w.store(m)
	w.Commit("Render it again, with twice the evidence")
	w.wantRow(name, s.pathOf(name), 3)
	w.see()
	w.cut(name)
	second := w.Commit("Delete it again")
	item := w.item(w.expect(want{name: "gone committed"}), name)
	s.check(item.Commit == second, "commit %s, want the second %s", item.Commit, second)
	w.write()
	w.wantTomb(name, second)
	stone, _ := w.manifest().Tombstone(keyOf(name))
	s.check(stone.Rev == 4 && stone.N == 6, "rev %d, n %d", stone.Rev, stone.N)
}
