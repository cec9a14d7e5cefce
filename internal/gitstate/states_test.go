package gitstate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// conflict stops an operation on the lesson with both sides changed.
func conflict(g *gittest.Repo) {
	g.Git("checkout", "-q", "-b", "side")
	g.Write(lesson, "# theirs\n")
	g.Commit("theirs")
	g.Git("checkout", "-q", "main")
	g.Write(lesson, "# ours\n")
	g.Commit("ours")
}

func stops(t *testing.T, g *gittest.Repo, args ...string) {
	t.Helper()
	if out, err := g.TryGit(args...); err == nil {
		t.Fatalf("git %v did not stop: %s", args, out)
	}
}

func TestOperationInProgress(t *testing.T) {
	cases := []struct {
		want string
		make func(t *testing.T, g *gittest.Repo)
	}{
		{"merge", func(t *testing.T, g *gittest.Repo) { conflict(g); stops(t, g, "merge", "side") }},
		{"merge", func(_ *testing.T, g *gittest.Repo) {
			g.Git("checkout", "-q", "-b", "side")
			g.Write("other", "1")
			g.Commit("other")
			g.Git("checkout", "-q", "main")
			g.Git("merge", "-q", "--no-ff", "--no-commit", "side")
		}},
		{"rebase", func(t *testing.T, g *gittest.Repo) { conflict(g); stops(t, g, "rebase", "side") }},
		{"rebase", func(t *testing.T, g *gittest.Repo) { conflict(g); stops(t, g, "rebase", "--apply", "side") }},
		{"rebase", func(_ *testing.T, g *gittest.Repo) {
			g.With("GIT_SEQUENCE_EDITOR=sed -i.bak s/^pick/edit/").Git("rebase", "-q", "-i", "HEAD~1")
		}},
		{"cherry-pick", func(t *testing.T, g *gittest.Repo) { conflict(g); stops(t, g, "cherry-pick", "side") }},
		{"cherry-pick", func(t *testing.T, g *gittest.Repo) { // of several, with the current one committed by hand
			conflict(g)
			g.Git("checkout", "-q", "side")
			g.Write("more", "1")
			g.Commit("more")
			g.Git("checkout", "-q", "main")
			stops(t, g, "cherry-pick", "main..side")
			g.Git("add", "-A")
			g.Git("commit", "-q", "-m", "by hand")
		}},
		{"revert", func(t *testing.T, g *gittest.Repo) {
			conflict(g)
			g.Write(lesson, "# ours again\n")
			g.Commit("again")
			stops(t, g, "revert", "--no-edit", "HEAD~1")
		}},
		{"bisect", func(_ *testing.T, g *gittest.Repo) { g.Git("bisect", "start") }},
		{"am", func(t *testing.T, g *gittest.Repo) {
			conflict(g)
			patch := g.Git("format-patch", "--stdout", "-1", "side")
			g.Write("../patch", patch+"\n")
			stops(t, g, "am", "-q", "../patch")
		}},
		{"index.lock", func(_ *testing.T, g *gittest.Repo) { g.Write(".git/index.lock", "") }},
		{"", func(t *testing.T, g *gittest.Repo) { // another work tree's business
			conflict(g)
			stops(t, g.Worktree(t, ""), "merge", "side")
		}},
	}
	for _, c := range cases {
		t.Run(c.want, func(t *testing.T) {
			t.Parallel()
			g := plain(t)
			c.make(t, g)
			for _, a := range adapters {
				if got, err := opened(t, a, g.Dir).Operation(); got != c.want || err != nil {
					t.Errorf("%s: %q, %v; want %q", a.name, got, err, c.want)
				}
			}
		})
	}
}

func TestOperationInALinkedWorkTree(t *testing.T) {
	g := plain(t)
	conflict(g)
	w := g.Worktree(t, "")
	stops(t, w, "merge", "side")
	for _, a := range adapters {
		if got, err := opened(t, a, w.Dir).Operation(); got != "merge" || err != nil {
			t.Errorf("%s: %q, %v", a.name, got, err)
		}
	}
}

