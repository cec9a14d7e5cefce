package gitstate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// situation is one kind of repository. build returns it as seen from the
// directory that is opened.
type situation struct {
	name  string
	build func(t *testing.T) *gittest.Repo
	// What the in-process adapter cannot do: open it at all, or read its index.
	noOpen, noIndex bool
	// noProcess: the git adapter needs none to find it.
	noProcess bool
}

const (
	lesson   = ".lessons/pytest hängt.md"
	manifest = ".memory/.learning-manifest.json"
	oldOne   = ".lessons/old.md"
)

// fill gives a repository a history: a lesson that is there, one that a second
// commit removed, and files that are no knowledge.
func fill(g *gittest.Repo) *gittest.Repo {
	g.Write(lesson, "# pytest hängt\n")
	g.Write(oldOne, "# old\n")
	g.Write(manifest, "{}\n")
	g.Write("src/main.go", "package main\n")
	g.Commit("first")
	g.Remove(oldOne)
	g.Commit("second")
	return g
}

func plain(t *testing.T) *gittest.Repo { return fill(gittest.New(t)) }

var situations = []situation{
	{name: "plain", build: plain, noProcess: true},
	{name: "sub-directory", build: func(t *testing.T) *gittest.Repo { return plain(t).In("src") }, noProcess: true},
	{name: "linked work tree", build: func(t *testing.T) *gittest.Repo { return plain(t).Worktree(t, "side") }, noProcess: true},
	{name: "sub-directory of a linked work tree", build: func(t *testing.T) *gittest.Repo {
		return plain(t).Worktree(t, "").In("src")
	}, noProcess: true},
	{name: "work tree of a bare repository", build: func(t *testing.T) *gittest.Repo {
		return plain(t).Clone(t, "--bare").Worktree(t, "side")
	}, noProcess: true},
	{name: "detached HEAD", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("checkout", "-q", "--detach", "HEAD")
		return g
	}, noProcess: true},
	{name: "no commits yet", build: func(t *testing.T) *gittest.Repo {
		g := gittest.New(t)
		g.Write(lesson, "# staged\n")
		g.Git("add", "-A")
		return g
	}, noProcess: true},
	{name: "empty", build: func(t *testing.T) *gittest.Repo { return gittest.New(t) }, noProcess: true},
	{name: "sparse checkout", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("sparse-checkout", "set", "--cone", "src")
		return g
	}, noProcess: true},
	{name: "sparse index", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("sparse-checkout", "set", "--cone", "--sparse-index", "src")
		return g
	}, noIndex: true, noProcess: true},
	{name: "split index", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("update-index", "--split-index")
		return g
	}, noIndex: true, noProcess: true},
	{name: "shallow", build: func(t *testing.T) *gittest.Repo { return plain(t).Clone(t, "--depth=1") }, noProcess: true},
	{name: "partial clone", build: func(t *testing.T) *gittest.Repo { return promising(plain(t)).Clone(t, "--filter=blob:none") }, noProcess: true},
	{name: "submodule", build: func(t *testing.T) *gittest.Repo { return withSubmodule(t).In("libs/inner") }},
	{name: "holder of a submodule", build: withSubmodule, noProcess: true},
	{name: "folder that a submodule's .git file is in", build: func(t *testing.T) *gittest.Repo { return withSubmodule(t).In("libs/inner/src") }},
	{name: "separate git directory", build: func(t *testing.T) *gittest.Repo {
		return fill(gittest.New(t, "--separate-git-dir="+filepath.Join(t.TempDir(), "elsewhere.git")))
	}, noProcess: true},
	{name: "bare", build: func(t *testing.T) *gittest.Repo { return plain(t).Clone(t, "--bare") }},
	{name: "bare with work tree", build: bareWithWorkTree},
	{name: "work tree of a bare one with work tree", build: func(t *testing.T) *gittest.Repo {
		g := bareWithWorkTree(t)
		top := g.Git("rev-parse", "--show-toplevel")
		g.Write(filepath.Join(top, ".git"), "gitdir: "+g.Dir+"\n")
		return g.In(top)
	}},
	{name: "path with spaces and non-ASCII", build: func(t *testing.T) *gittest.Repo {
		return fill(gittest.NewAt(t, filepath.Join(t.TempDir(), "mein Größen-Ordner 'x' \"y\"", "日本")))
	}, noProcess: true},
	{name: "symbolic link to the repository", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(g.Dir, link); err != nil {
			t.Fatal(err)
		}
		return g.In(link)
	}, noProcess: true},
	{name: ".git is a symbolic link", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		moved := filepath.Join(t.TempDir(), "moved")
		if err := errors.Join(os.Rename(g.Path(".git"), moved), os.Symlink(moved, g.Path(".git"))); err != nil {
			t.Fatal(err)
		}
		return g
	}, noProcess: true},
	{name: "packed refs and objects", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("tag", "-a", "-m", "a tag", "v1")
		g.Git("gc", "-q")
		g.Git("pack-refs", "--all")
		return g
	}, noProcess: true},
	{name: "index version 4", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("update-index", "--index-version=4")
		return g
	}, noProcess: true},
	{name: "configuration per work tree", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("config", "extensions.worktreeConfig", "true")
		w := g.Worktree(t, "side")
		w.Git("config", "--worktree", "core.logAllRefUpdates", "true")
		return w
	}, noProcess: true},
	{name: "alternates", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		c := gittest.At(t, filepath.Join(t.TempDir(), "borrower"))
		c.Git("clone", "-q", "--shared", g.Dir, c.Dir)
		return c
	}, noProcess: true},
	{name: "SHA-256", build: func(t *testing.T) *gittest.Repo {
		return fill(gittest.New(t, "--object-format=sha256"))
	}, noOpen: true},
	{name: "reftable", build: func(t *testing.T) *gittest.Repo {
		gittest.NeedGit(t, 2, 45)
		return fill(gittest.New(t, "--ref-format=reftable"))
	}, noOpen: true},
	{name: "embedded in another repository", build: func(t *testing.T) *gittest.Repo {
		return fill(gittest.NewAt(t, plain(t).Path("vendor/inner")))
	}, noProcess: true},
	{name: "below an empty .git folder", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		if err := os.MkdirAll(g.Path("src/.git"), 0o755); err != nil {
			t.Fatal(err)
		}
		return g.In("src")
	}},
	{name: "bare repository in a folder of another", build: func(t *testing.T) *gittest.Repo {
		g := plain(t)
		g.Git("clone", "-q", "--bare", g.Dir, g.Path("evil"))
		return g.In("evil")
	}},
}

