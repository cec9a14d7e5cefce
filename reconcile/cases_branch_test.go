package reconcile

import "github.com/lessons-cli/lessons/knowledge/observe"

var branchCases = []scenario{
	{"12_rendered_on_another_branch", otherBranch, true},
	{"13_its_branch_deleted_unmerged", otherBranchDeleted, true},
	{"14_manifest_carried_dirty", manifestCarried, true},
	{"15_carried_and_the_branch_deleted", carriedAndDeleted, false},
	{"30_deleted_on_another_branch", deletedElsewhere, true},
	{"31_that_branch_merged", deletedThenMerged, true},
	{"32_that_branch_deleted_unmerged", deletedThenDropped, true},
	{"33_tombstone_carried_uncommitted", tombstoneCarried, true},
	{"34_tombstone_on_main_and_an_older_branch", tombstoneAndOlderBranch, true},
	{"35_detached_head", detachedHead, true},
	{"41_squash_merge", squashMerge, true},
	{"42_added_and_deleted_in_one_squash", squashOfBoth, true},
	{"43_rebase_merge_and_cherry_pick", rebaseMerge, true},
}

func otherBranch(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "A")
	w.render(name)
	w.Commit("Render it")
	w.expect(want{name: "unchanged", "b": "unchanged"})
	w.git("checkout", "-q", "main")
	report := w.expect(want{name: "norow", "b": "unchanged"})
	s.check(!report.View.Gone[keyOf(name)], "gone in the view")
	w.wantVerdicts(name)
	w.write()
	w.wantNoEntry(name)
	w.git("merge", "-q", "A")
	w.expect(want{name: "unchanged", "b": "unchanged"})
}

func otherBranchDeleted(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "A")
	w.render(name)
	w.Commit("Render it")
	w.see()
	w.git("checkout", "-q", "main")
	w.git("branch", "-qD", "A")
	w.expect(want{name: "lost", "b": "unchanged"})
	w.wantVerdicts(name)
}

func manifestCarried(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.git("checkout", "-qb", "A")
	w.git("add", s.pathOf(name))
	w.CommitStaged("Commit the artifact alone")
	w.see()
	w.git("checkout", "-q", "main")
	w.expect(want{name: "skipped elsewhere", "b": "unchanged"})
	w.wantVerdicts(name)
}

func carriedAndDeleted(s *scene) {
	for _, names := range [][]string{{"a"}, {"a", "c"}} {
		w := s.begin("b")
		w.render(names...)
		w.git("checkout", "-qb", "A")
		w.git("add", s.pathOf("a"), ".lessons")
		w.CommitStaged("Commit the artifacts alone")
		w.see()
		w.git("checkout", "-q", "main")
		w.git("branch", "-qD", "A")
		w.expect(want{"a": "lost", "b": "unchanged"})
		if len(names) > 1 {
			w.expire()
			w.expect(want{"a": "lost", "c": "lost", "b": "unchanged"})
		}
		w.clone.log = &observe.Log{} // nobody here could write them again
		if len(names) > 1 {
			w.expect(want{"a": "pending", "c": "pending", "b": "unchanged"})
		} else {
			w.expect(want{"a": "skipped abandoned", "b": "unchanged"})
		}
		w.wantVerdicts("a")
	}
}

// expire forgets what only reflogs reach.
func (w *tree) expire() {
	w.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
	w.git("gc", "-q", "--prune=now")
}

// deletedOnSide has a deletion on branch side, and main checked out.
func (s *scene) deletedOnSide(name string) (w *tree, deleted string) {
	w = s.begin(name, "b", "adr2")
	w.git("checkout", "-qb", "side")
	w.cut(name)
	deleted = w.Commit("Delete it")
	w.expect(want{name: "gone committed", "b": "unchanged"})
	w.git("checkout", "-q", "main")
	return w, deleted
}

func deletedElsewhere(s *scene) {
	name := s.subject()
	w, deleted := s.deletedOnSide(name)
	w.expect(want{name: "unchanged", "b": "unchanged"})
	w.wantVerdicts(name, "committed "+deleted)
	w.write()
	w.wantRow(name, s.pathOf(name), 1)
}

func deletedThenMerged(s *scene) {
	name := s.subject()
	w, deleted := s.deletedOnSide(name)
	w.Write("README.md", "# Another title\n")
	w.Commit("Go on")
	w.see()
	w.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == deleted, "commit %s, want %s", item.Commit, deleted)
	s.check(!item.New, "the same deletion is new")
	w.wantVerdicts(name, "committed "+deleted)
	s.check(w.events(name, "verdict") == 1, "%d verdicts", w.events(name, "verdict"))
}