func TestIndexFlagsAndStages(t *testing.T) {
	cases := []struct {
		name string
		make func(t *testing.T, g *gittest.Repo)
		want string // tags of all entries, in order
	}{
		{"plain", func(*testing.T, *gittest.Repo) {}, "H H H"},
		{"assume-unchanged", func(_ *testing.T, g *gittest.Repo) { g.Git("update-index", "--assume-unchanged", lesson) }, "h H H"},
		{"skip-worktree", func(_ *testing.T, g *gittest.Repo) { g.Git("update-index", "--skip-worktree", lesson) }, "S H H"},
		{"both", func(_ *testing.T, g *gittest.Repo) {
			g.Git("update-index", "--skip-worktree", lesson)
			g.Git("update-index", "--assume-unchanged", lesson)
		}, "s H H"},
		{"unmerged", func(t *testing.T, g *gittest.Repo) { conflict(g); stops(t, g, "merge", "side") }, "M M M H H"},
		{"announced", func(_ *testing.T, g *gittest.Repo) {
			g.Write(".lessons/announced.md", "x")
			g.Git("add", "-N", ".lessons/announced.md")
		}, "H H H H"},
		{"executable and link", func(t *testing.T, g *gittest.Repo) {
			if err := os.Symlink("main.go", g.Path("src/link")); err != nil {
				t.Fatal(err)
			}
			g.Git("add", "-A")
			g.Git("update-index", "--chmod=+x", "src/main.go")
		}, "H H H H"},
	}
	for _, version := range []string{"2", "3", "4"} {
		for _, c := range cases {
			t.Run(c.name+", version "+version, func(t *testing.T) {
				t.Parallel()
				g := plain(t)
				c.make(t, g)
				g.Git("update-index", "--index-version="+version)
				want := strings.Split(strings.TrimSuffix(g.Git("ls-files", "-s", "-v", "-z"), "\x00"), "\x00")
				for _, a := range adapters {
					entries, err := opened(t, a, g.Dir).Index(t.Context(), nil)
					if err != nil {
						t.Fatal(err)
					}
					var got []string
					tags := ""
					for _, e := range entries {
						got = append(got, entryLine(e))
						tags += " " + entryLine(e)[:1]
					}
					if !a.history { // go-git does not tell what is assumed to be unchanged
						for i := range want {
							want[i] = strings.ToUpper(want[i][:1]) + want[i][1:]
						}
						c.want = strings.ToUpper(c.want)
					}
					if diff := cmp.Diff(want, got); diff != "" || tags[1:] != c.want {
						t.Errorf("%s: tags%s, want %s (-git +ours):\n%s", a.name, tags, c.want, diff)
					}
				}
			})
		}
	}
}

func TestIndexBelowFolders(t *testing.T) {
	g := gittest.New(t)
	for _, path := range []string{".lessons/a", ".lessons.bak/a", ".lessons/*", "x/.lessons/a", "f1/a", "f2/a", "f9/a"} {
		g.Write(path, "x")
	}
	g.Commit("files")
	many := []string{".lessons", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"}
	cases := []struct {
		folders []string
		want    string
	}{
		{[]string{".lessons"}, ".lessons/* .lessons/a"},
		{[]string{".lessons/"}, ".lessons/* .lessons/a"},
		{[]string{".lessons/*"}, ".lessons/*"}, // a name, not a pattern
		{[]string{":(glob)**"}, ""},
		{[]string{"nothing"}, ""},
		{many, ".lessons/* .lessons/a f1/a f2/a f9/a"},
		{nil, ".lessons.bak/a .lessons/* .lessons/a f1/a f2/a f9/a x/.lessons/a"},
	}
	for _, a := range adapters {
		r := opened(t, a, g.In("x").Dir)
		for _, c := range cases {
			entries, err := r.Index(t.Context(), c.folders)
			var got []string
			for _, e := range entries {
				got = append(got, e.Path)
			}
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("%s: %q gives %q, %v; want %q", a.name, c.folders, got, err, c.want)
			}
		}
	}
}

func TestStagedChanges(t *testing.T) {
	cases := []struct {
		name string
		make func(t *testing.T, g *gittest.Repo)
	}{
		{name: "removed", make: func(_ *testing.T, g *gittest.Repo) { g.Git("rm", "-q", lesson) }},
		{name: "removed from the index alone", make: func(_ *testing.T, g *gittest.Repo) { g.Git("rm", "-q", "--cached", lesson) }},
		{name: "moved", make: func(_ *testing.T, g *gittest.Repo) { g.Git("mv", lesson, "moved here.md") }},
		{name: "moved and changed", make: func(_ *testing.T, g *gittest.Repo) {
			g.Git("mv", "long.txt", "longer.txt")
			g.Write("longer.txt", strings.Repeat("a line of text\n", 40)+"one more\n")
			g.Git("add", "-A")
		}},
		{name: "added, changed, made executable", make: func(_ *testing.T, g *gittest.Repo) {
			g.Write(".lessons/new.md", "new\n")
			g.Write(lesson, "changed\n")
			g.Git("add", "-A")
			g.Git("update-index", "--chmod=+x", "src/main.go")
		}},
		{name: "turned into a link", make: func(t *testing.T, g *gittest.Repo) {
			g.Remove(lesson)
			if err := os.Symlink("old.md", g.Path(lesson)); err != nil {
				t.Fatal(err)
			}
			g.Git("add", "-A")
		}},
		{name: "announced", make: func(_ *testing.T, g *gittest.Repo) {
			g.Write(".lessons/announced.md", "x")
			g.Git("add", "-N", ".lessons/announced.md")
		}},
		{name: "unmerged", make: func(t *testing.T, g *gittest.Repo) { conflict(g); stops(t, g, "merge", "side") }},
		{name: "nothing staged, all changed", make: func(_ *testing.T, g *gittest.Repo) { g.Write(lesson, "changed\n"); g.Remove(manifest) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := plain(t)
			g.Write("long.txt", strings.Repeat("a line of text\n", 40))
			g.Commit("long")
			c.make(t, g)
			want, err := parseChanges([]byte(g.Git("diff-index", "--cached", "-M", "-r", "-z", "--raw", "--no-abbrev", "HEAD", "--")))
			if err != nil {
				t.Fatal(err)
			}
			got, err := opened(t, adapters[0], g.Dir).Staged(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			byPath := cmpopts.SortSlices(func(x, y Change) bool { return x.Path < y.Path })
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), byPath); diff != "" {
				t.Errorf("(-git +ours):\n%s", diff)
			}
		})
	}
}

