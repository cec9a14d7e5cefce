package gitstate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// events are a walk's changes as "<status> <path> in <commit's subject>".
func events(t *testing.T, g *gittest.Repo, commits []Commit) []string {
	t.Helper()
	var out []string
	for _, c := range commits {
		for _, x := range c.Changes {
			path := x.Path
			if x.OldPath != "" {
				path = x.OldPath + " -> " + path
			}
			out = append(out, x.Status+" "+path+" in "+g.Git("log", "-1", "--format=%s", c.OID))
		}
	}
	return out
}

func walk(t *testing.T, r Repository, w Walk) []Commit {
	t.Helper()
	commits, err := r.Log(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return commits
}

func has(list []string, want string) bool { return slices.Contains(list, want) }

var lessons = []string{".lessons"}

// TestMergeFromTheSideThatHoldsTheDeletion: plain log prunes that side, for the
// other one never had the file.
func TestMergeFromTheSideThatHoldsTheDeletion(t *testing.T) {
	g := gittest.New(t)
	g.Write("x", "x")
	g.Commit("root")
	g.Git("checkout", "-q", "-b", "side")
	g.Write(".lessons/a.md", "a")
	g.Commit("add")
	g.Remove(".lessons/a.md")
	g.Commit("remove")
	g.Git("checkout", "-q", "main")
	g.Write("y", "y")
	g.Commit("other")
	g.Git("merge", "-q", "--no-ff", "--no-edit", "side")
	if plain := g.Git("log", "--format=%s", "--", ".lessons/a.md"); plain != "" {
		t.Fatalf("plain log is no witness any more: %s", plain)
	}
	r := openExec(t, g.Dir)
	got := events(t, g, walk(t, r, Walk{Paths: lessons}))
	if diff := cmp.Diff([]string{"D .lessons/a.md in remove", "A .lessons/a.md in add"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRemovedInsideTheMergeCommit is reconcile.md case 45.
func TestRemovedInsideTheMergeCommit(t *testing.T) {
	g := plain(t)
	g.Git("checkout", "-q", "-b", "side")
	g.Write("y", "y")
	g.Commit("other")
	g.Git("checkout", "-q", "main")
	g.Write("z", "z")
	g.Commit("main's")
	g.Git("merge", "-q", "--no-ff", "--no-commit", "side")
	g.Git("rm", "-q", lesson)
	merge := g.CommitStaged("merge and remove")
	r := openExec(t, g.Dir)
	commits := walk(t, r, Walk{Paths: lessons})
	if len(commits) < 2 || commits[0].OID != merge || commits[1].OID != merge || len(commits[0].Parents) != 2 {
		t.Fatalf("the merge does not appear once per parent: %+v", commits)
	}
	if got := events(t, g, commits[:2]); got[0] != "D "+lesson+" in merge and remove" || got[1] != got[0] {
		t.Errorf("%q", got)
	}
}

func TestWalks(t *testing.T) {
	g := plain(t)
	r := openExec(t, g.Dir)
	g.Git("checkout", "-q", "-b", "side")
	g.Write(".lessons/on-side.md", "s")
	side := g.Commit("on side")
	g.Git("checkout", "-q", "main")
	g.Write(".lessons/lost.md", "l")
	lost := g.Commit("lost")
	g.Git("reset", "-q", "--hard", "HEAD~1")
	for _, name := range []string{"untracked", "newer"} {
		g.Write(".lessons/"+name+".md", name)
		g.Git("stash", "-q", "-u")
	}
	w := g.Worktree(t, "")
	w.Write(".lessons/elsewhere.md", "e")
	w.Commit("elsewhere")
	head := []string{"D " + oldOne + " in second", "A " + oldOne + " in first", "A " + lesson + " in first"}
	cases := []struct {
		name string
		walk Walk
		has  []string
		not  []string
	}{
		{"HEAD", Walk{}, head, []string{"A .lessons/on-side.md in on side", "A .lessons/lost.md in lost"}},
		{"all", Walk{All: true}, append([]string{"A .lessons/on-side.md in on side", "A .lessons/elsewhere.md in elsewhere"}, head...), []string{"A .lessons/lost.md in lost"}},
		{"reflog", Walk{Reflog: true}, []string{"A .lessons/lost.md in lost"}, []string{"A .lessons/on-side.md in on side", head[0]}},
		{"both", Walk{All: true, Reflog: true}, append([]string{"A .lessons/on-side.md in on side", "A .lessons/lost.md in lost"}, head...), nil},
		{"from", Walk{From: side}, append([]string{"A .lessons/on-side.md in on side"}, head...), []string{"A .lessons/lost.md in lost"}},
		{"from what no ref holds", Walk{From: lost}, append([]string{"A .lessons/lost.md in lost"}, head...), nil},
		{"since", Walk{Since: gittest.Start.Add(gittest.Step)}, head[:1], head[1:]},
		{"since before", Walk{Since: gittest.Start}, head, nil},
	}
	for _, c := range cases {
		c.walk.Paths = lessons
		got := events(t, g, walk(t, r, c.walk))
		for _, want := range c.has {
			if !has(got, want) {
				t.Errorf("%s: no %q in %q", c.name, want, got)
			}
		}
		for _, not := range c.not {
			if has(got, not) {
				t.Errorf("%s: %q is there", c.name, not)
			}
		}
	}
	stashed := func(w Walk) (paths []string) {
		w.Paths = lessons
		for _, c := range walk(t, r, w) {
			for _, x := range c.Changes {
				paths = append(paths, x.Path)
			}
		}
		return paths
	}
	all, reflog := stashed(Walk{All: true}), stashed(Walk{Reflog: true})
	for _, path := range []string{".lessons/untracked.md", ".lessons/newer.md"} {
		if !slices.Contains(all, path) || slices.Contains(reflog, path) {
			t.Errorf("untracked files of the stash: the walk of all refs has %q, that of the reflogs alone %q", all, reflog)
		}
	}
}

func TestWalkTellsAuthorTimeAndParents(t *testing.T) {
	g := plain(t)
	first := g.Git("rev-parse", "HEAD~1")
	g.With("GIT_AUTHOR_NAME=Jörg <J> \"x\" y", "GIT_AUTHOR_EMAIL=j@example.org").Commit("third")
	commits := walk(t, openExec(t, g.Dir), Walk{})
	var got []string
	for _, c := range commits {
		got = append(got, fmt.Sprint(c.Author, " ", c.Time.Format(time.RFC3339), " ", len(c.Parents)))
	}
	want := []string{
		"Jörg J \"x\" y <j@example.org> 2026-03-02T11:00:00Z 1",
		"Ada Author <ada@example.org> 2026-03-02T10:00:00Z 1",
		"Ada Author <ada@example.org> 2026-03-02T09:00:00Z 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if commits[1].Parents[0] != first || len(commits[0].Changes) != 0 || len(commits[2].Changes) != 4 {
		t.Errorf("%+v", commits)
	}
}

func TestWalkRefusesOptionsAsRevisions(t *testing.T) {
	r := openExec(t, plain(t).Dir)
	for _, from := range []string{"--output=x", "-1", "^HEAD", "HEAD~1..HEAD", "HEAD --all", "a\nb"} {
		if _, err := r.Log(t.Context(), Walk{From: from}); err == nil || r.Processes() != 0 {
			t.Errorf("%q: %v, %d processes", from, err, r.Processes())
		}
	}
}

func TestPathsAreNamesNotPatterns(t *testing.T) {
	g := gittest.New(t)
	g.Write(".lessons/*.md", "star")
	g.Write(".lessons/a.md", "a")
	g.Write(":(glob)x", "magic")
	g.Commit("add")
	r := openExec(t, g.Dir)
	for path, want := range map[string]string{".lessons/*.md": "A .lessons/*.md in add", ":(glob)x": "A :(glob)x in add"} {
		if got := events(t, g, walk(t, r, Walk{Paths: []string{path}})); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q", path, got)
		}
	}
}

func TestStrangeNamesInHistory(t *testing.T) {
	g := gittest.New(t)
	strange := []string{"a\nb", "a\tb", "\x01x", ":100644 x", "\"q\"", "ü", "x -> y", " ", "\xff\xfe"}
	for _, name := range strange {
		if err := os.WriteFile(g.Path(name), []byte(name), 0o644); err != nil {
			t.Skipf("NOT RUN: this file system has no such names: %v", err)
		}
	}
	g.Commit("add")
	slices.Sort(strange)
	r := openExec(t, g.Dir)
	var got []string
	for _, x := range walk(t, r, Walk{})[0].Changes {
		got = append(got, x.Path)
	}
	if diff := cmp.Diff(strange, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	for _, a := range adapters {
		entries, err := opened(t, a, g.Dir).Index(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got = got[:0]
		for _, e := range entries {
			got = append(got, e.Path)
		}
		if diff := cmp.Diff(strange, got); diff != "" {
			t.Errorf("index, %s (-want +got):\n%s", a.name, diff)
		}
	}
}

func TestRenamesInCommits(t *testing.T) {
	g := gittest.New(t)
	g.Write(".lessons/a.md", strings.Repeat("line\n", 30))
	root := g.Commit("root")
	g.Git("mv", ".lessons/a.md", "docs.md")
	g.Write("docs.md", strings.Repeat("line\n", 30)+"more\n")
	move := g.Commit("move")
	r := openExec(t, g.Dir)
	missing := strings.Repeat("d", 40)
	commits, err := r.Renames(t.Context(), []string{move, missing, root})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"R .lessons/a.md -> docs.md in move", "A .lessons/a.md in root"}, events(t, g, commits)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := r.Renames(t.Context(), []string{"HEAD"}); err == nil {
		t.Error("a name instead of an id is accepted")
	}
	if none, err := r.Renames(t.Context(), nil); err != nil || none != nil || r.Processes() != 1 {
		t.Errorf("no commits: %v, %v, %d processes", none, err, r.Processes())
	}
}

func TestIgnored(t *testing.T) {
	g := plain(t)
	g.Write(".gitignore", "/.lessons/\n*.log\n!keep.log\n")
	g.Write("dir/.gitignore", "x\n")
	if err := os.Symlink("src", g.Path("link")); err != nil {
		t.Fatal(err)
	}
	inner := gittest.NewAt(t, g.Path("inner"))
	inner.Commit("inner")
	r := openExec(t, g.Path("src"))
	want := map[string]bool{
		lesson:                 true, // tracked, and covered by a rule
		".lessons/not there":   true,
		"a.log":                true,
		"keep.log":             false,
		":a.log":               true,
		"dir/x":                true,
		"dir/y":                false,
		"with\nline break.log": true,
		"link/a.log":           false, // behind a link: git would refuse the whole question
		"inner/a.log":          true,
		"../outside":           false,
		"/absolute.log":        false,
		"":                     false,
		manifest:               false,
	}
	var paths []string
	for path := range want {
		paths = append(paths, path)
	}
	got, err := r.Ignored(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := r.Ignored(t.Context(), []string{"nothing"}); err != nil || got["nothing"] {
		t.Errorf("none ignored: %v, %v", got, err)
	}
	if n := r.Processes(); n != 2 {
		t.Errorf("%d processes, want 2", n)
	}
}

func TestReach(t *testing.T) {
	g := plain(t)
	behind := g.Git("rev-parse", "HEAD~1")
	g.Git("checkout", "-q", "-b", "side")
	side := g.Commit("on side")
	g.Git("checkout", "-q", "main")
	lost := g.Commit("lost")
	g.Git("reset", "-q", "--hard", "HEAD~1")
	w := g.Worktree(t, "")
	other := w.Commit("other work tree")
	g.Write("x", "x")
	g.Git("stash", "-q", "-u")
	stash := g.Git("rev-parse", "stash")
	blob := g.Git("rev-parse", "HEAD:"+lesson)
	missing := strings.Repeat("d", 40)
	want := map[string]Reach{
		g.Head(): BehindHead, behind: BehindHead, side: Elsewhere, other: Elsewhere, stash: Elsewhere,
		lost: Unreachable, missing: Unknown, blob: Unknown,
	}
	var asked []string
	for c := range want {
		asked = append(asked, c)
	}
	r := openExec(t, g.Dir)
	got, err := r.Reach(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := r.Processes(); n != 3 {
		t.Errorf("%d processes, want 3", n)
	}
	if got, err := r.Reach(t.Context(), []string{behind}); err != nil || got[behind] != BehindHead || r.Processes() != 4 {
		t.Errorf("one behind HEAD: %v, %v, %d processes", got, err, r.Processes())
	}
	if _, err := r.Reach(t.Context(), []string{"--all"}); err == nil {
		t.Error("an option is accepted as a commit")
	}
}

func TestReachFromAnUnbornBranch(t *testing.T) {
	g := plain(t)
	head := g.Head()
	g.Git("checkout", "-q", "--orphan", "empty")
	got, err := openExec(t, g.Dir).Reach(t.Context(), []string{head})
	if err != nil || got[head] != Elsewhere {
		t.Errorf("%v, %v", got, err)
	}
}

func TestWorkTrees(t *testing.T) {
	g := plain(t)
	side, gone := g.Worktree(t, "side"), g.Worktree(t, "gone")
	if err := os.RemoveAll(gone.Dir); err != nil {
		t.Fatal(err)
	}
	want := []string{g.Dir, side.Dir}
	slices.Sort(want)
	for _, dir := range want {
		if diff := cmp.Diff(want, openExec(t, dir).WorkTrees()); diff != "" {
			t.Errorf("from %s (-want +got):\n%s", dir, diff)
		}
	}
}

// TestProcessesAreFew is the budget of reconcile.md section 7.
func TestProcessesAreFew(t *testing.T) {
	g := plain(t)
	g.Git("rm", "-q", lesson)
	r := openExec(t, g.Dir)
	steps := []struct {
		name string
		do   func() error
		cost int
	}{
		{"open", func() error { return nil }, 0},
		{"operation", func() error { _, err := r.Operation(); return err }, 0},
		{"stamp", func() error { _, err := r.IndexStamp(); return err }, 0},
		{"head", func() error { _, err := r.Head(t.Context()); return err }, 1},
		{"head again", func() error { _, err := r.Head(t.Context()); return err }, 0},
		{"objects", func() error { _, err := r.Objects(t.Context(), []string{"HEAD:" + lesson}, true); return err }, 0},
		{"index", func() error { _, err := r.Index(t.Context(), lessons); return err }, 1},
		{"staged", func() error { _, err := r.Staged(t.Context()); return err }, 1},
		{"log", func() error { _, err := r.Log(t.Context(), Walk{Paths: lessons}); return err }, 1},
		{"renames", func() error { _, err := r.Renames(t.Context(), []string{g.Head()}); return err }, 1},
		{"ignored", func() error { _, err := r.Ignored(t.Context(), []string{lesson, manifest}); return err }, 1},
		{"digest", func() error { _, err := r.RefsDigest(t.Context()); return err }, 0},
	}
	for _, s := range steps {
		before := r.Processes()
		if err := s.do(); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if n := r.Processes() - before; n != s.cost {
			t.Errorf("%s: %d processes, want %d", s.name, n, s.cost)
		}
	}
}