func deletedThenDropped(s *scene) {
	name := s.subject()
	w, _ := s.deletedOnSide(name)
	w.git("branch", "-qD", "side")
	w.expect(want{name: "restored", "b": "unchanged"})
	w.wantVerdicts(name)
	w.expect(want{name: "unchanged"})
}

func tombstoneCarried(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.git("checkout", "-qb", "side")
	w.cut(name)
	deleted := w.Commit("Delete it")
	w.see()
	w.write()
	w.git("checkout", "-q", "main")
	w.wantTomb(name, deleted)
	w.expect(want{name: "skipped tombstone of another branch", "b": "unchanged"})
	w.write()
	w.wantTomb(name, deleted)
	w.wantVerdicts(name, "committed "+deleted)
}

func tombstoneAndOlderBranch(s *scene) {
	name := s.subject()
	for _, direction := range []string{"main", "old"} {
		w := s.begin(name, "b", "adr2")
		w.git("branch", "old")
		w.cut(name)
		deleted := w.Commit("Delete it")
		w.see()
		w.write()
		w.Commit("Publish the tombstone")
		w.git("checkout", "-q", "old")
		w.expect(want{name: "unchanged", "b": "unchanged"})
		w.Write("old.md", "x\n")
		w.Commit("Go on")
		other := "main"
		if direction == "main" {
			w.git("checkout", "-q", "main")
			other = "old"
		}
		w.git("merge", "-q", "--no-ff", "-m", "Merge", other)
		w.expect(want{name: "gone tombstone", "b": "unchanged"})
		w.wantTomb(name, deleted)
	}
}

func detachedHead(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	before := w.Head()
	w.render(name)
	rendered := w.Commit("Render it")
	w.see()
	w.cut(name)
	deleted := w.Commit("Delete it")
	w.see()
	w.git("checkout", "-q", "--detach", rendered)
	w.expect(want{name: "unchanged", "b": "unchanged"})
	w.wantVerdicts(name, "committed "+deleted)
	w.git("checkout", "-q", "--detach", before)
	w.expect(want{name: "norow", "b": "unchanged"})
	w.wantVerdicts(name, "committed "+deleted)
}

func squashMerge(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "side")
	w.render(name)
	w.Commit("Render it")
	w.see()
	w.git("checkout", "-q", "main")
	w.git("merge", "-q", "--squash", "side")
	w.CommitStaged("Squash")
	w.git("branch", "-qD", "side")
	w.expect(want{name: "unchanged", "b": "unchanged"})
	w.cut(name)
	deleted := w.Commit("Delete it")
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == deleted, "commit %s", item.Commit)
}

func squashOfBoth(s *scene) {
	name := s.subject()
	squashed := func(tombstone bool) *tree {
		w := s.begin("b", "adr2")
		w.git("checkout", "-qb", "side")
		w.render(name)
		w.Commit("Render it")
		w.see()
		w.cut(name)
		w.Commit("Delete it")
		w.see()
		if tombstone {
			w.write()
			w.Commit("Publish the tombstone")
		}
		w.git("checkout", "-q", "main")
		w.git("merge", "-q", "--squash", "side")
		w.CommitStaged("Squash both")
		return w
	}
	w := squashed(true)
	w.expect(want{name: "gone tombstone", "b": "unchanged"})
	w.cloned("--single-branch").expect(want{name: "gone tombstone", "b": "unchanged"})

	w = squashed(false)
	w.expect(want{name: "skipped elsewhere", "b": "unchanged"})
	w.cloned("--single-branch").expect(want{name: "skipped never here", "b": "unchanged"})
}

func rebaseMerge(s *scene) {
	name := s.subject()
	w, _ := s.deletedOnSide(name)
	w.Write("README.md", "# Another title\n")
	w.Commit("Go on")
	w.see()
	w.git("checkout", "-q", "side")
	w.git("rebase", "-q", "main")
	w.git("checkout", "-q", "main")
	w.git("merge", "-q", "--ff-only", "side")
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == w.Head(), "commit %s", item.Commit)
	s.check(w.events(name, "verdict") <= 2, "%d verdicts", w.events(name, "verdict"))

	w, deleted := s.deletedOnSide(name)
	w.Write("README.md", "# Another title\n")
	w.Commit("Go on")
	w.git("cherry-pick", deleted)
	item = w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == w.Head(), "commit %s", item.Commit)
	s.check(w.events(name, "verdict") <= 2, "%d verdicts", w.events(name, "verdict"))
}