// TestStampsChange makes one change after the other and asks both stamps each time.
func TestStampsChange(t *testing.T) {
	g := plain(t)
	w := g.Worktree(t, "other")
	changes := []struct {
		name        string
		do          func()
		index, refs bool // which must change
	}{
		{"stage", func() { g.Write("new", "1"); g.Git("add", "new") }, true, false},
		{"stage the same size at once", func() { g.Write("new", "2"); g.Git("add", "new") }, true, false},
		{"commit", func() { g.Git("commit", "-q", "-m", "new") }, true, true},
		{"soft reset", func() { g.Git("reset", "-q", "--soft", "HEAD~1") }, true, true},
		{"branch", func() { g.Git("branch", "b1") }, false, true},
		{"move a branch", func() { g.Git("branch", "-f", "b1", "HEAD~1") }, false, true},
		{"switch to the same commit", func() { g.Git("checkout", "-q", "-b", "b2") }, true, true},
		{"pack refs", func() { g.Git("pack-refs", "--all") }, false, false},
		{"remove a packed branch", func() { g.Git("branch", "-D", "b1") }, false, true},
		{"tag", func() { g.Git("tag", "v1") }, false, true},
		{"stash", func() { g.Write("new", "3"); g.Git("stash", "-q") }, true, true},
		{"commit in another work tree", func() { w.Commit("there") }, false, true},
		{"detached commit in another work tree", func() { w.Git("checkout", "-q", "--detach"); w.Commit("there") }, false, true},
		{"edit only", func() { g.Write(lesson, "edited\n") }, false, false},
	}
	for _, a := range adapters {
		r := opened(t, a, g.Dir)
		if _, err := r.IndexStamp(); err != nil {
			t.Fatal(err)
		}
	}
	git, plain := opened(t, adapters[0], g.Dir), opened(t, adapters[1], g.Dir)
	for _, c := range changes {
		stamp1, _ := git.IndexStamp()
		digest1, _ := git.RefsDigest(t.Context())
		c.do()
		stamp2, err := git.IndexStamp()
		digest2, err2 := git.RefsDigest(t.Context())
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if c.index && stamp1 == stamp2 {
			t.Errorf("%s: the index stamp stays", c.name)
		}
		if c.refs && digest1 == digest2 {
			t.Errorf("%s: the refs digest stays", c.name)
		}
		if !c.index && !c.refs && c.name == "edit only" && (stamp1 != stamp2 || digest1 != digest2) {
			t.Errorf("%s: a stamp changes", c.name)
		}
		stamp3, _ := plain.IndexStamp()
		digest3, _ := plain.RefsDigest(t.Context())
		if stamp2 != stamp3 || digest2 != digest3 {
			t.Errorf("%s: the adapters differ", c.name)
		}
	}
	if git.Processes() != 0 {
		t.Errorf("%d processes", git.Processes())
	}
}

func TestRefsDigestSeesUnshallow(t *testing.T) {
	g := plain(t).Clone(t, "--depth=1")
	r := opened(t, adapters[0], g.Dir)
	before, _ := r.RefsDigest(t.Context())
	g.Git("fetch", "-q", "--unshallow")
	if after, err := r.RefsDigest(t.Context()); err != nil || after == before {
		t.Errorf("digest %q, then %q, %v", before, after, err)
	}
}

func TestIndexStampChangesWithoutAnIndex(t *testing.T) {
	g := gittest.New(t)
	r := opened(t, adapters[0], g.Dir)
	before, err := r.IndexStamp()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.Location().GitDir, "index"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if after, _ := r.IndexStamp(); after == before {
		t.Error("an empty index and none have one stamp")
	}
}