func promising(g *gittest.Repo) *gittest.Repo {
	g.Git("config", "uploadpack.allowFilter", "true")
	g.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	return g
}

func withSubmodule(t *testing.T) *gittest.Repo {
	g, inner := plain(t), plain(t)
	g.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.Dir, "libs/inner")
	g.Commit("submodule")
	return g
}

func bareWithWorkTree(t *testing.T) *gittest.Repo {
	g := plain(t)
	tree, repo := g.Dir, filepath.Join(t.TempDir(), "dots.git")
	if err := os.Rename(g.Path(".git"), repo); err != nil {
		t.Fatal(err)
	}
	g = g.In(repo)
	g.Git("config", "core.worktree", tree)
	return g
}

// adapter is one way to open a repository.
type adapter struct {
	name    string
	open    func(context.Context, string) (Repository, error)
	history bool
}

var adapters = []adapter{
	{"git", func(ctx context.Context, dir string) (Repository, error) { return OpenExec(ctx, dir) }, true},
	{"in process", OpenInProcess, false},
}

// opened opens a repository and closes it with the test.
func opened(t *testing.T, a adapter, dir string) Repository {
	t.Helper()
	r, err := a.open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestConformance(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			g := s.build(t)
			for _, a := range adapters {
				t.Run(a.name, func(t *testing.T) {
					g := g.For(t)
					if s.noOpen && !a.history {
						if _, err := a.open(t.Context(), g.Dir); !errors.Is(err, ErrUnsupported) {
							t.Fatalf("open: %v, want ErrUnsupported", err)
						}
						return
					}
					r := opened(t, a, g.Dir)
					if n := r.Processes(); n > 1 || (n > 0 && s.noProcess) {
						t.Errorf("open started %d processes", n)
					}
					checkLocation(t, g, r)
					checkObjects(t, g, r, s.noIndex && !a.history)
					checkIndex(t, g, r, s.noIndex && !a.history)
					checkStaged(t, g, r, a.history)
					checkQuiet(t, r)
					checkHistory(t, g, r, a.history)
				})
			}
		})
	}
}

