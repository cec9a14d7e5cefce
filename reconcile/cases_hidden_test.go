package reconcile

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

var hiddenCases = []scenario{
	{"16_sparse_checkout", sparse, true},
	{"16b_sparse_checkout_and_a_tombstone_of_another_branch", sparseTombstone, true},
	{"17_skip_worktree_and_assume_unchanged", flagged, true},
	{"18_stash_took_artifact_and_manifest", stashedBoth, true},
	{"19_stash_took_the_artifact", stashedArtifact, false},
	{"20_operation_in_progress", operations, false},
	{"70_submodule", submodule, false},
	{"71_folder_is_a_link", linkedFolder, false},
	{"80_unusual_repositories", unusual, false},
}

func sparse(s *scene) {
	for _, form := range []string{"--no-sparse-index", "--sparse-index"} {
		w := s.begin("a", "adr1", "b")
		w.Write("src/main.go", "package main\n")
		w.Commit("Add code")
		w.git("sparse-checkout", "set", "--cone", form, "src")
		s.check(!w.Exists(".lessons") && !w.Exists(".memory"), "the checkout is not sparse")
		w.expect(want{"a": "skipped sparse or skip-worktree", "adr1": "skipped sparse or skip-worktree", "b": "skipped sparse or skip-worktree"})
		w.write()
		s.check(!w.Exists(".memory"), "--write left the sparse checkout")
		w.wantVerdicts("a")
		w.git("sparse-checkout", "disable")
		w.expect(want{"a": "unchanged", "adr1": "unchanged", "b": "unchanged"})
	}
}

func sparseTombstone(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	w.Write("src/main.go", "package main\n")
	w.Commit("Add code")
	w.git("checkout", "-qb", "side")
	w.cut(name)
	deleted := w.Commit("Delete it")
	w.see()
	w.write()
	w.git("checkout", "-q", "main")
	w.git("sparse-checkout", "set", "--cone", "src", ".memory/manifest")
	s.check(w.Exists(manifest.Path) || s.layout == "files", "the tombstone is not here")
	s.check(!w.Exists(s.pathOf(name)), "%s is not hidden", name)
	w.expect(want{name: "skipped sparse or skip-worktree", "b": "skipped sparse or skip-worktree"})
	w.write()
	w.wantTomb(name, deleted)

	w = s.begin(name, "b", "adr2") // here it was deleted
	w.cut(name)
	w.Commit("Delete it")
	w.see()
	w.write()
	w.Commit("Publish it")
	w.git("sparse-checkout", "set", "--cone", "src", ".memory/manifest")
	w.expect(want{name: "gone tombstone", "b": "skipped sparse or skip-worktree"})
}

func flagged(s *scene) {
	w := s.begin("a", "adr1", "b", "c")
	w.git("update-index", "--skip-worktree", s.pathOf("a"), s.pathOf("adr1"))
	w.git("update-index", "--assume-unchanged", s.pathOf("c"))
	w.cut("a")
	w.cut("adr1")
	w.cut("c")
	w.expect(want{"a": "skipped sparse or skip-worktree", "adr1": "skipped sparse or skip-worktree", "c": "skipped assume-unchanged", "b": "unchanged"})
	w.wantVerdicts("a")
	w.wantVerdicts("c")
}

func stashedBoth(s *scene) {
	name := s.subject()
	w := s.begin()
	w.render(name)
	w.expect(want{name: "unchanged"})
	w.git("stash", "push", "-q", "-u")
	s.check(!w.Exists(s.pathOf(name)), "the stash left the artifact")
	w.expect(want{name: "norow"})
	w.wantVerdicts(name)
	w.git("stash", "pop", "-q")
	w.expect(want{name: "unchanged"})
}

func stashedArtifact(s *scene) {
	w := s.begin("b")
	w.render("a", "c")
	w.git("commit", "-qam", "Commit the rows")
	w.expect(want{"a": "unchanged", "c": "unchanged"})
	w.git("stash", "push", "-q", "-u")
	w.expect(want{"a": "skipped elsewhere", "c": "skipped elsewhere", "b": "unchanged"})
	w.git("stash", "drop", "-q")
	w.expect(want{"a": "lost", "c": "lost", "b": "unchanged"})
	w.wantVerdicts("a")

	w = s.begin("b")
	w.render("a")
	w.git("commit", "-qam", "Commit the row")
	w.see()
	w.git("stash", "push", "-q", "-u")
	w.expect(want{"a": "skipped elsewhere", "b": "unchanged"})
	w.git("stash", "drop", "-q")
	w.expect(want{"a": "gone uncommitted", "b": "unchanged"})
	w.wantVerdicts("a", "uncommitted")
}

