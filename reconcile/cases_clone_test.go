package reconcile

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

var cloneCases = []scenario{
	{"36_second_developer_pulls_the_deletion", pulled, true},
	{"37_fresh_clone_without_log", freshClone, true},
	{"38_shallow_with_tombstone", shallowTombstone, true},
	{"39_shallow_without_tombstone", shallowNoTombstone, true},
	{"40_blobless_clone", blobless, true},
	{"47_untracked_by_rm_cached_and_pulled", untrackedAndPulled, false},
	{"48_ignored_folder_in_another_clone", ignoredElsewhere, false},
	{"50_row_committed_artifact_forgotten", artifactForgotten, false},
	{"51_artifact_committed_row_forgotten", rowForgotten, true},
	{"75_history_rewritten_under_a_clone", rewritten, false},
}

func pulled(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	c := w.cloned()
	c.observe(name, observe.Created, 2)
	c.expect(want{name: "unchanged", "b": "unchanged"})
	w.cut(name)
	deleted := w.Commit("Delete it")
	c.git("pull", "-q")
	report := c.expect(want{name: "gone committed", "b": "unchanged"})
	c.wantVerdicts(name, "committed "+deleted)
	confidence, status := verdict.Shown(c.clone.log.Get(idOf(name)), report.View, observe.Thresholds{})
	s.check(status == observe.Deprecated && confidence < 0.3, "shown as %v %s", confidence, status)
	s.check(c.clone.log.Get(idOf(name)).Status == observe.Created, "the log was written")
}

func freshClone(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.cut(name)
	deleted := w.Commit("Delete it")
	c := w.cloned()
	c.expect(want{name: "gone committed", "b": "unchanged"})
	c.wantVerdicts(name, "committed "+deleted)
	c.observe(name, observe.Created, 3)
	report := c.expect(want{name: "gone committed"})
	_, status := verdict.Shown(c.clone.log.Get(idOf(name)), report.View, observe.Thresholds{})
	s.check(status == observe.Deprecated, "shown as %s", status)
}

func shallowTombstone(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.cut(name)
	w.Commit("Delete it")
	w.see()
	w.write()
	w.Commit("Publish the tombstone")
	c := w.cloned("--depth=1")
	c.expect(want{name: "gone tombstone", "b": "unchanged"})
	s.check(!strings.Contains(string(c.clone.ledger), "verdict"), "a published verdict is recorded again")
}

func shallowNoTombstone(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.cut(name)
	deleted := w.Commit("Delete it")
	w.Write("README.md", "# Another title\n")
	w.Commit("Go on")
	c := w.cloned("--depth=1")
	c.expect(want{name: "skipped history not here", "b": "unchanged"})
	c.git("fetch", "-q", "--unshallow")
	item := c.item(c.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == deleted, "commit %s", item.Commit)
}

func blobless(s *scene) {
	w := s.begin("a", "adr1", "b", "adr2")
	w.git("config", "uploadpack.allowFilter", "true")
	w.cut("a")
	w.cut("adr1")
	w.Commit("Delete both")
	c := w.cloned("--filter=blob:none")
	missing := func() string { return c.git("rev-list", "--objects", "--all", "--missing=print") }
	before := missing()
	s.check(strings.Contains(before, "?"), "the clone has all blobs")
	section := "skipped partial clone"
	if s.layout == "files" {
		section = "gone committed" // the path alone says enough
	}
	c.expect(want{"a": "gone committed", "adr1": section, "b": "unchanged", "adr2": "unchanged"})
	s.check(missing() == before, "blobs were fetched")
}

func untrackedAndPulled(s *scene) {
	for _, rule := range []bool{true, false} {
		w := s.begin("a", "b")
		c := w.cloned()
		c.see()
		w.git("rm", "-q", "--cached", s.pathOf("a"))
		expected := "gone committed"
		if rule {
			w.Write(".gitignore", "/"+s.pathOf("a")+"\n")
			w.git("add", ".gitignore")
			expected = "skipped untracked on purpose"
		}
		w.CommitStaged("Untrack a")
		w.expect(want{"a": "unchanged"})
		c.git("pull", "-q")
		c.expect(want{"a": expected, "b": "unchanged"})
	}
}

func ignoredElsewhere(s *scene) {
	w := s.begin("b")
	w.Write(".gitignore", ".claude/\n")
	w.render("cmd")
	w.Commit("Render a command, ignored")
	w.expect(want{"cmd": "unchanged", "b": "unchanged"})
	w.cloned().expect(want{"cmd": "skipped never here", "b": "unchanged"})
}

func artifactForgotten(s *scene) {
	w := s.begin("b")
	w.render("a")
	w.git("commit", "-qam", "Forget the artifact")
	w.expect(want{"a": "unchanged", "b": "unchanged"})
	c := w.cloned()
	c.expect(want{"a": "skipped never here", "b": "unchanged"})
	c.wantVerdicts("a")
	c.write()
	c.wantRow("a", s.pathOf("a"), 1)
}

func rowForgotten(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.git("add", s.pathOf(name))
	w.CommitStaged("Forget the row")
	w.expect(want{name: "unchanged"})
	c := w.cloned()
	c.expect(want{name: "healed", "b": "unchanged"})
	c.write()
	c.wantRow(name, s.pathOf(name), 1)
	c.expect(want{name: "unchanged"})

	c.git("rm", "-q", s.pathOf(name))
	deleted := c.CommitStaged("Delete it")
	w.git("pull", "-q", c.Dir, "main")
	s.check(w.Head() == deleted, "the author has not the deletion")
	w.expect(want{name: "gone committed", "b": "unchanged"})
}

func rewritten(s *scene) {
	w := s.begin("b")
	base := w.Head()
	w.render("a", "c")
	w.Commit("Render both")
	c := w.cloned()
	c.expect(want{"a": "unchanged", "c": "unchanged"})
	w.git("reset", "-q", "--soft", base)
	w.git("rm", "-q", "--cached", s.pathOf("a"), s.pathOf("c"))
	w.CommitStaged("The rows alone, as a filter leaves them")
	c.git("fetch", "-q")
	c.git("reset", "-q", "--hard", "origin/main")
	c.expect(want{"a": "skipped abandoned", "c": "skipped abandoned", "b": "unchanged"})
	c.expire()
	c.expect(want{"a": "pending", "c": "pending", "b": "unchanged"})
	c.wantVerdicts("a")
}
