package reconcile

import (
	"os"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/observe"
)

// TestUndelivered plays the ways in which what was rendered goes without a commit
// that removed it, and those that look alike.
func TestUndelivered(t *testing.T) {
	for _, c := range []scenario{
		{"work_tree_removed", workTreeRemoved, true},
		{"stash_dropped", stashDropped, true},
		{"reset_hard_of_staged_files", resetStaged, true},
		{"reset_hard_of_a_commit", resetCommit, true},
		{"cleaned_with_the_row", cleanedWithRow, true},
		{"cleaned_without_the_row", cleanedWithoutRow, false},
		{"branch_deleted_unmerged", branchDeleted, true},
		{"manifest_carried_and_branch_deleted", carriedAndBranchDeleted, true},
		{"history_rewritten", historyRewritten, true},
		{"renamed_before_its_commit_on_another_branch", renamedElsewhere, true},
		{"removed_on_a_branch_that_was_deleted", removedThenBranchDeleted, true},
		{"removed_unseen_on_a_branch_that_was_deleted", removedUnseen, true},
		{"removed_by_a_commit", removedByCommit, true},
		{"said_by_another_artifact", saidByAnother, false},
		{"observation_deprecated", deprecatedObservation, false},
	} {
		for _, layout := range c.layouts() {
			t.Run(c.name+"/"+layout, func(t *testing.T) {
				t.Parallel()
				s := &scene{t: t, layout: layout}
				c.play(s)
				for _, failure := range s.failed {
					t.Error(failure)
				}
			})
		}
	}
}

// wantLost expects that names are lost, and that this is no verdict.
func (w *tree) wantLost(names ...string) {
	w.s.t.Helper()
	report := w.look()
	for _, name := range names {
		w.answers(report, want{name: "lost"})
		w.s.check(report.View.Lost[keyOf(name)] && !report.View.Gone[keyOf(name)], "the view does not say that %s is lost", name)
		w.wantVerdicts(name)
	}
	w.write()
	w.answers(w.look(), want{names[0]: "lost"})
}

func workTreeRemoved(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	other := w.linked("side")
	other.render(name)
	other.see()
	report := w.expect(want{name: "norow", "b": "unchanged"})
	s.check(w.item(report, name).Reason == "another work tree has it, not committed", "%q", w.item(report, name).Reason)
	w.git("worktree", "remove", "--force", other.Dir)
	w.wantLost(name)

	w = s.begin("b", "adr2")
	other = w.linked("side")
	other.render(name)
	other.Commit("Render it")
	other.see()
	w.git("worktree", "remove", other.Dir)
	w.expect(want{name: "norow"})
	w.git("branch", "-qD", "side")
	w.wantLost(name)

	w = s.begin("b", "adr2")
	other = w.linked("side")
	other.render(name)
	other.see()
	s.check(os.RemoveAll(other.Dir) == nil, "the work tree cannot be deleted")
	w.wantLost(name)
}

func stashDropped(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.see()
	w.git("stash", "push", "-q", "-u")
	w.expect(want{name: "norow"})
	w.Write("README.md", "# Another title\n")
	w.git("stash", "push", "-q")
	report := w.expect(want{name: "norow"}) // an older entry of the stash has it
	s.check(w.item(report, name).Reason == "another branch or the stash has it", "%q", w.item(report, name).Reason)
	w.git("stash", "drop", "-q", "stash@{1}")
	w.wantLost(name)
}

func resetStaged(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.see()
	w.git("add", "-A")
	w.git("reset", "-q", "--hard")
	w.wantLost(name)
}

func resetCommit(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.Commit("Render it")
	w.see()
	w.git("reset", "-q", "--hard", "HEAD~1")
	w.wantLost(name)
	w.expire()
	w.wantLost(name)
}

func cleanedWithRow(s *scene) {
	w := s.begin()
	name := s.subject()
	w.render("b", name)
	w.see()
	w.git("clean", "-qfd")
	w.wantLost(name, "b")

	if s.layout == "files" { // a single one, whose neighbours are committed
		w = s.begin("b")
		w.render("a")
		w.see()
		w.git("clean", "-qfd")
		w.wantLost("a")
	}
}