func operations(s *scene) {
	conflict := func() *tree { // side edits a, main deletes it
		w := s.begin("a", "b")
		w.git("checkout", "-qb", "side")
		w.edit("a", "few words", "side words")
		w.Commit("Edit a on the side")
		w.git("checkout", "-q", "main")
		w.edit("a", "few words", "main words")
		w.Commit("Edit a on main")
		return w
	}
	stop := func(w *tree, args ...string) {
		s.t.Helper()
		if _, err := w.TryGit(args...); err == nil {
			s.t.Fatalf("git %s has no conflict", strings.Join(args, " "))
		}
	}
	w := conflict()
	stop(w, "merge", "side")
	w.cut("b")
	w.abort("merge")

	w = conflict()
	other := w.linked("elsewhere")
	stop(w, "rebase", "side")
	w.cut("b")
	w.abort("rebase")
	other.expect(want{"a": "edited", "b": "unchanged"}) // another work tree's rebase does not matter

	w = conflict()
	stop(w, "cherry-pick", "side")
	w.abort("cherry-pick")

	w = conflict()
	w.edit("a", "main words", "still other words")
	w.Commit("Edit a again")
	stop(w, "revert", "HEAD~1")
	w.abort("revert")

	w = conflict()
	w.git("bisect", "start", "HEAD", "HEAD~1")
	w.cut("b")
	w.abort("bisect")

	w = conflict()
	patch := w.git("format-patch", "-1", "--stdout", "side")
	if _, err := w.Pipe(patch+"\n", "am"); err == nil {
		s.t.Fatal("git am has no conflict")
	}
	w.abort("am")

	w = s.begin("a", "b")
	w.Write(".git/index.lock", "")
	w.abort("index.lock")
}

func submodule(s *scene) {
	inner := s.begin("cmdinner") // its own .claude, seen as a repository of its own
	inner.git("mv", ".claude/commands", "commands")
	inner.Commit("The folder itself is the repository")

	w := s.begin("b")
	w.render("cmd")
	rows := w.manifest()
	w.Remove(".claude")
	w.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.Dir, ".claude")
	w.store(rows)
	w.Commit("Take .claude from a submodule")
	w.expect(want{"cmd": "skipped .claude is another repository", "b": "unchanged"})
	w.git("submodule", "deinit", "-q", "--force", ".claude")
	w.expect(want{"cmd": "skipped .claude is a submodule", "b": "unchanged"})
	w.wantVerdicts("cmd")

	// Inside, it is an ordinary repository.
	w.git("-c", "protocol.file.allow=always", "submodule", "update", "-q", "--init", ".claude")
	in := s.tree(w.In(".claude"), nil)
	in.render("a", "c")
	in.Commit("Render in the submodule")
	in.expect(want{"a": "unchanged", "c": "unchanged"})
	in.cut("a")
	deleted := in.Commit("Delete one")
	item := in.item(in.expect(want{"a": "gone committed", "c": "unchanged"}), "a")
	s.check(item.Commit == deleted, "commit %s", item.Commit)
}

func linkedFolder(s *scene) {
	w := s.begin("cmd", "b")
	w.Remove(".claude")
	if err := os.Symlink(filepath.Join(filepath.Dir(w.Dir), "nowhere"), w.Path(".claude")); err != nil {
		s.t.Skip(err)
	}
	w.expect(want{"cmd": "skipped .claude is a link", "b": "unchanged"})
	w.Commit("Commit the link")
	w.expect(want{"cmd": "skipped .claude is a link", "b": "unchanged"})
	w.wantVerdicts("cmd")
}

func unusual(s *scene) {
	flow := func(w *tree, what string) {
		s.t.Helper()
		w.Write("README.md", "# A project\n")
		w.render("a", "b", "adr1", "adr2")
		w.Commit("Render")
		w.expect(want{"a": "unchanged", "b": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
		w.cut("a")
		w.cut("adr1")
		deleted := w.Commit("Delete")
		report := w.expect(want{"a": "gone committed", "b": "unchanged", "adr1": "gone committed", "adr2": "unchanged"})
		s.check(w.item(report, "a").Commit == deleted, "%s: commit %s", what, w.item(report, "a").Commit)
	}
	flow(s.bare("--object-format=sha256"), "SHA-256")

	source := s.begin()
	bare := s.tree(source.Repo.Clone(s.t, "--bare"), nil)
	linked := bare.Repo.Worktree(s.t, "work")
	flow(s.tree(linked, nil), "bare with a work tree")

	separate := gittest.At(s.t, filepath.Join(filepath.Dir(source.Dir), "separate"))
	separate.Git("init", "-q", "--initial-branch=main", "--separate-git-dir", separate.Dir+".git")
	flow(s.tree(separate, nil), "separate git directory")

	w := s.bare()
	w.git("config", "core.splitIndex", "true")
	w.git("config", "extensions.worktreeConfig", "true")
	w.git("config", "--worktree", "core.quotePath", "true")
	flow(w, "split index, work tree configuration")

	w = s.bare()
	w.Write("src/deep/main.go", "package main\n")
	w.open = func(ctx context.Context, dir string) (gitstate.Repository, error) {
		return gitstate.OpenExec(ctx, filepath.Join(dir, "src", "deep"))
	}
	flow(w, "sub-directory")
}