// answer is git's own answer, empty where it refuses.
func answer(g *gittest.Repo, args ...string) string {
	out, err := g.TryGit(args...)
	if err != nil {
		return ""
	}
	return out
}

func checkLocation(t *testing.T, g *gittest.Repo, r Repository) {
	t.Helper()
	real := func(p string) string {
		if p == "" {
			return ""
		}
		p, err := filepath.EvalSymlinks(gitdir.Against(g.Dir, p))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := Location{
		TopLevel:  real(answer(g, "rev-parse", "--show-toplevel")),
		GitDir:    real(g.Git("rev-parse", "--absolute-git-dir")),
		CommonDir: real(g.Git("rev-parse", "--git-common-dir")),
		Shallow:   g.Git("rev-parse", "--is-shallow-repository") == "true",
	}
	if diff := cmp.Diff(want, r.Location()); diff != "" {
		t.Errorf("location (-git +ours):\n%s", diff)
	}
}

func checkObjects(t *testing.T, g *gittest.Repo, r Repository, noIndex bool) {
	t.Helper()
	head, err := r.Head(t.Context())
	if want := answer(g, "rev-parse", "-q", "--verify", "HEAD"); err != nil || head != want {
		t.Errorf("head: %q, %v; want %q", head, err, want)
	}
	names := []string{"HEAD^{commit}", "HEAD:" + lesson, "HEAD:.lessons", "HEAD:" + lesson + "/no", "HEAD:nothing here", "HEAD:"}
	if !noIndex && r.Location().TopLevel != "" {
		names = append(names, ":0:"+lesson, ":"+manifest, ":2:"+lesson, ":0:nothing here")
	}
	if oid := answer(g, "rev-parse", "-q", "--verify", "HEAD:"+lesson); oid != "" {
		names = append(names, oid)
	}
	names = append(names, strings.Repeat("d", max(40, len(head))))
	for _, contents := range []bool{false, true} {
		got, err := r.Objects(t.Context(), names, contents)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			want := Object{Name: name, Missing: true}
			if oid := answer(g, "rev-parse", "-q", "--verify", name); oid != "" && answer(g, "cat-file", "-e", name) == "" {
				if kind, err := g.TryGit("cat-file", "-t", name); err == nil {
					want = Object{Name: name, OID: oid, Type: kind}
					if contents {
						want.Data = []byte(g.Git("cat-file", kind, oid))
					}
				}
			}
			got[i].Data = []byte(strings.TrimSuffix(string(got[i].Data), "\n"))
			if diff := cmp.Diff(want, got[i], cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("contents %v (-git +ours):\n%s", contents, diff)
			}
		}
	}
}