func cleanedWithoutRow(s *scene) {
	w := s.begin("b")
	w.render("a", "c")
	w.see()
	w.git("clean", "-qfd")
	w.wantLost("a", "c")
	w.wantRow("a", s.pathOf("a"), 1)
	w.git("commit", "-qam", "Commit the rows")
	w.wantLost("a", "c")

	w = s.begin("b")
	w.render("a", "c")
	w.see()
	w.clone.log = &observe.Log{} // nobody here could write them again
	w.git("clean", "-qfd")
	w.expect(want{"a": "pending", "c": "pending", "b": "unchanged"})
}

func branchDeleted(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "A")
	w.render(name)
	w.Commit("Render it")
	w.see()
	w.git("update-ref", "refs/remotes/origin/A", "A")
	w.git("checkout", "-q", "main")
	w.git("branch", "-qD", "A")
	w.expect(want{name: "norow", "b": "unchanged"})
	w.git("update-ref", "-d", "refs/remotes/origin/A")
	w.wantLost(name)
	w.expire()
	w.wantLost(name)
}

func carriedAndBranchDeleted(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.git("checkout", "-qb", "A")
	w.git("add", s.pathOf(name))
	w.CommitStaged("Commit the artifact alone")
	w.see()
	w.git("checkout", "-q", "main")
	w.expect(want{name: "skipped elsewhere"})
	w.git("branch", "-qD", "A")
	w.wantLost(name)
}

func historyRewritten(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.Commit("Render it")
	w.see()
	w.git("reset", "-q", "--hard", "HEAD~1")
	w.git("commit", "-q", "--amend", "-m", "Another history")
	w.wantLost(name)
}

func renamedElsewhere(s *scene) {
	name, inside := s.mover()
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "A")
	w.render(name)
	w.see()
	w.Write(inside, w.Read(s.pathOf(name)))
	w.Remove(s.pathOf(name))
	w.write()
	w.Commit("Render it, under another name")
	w.git("checkout", "-q", "main")
	w.expect(want{name: "norow", "b": "unchanged"})
}

func removedThenBranchDeleted(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "A")
	w.render(name)
	w.Commit("Render it")
	w.see()
	w.cut(name)
	removed := w.Commit("Remove it")
	w.see()
	w.git("checkout", "-q", "main")
	w.git("branch", "-qD", "A")
	w.expect(want{name: "norow", "b": "unchanged"})
	w.wantVerdicts(name, "committed "+removed)
}

func removedUnseen(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.see()
	w.git("checkout", "-qb", "A")
	w.git("add", s.pathOf(name))
	w.CommitStaged("Commit the artifact alone")
	w.git("rm", "-q", "--cached", s.pathOf(name))
	w.CommitStaged("Remove it")
	w.cut(name)
	w.git("checkout", "-q", "main")
	w.git("branch", "-qD", "A")
	w.expect(want{name: "skipped abandoned", "b": "unchanged"})
}

func removedByCommit(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2", name)
	w.cut(name)
	w.dropRow(name)
	w.Commit("Remove it with its row")
	w.expect(want{name: "gone committed", "b": "unchanged"})

	w = s.begin("b", "adr2")
	w.render(name)
	w.dropRow(name)
	w.Commit("Commit it without its row")
	w.see()
	w.cut(name)
	w.Commit("Remove it")
	w.expect(want{name: "norow", "b": "unchanged"})
}

func saidByAnother(s *scene) {
	w := s.begin("b")
	w.observe("a", observe.Created, 3) // it was never rendered: b says the same
	w.expect(want{"a": "norow", "b": "unchanged"})
}

func deprecatedObservation(s *scene) {
	w := s.begin("b")
	w.render("a")
	w.see()
	w.git("clean", "-qfd")
	w.Remove(".memory")
	w.git("checkout", "-q", ".memory")
	w.observe("a", observe.Deprecated, 3)
	w.expect(want{"a": "nothing", "b": "unchanged"})
}