func checkIndex(t *testing.T, g *gittest.Repo, r Repository, refused bool) {
	t.Helper()
	folders := []string{".lessons", ".memory", "libs"}
	got, err := r.Index(t.Context(), folders)
	if refused {
		if !errors.Is(err, ErrUnsupported) {
			t.Errorf("index: %v, want ErrUnsupported", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	top := r.Location().TopLevel
	if top == "" {
		if len(got) > 0 {
			t.Errorf("a bare repository has %v in its index", got)
		}
		return
	}
	at := g.With("GIT_DIR="+r.Location().GitDir, "GIT_WORK_TREE="+top).In(top)
	var want []string
	for _, line := range strings.Split(at.Git("ls-files", "-z", "-v", "-s", "--", ".lessons", ".memory", "libs"), "\x00") {
		if line != "" {
			want = append(want, line)
		}
	}
	var lines []string
	for _, e := range got {
		lines = append(lines, entryLine(e))
	}
	if diff := cmp.Diff(want, lines, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("index (-git +ours):\n%s", diff)
	}
}

func checkStaged(t *testing.T, g *gittest.Repo, r Repository, can bool) {
	t.Helper()
	staged, err := r.Staged(t.Context())
	if !can {
		if !errors.Is(err, ErrNoHistory) {
			t.Errorf("staged: %v, want ErrNoHistory", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	top := r.Location().TopLevel
	if top == "" {
		if len(staged) > 0 {
			t.Errorf("a bare repository has %v staged", staged)
		}
		return
	}
	if answer(g, "rev-parse", "-q", "--verify", "HEAD") == "" {
		index, err := r.Index(t.Context(), nil)
		if err != nil || len(staged) != len(index) || (len(staged) > 0 && (staged[0].Status != "A" || staged[0].Path != lesson)) {
			t.Errorf("staged before the first commit: %v, %v", staged, err)
		}
		return
	}
	at := g.With("GIT_DIR="+r.Location().GitDir, "GIT_WORK_TREE="+top).In(top)
	if want := at.Git("diff-index", "--cached", "--raw", "HEAD"); want != "" || len(staged) > 0 {
		t.Errorf("staged: %v, git: %s", staged, want)
	}
}

// entryLine is an entry as "ls-files -s -v" writes it.
func entryLine(e IndexEntry) string {
	tag := "H"
	switch {
	case e.Skip:
		tag = "S"
	case e.Stage > 0:
		tag = "M"
	}
	if e.Assume {
		tag = strings.ToLower(tag)
	}
	return tag + " " + e.Mode + " " + e.OID + " " + string(rune('0'+e.Stage)) + "\t" + e.Path
}

// checkQuiet asks what must start no process, and must not change by asking.
func checkQuiet(t *testing.T, r Repository) {
	t.Helper()
	before := r.Processes()
	for range 2 {
		if op, err := r.Operation(); op != "" || err != nil {
			t.Errorf("operation: %q, %v", op, err)
		}
	}
	stamp, err := r.IndexStamp()
	again, err2 := r.IndexStamp()
	if err != nil || err2 != nil || stamp != again || stamp == "" {
		t.Errorf("index stamp: %q %v, then %q %v", stamp, err, again, err2)
	}
	digest, err := r.RefsDigest(t.Context())
	again, err2 = r.RefsDigest(t.Context())
	if err != nil || err2 != nil || digest != again || digest == "" {
		t.Errorf("refs digest: %q %v, then %q %v", digest, err, again, err2)
	}
	if top := r.Location().TopLevel; top != "" && !slices.Contains(r.WorkTrees(), top) {
		t.Errorf("the work trees %q are without this one, %s", r.WorkTrees(), top)
	}
	if n := r.Processes() - before; n != 0 {
		t.Errorf("%d processes for the operation, the stamp and the digest", n)
	}
}

func checkHistory(t *testing.T, g *gittest.Repo, r Repository, can bool) {
	t.Helper()
	head := answer(g, "rev-parse", "-q", "--verify", "HEAD")
	commits, err := r.Log(t.Context(), Walk{Paths: []string{".lessons", ".memory"}})
	if !can {
		_, err3 := r.Renames(t.Context(), []string{head})
		_, err4 := r.Ignored(t.Context(), []string{lesson})
		_, err5 := r.Reach(t.Context(), []string{head})
		for _, err := range []error{err, err3, err4, err5} {
			if !errors.Is(err, ErrNoHistory) {
				t.Errorf("history: %v, want ErrNoHistory", err)
			}
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if head == "" {
		if len(commits) > 0 {
			t.Errorf("before the first commit: %v", commits)
		}
		return
	}
	removed := ""
	for _, c := range commits {
		for _, x := range c.Changes {
			if x.Status == "D" && x.Path == oldOne {
				removed = c.OID
			}
		}
	}
	want := ""
	if !r.Location().Shallow {
		want = answer(g, "log", "--format=%H", "--diff-filter=D", "HEAD", "--", ":(top)"+oldOne)
	}
	if removed != want {
		t.Errorf("the removal is in %q, want %q", removed, want)
	}
	reach, err := r.Reach(t.Context(), []string{head, strings.Repeat("d", len(head))})
	if err != nil || reach[head] != BehindHead || reach[strings.Repeat("d", len(head))] != Unknown {
		t.Errorf("reach: %v, %v", reach, err)
	}
}
