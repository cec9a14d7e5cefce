package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// wrapped writes a git program of our own: a shell script that may run the
// real one as "$GIT".
func wrapped(t *testing.T, script string) (path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("NOT RUN: needs a shell")
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Skip("NOT RUN: needs git")
	}
	path = filepath.Join(t.TempDir(), "git")
	text := "#!/bin/sh\nGIT='" + real + "'\n" + script + "\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// lazyGit is a git that does not know GIT_NO_LAZY_FETCH, as before 2.45 (and
// 2.39.4): reading an absent object tries to fetch it, and dies.
func lazyGit(t *testing.T) string {
	return wrapped(t, `unset GIT_NO_LAZY_FETCH; exec "$GIT" "$@"`)
}

func openExec(t *testing.T, dir string) *execRepo {
	t.Helper()
	r, err := OpenExec(t.Context(), dir)
	return untilEnd(t, r, err)
}

func openWrapped(t *testing.T, dir, git string) *execRepo {
	t.Helper()
	r, err := openWith(t.Context(), dir, git)
	return untilEnd(t, r, err)
}

func untilEnd(t *testing.T, r Repository, err error) *execRepo {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r.(*execRepo)
}

func TestManyObjectsInOneProcess(t *testing.T) {
	g := gittest.New(t)
	big := strings.Repeat("0123456789abcdef\n", 1<<13) // larger than a pipe
	var names []string
	for i := range 450 {
		path := fmt.Sprintf(".lessons/a lesson %d.md", i)
		g.Write(path, fmt.Sprintf("%d\n%s", i, big[:i*16]))
		names = append(names, "HEAD:"+path, "HEAD:none/"+path)
	}
	g.Write("big", big)
	g.Commit("all")
	names = append(names, ":0:big", "", "HEAD:with\nline break", "HEAD:.lessons")
	r := openExec(t, g.Dir)
	got, err := r.Objects(t.Context(), names, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 450 {
		if want := fmt.Sprintf("%d\n%s", i, big[:i*16]); string(got[2*i].Data) != want || got[2*i].Missing {
			t.Fatalf("%q: %d bytes, want %d", names[2*i], len(got[2*i].Data), len(want))
		}
		if !got[2*i+1].Missing {
			t.Fatalf("%q: %+v", names[2*i+1], got[2*i+1])
		}
	}
	rest := got[900:]
	if string(rest[0].Data) != big || !rest[1].Missing || !rest[2].Missing || rest[3].Type != "tree" {
		t.Errorf("the last four: %v", rest[1:])
	}
	for i, o := range got {
		if o.Name != names[i] {
			t.Fatalf("answer %d is to %q, want %q", i, o.Name, names[i])
		}
	}
	if n := r.Processes(); n != 1 {
		t.Errorf("%d processes, want 1", n)
	}
}

func TestLargeContentIsLeftOut(t *testing.T) {
	g := gittest.New(t)
	g.Write("huge", strings.Repeat("x", MaxContent+1))
	g.Write("small", "small\n")
	g.Commit("huge")
	for _, a := range adapters {
		got, err := opened(t, a, g.Dir).Objects(t.Context(), []string{"HEAD:huge", "HEAD:small"}, true)
		if err != nil || got[0].Missing || got[0].Data != nil || string(got[1].Data) != "small\n" {
			t.Errorf("%s: %v, %v", a.name, got[0].Missing, err)
		}
	}
}

func TestObjectsFollowTheIndexAndHEAD(t *testing.T) {
	g := plain(t)
	r := openExec(t, g.Dir)
	ask := func() (index, head string) {
		got, err := r.Objects(t.Context(), []string{":0:" + lesson, "HEAD:" + lesson}, true)
		if err != nil {
			t.Fatal(err)
		}
		return string(got[0].Data), string(got[1].Data)
	}
	ask()
	g.Write(lesson, "# staged\n")
	g.Git("add", "-A")
	if index, head := ask(); index != "# staged\n" || head != "# pytest hängt\n" {
		t.Errorf("after staging: index %q, HEAD %q", index, head)
	}
	g.Commit("third")
	if index, head := ask(); index != "# staged\n" || head != "# staged\n" {
		t.Errorf("after the commit: index %q, HEAD %q", index, head)
	}
}

func TestOlderGitWithoutBatchCommand(t *testing.T) {
	g := plain(t)
	old := wrapped(t, `for a; do case "$a" in --batch-command) echo "error: unknown option" >&2; exit 129;; esac; done; exec "$GIT" "$@"`)
	r := openWrapped(t, g.Dir, old)
	for range 2 {
		head, err := r.Head(t.Context())
		if err != nil || head != g.Head() {
			t.Fatalf("head: %q, %v", head, err)
		}
		got, err := r.Objects(t.Context(), []string{"HEAD:" + lesson, "HEAD:no", ":0:" + manifest}, true)
		if err != nil || string(got[0].Data) != "# pytest hängt\n" || !got[1].Missing || string(got[2].Data) != "{}\n" {
			t.Fatalf("objects: %v, %v", got, err)
		}
	}
	if n := r.Processes(); n != 3 { // the one that failed, one for headers, one for contents
		t.Errorf("%d processes, want 3", n)
	}
}

// loose is the path of a loose object.
func loose(g *gittest.Repo, oid string) string {
	return g.Path(".git/objects/" + oid[:2] + "/" + oid[2:])
}

// TestDamagedObjectHidesNoOther: git calls one damaged object missing, and
// dies of the other.
func TestDamagedObjectHidesNoOther(t *testing.T) {
	g := plain(t)
	var names []string
	text := func(i int) string { return strings.Repeat(fmt.Sprintf("%d: a line of text\n", i*i*7919), 3000) }
	for i := range 6 {
		path := fmt.Sprintf(".lessons/%d.md", i)
		g.Write(path, text(i))
		names = append(names, "HEAD:"+path)
	}
	g.Commit("more")
	for i, kept := range map[int]int{2: 0, 4: 60} {
		path := loose(g, g.Git("rev-parse", names[i]))
		if err := errors.Join(os.Chmod(path, 0o644), os.Truncate(path, int64(kept))); err != nil {
			t.Fatal(err)
		}
	}
	r := openExec(t, g.Dir)
	got, err := r.Objects(t.Context(), names, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range got {
		if bad := i == 2 || i == 4; o.Missing != bad || (!bad && string(o.Data) != text(i)) {
			t.Errorf("%s: missing %v, %d bytes", o.Name, o.Missing, len(o.Data))
		}
	}
	if n := r.Processes(); n > 3 {
		t.Errorf("%d processes", n)
	}
}

// TestPartialCloneFetchesNothing: old blobs of a blobless clone are missing, and
// the rest is still answered, without a byte from the network and without more
// than a few processes.
func TestPartialCloneFetchesNothing(t *testing.T) {
	g := promising(plain(t))
	var old []string
	for i := range 12 {
		g.Write(".lessons/changing.md", fmt.Sprintf("version %d\n", i))
		g.Commit("change")
		old = append(old, g.Git("rev-parse", "HEAD:.lessons/changing.md"))
	}
	g.Git("mv", ".lessons/changing.md", "docs.md")
	g.Write("docs.md", "version 11\nand a line\n")
	moved := g.Commit("move")
	g.Remove("docs.md")
	g.Commit("gone")
	c := g.Clone(t, "--filter=blob:none")
	packs := func() string { return c.Git("count-objects", "-v") }
	before := packs()
	t.Run("git", func(t *testing.T) { askPartialClone(t, openExec(t, c.Dir), old, moved, 8) })
	t.Run("older git", func(t *testing.T) { askPartialClone(t, openWrapped(t, c.Dir, lazyGit(t)), old, moved, 8) })
	if after := packs(); after != before {
		t.Errorf("objects were fetched:\n%s\nbefore:\n%s", after, before)
	}
}

func askPartialClone(t *testing.T, r *execRepo, old []string, moved string, budget int) {
	t.Helper()
	names := append(append([]string{}, old...), "HEAD:"+lesson, "HEAD:nothing")
	for range 3 {
		got, err := r.Objects(t.Context(), names, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range got[:len(old)] {
			if !o.Missing {
				t.Errorf("%s is here", o.Name)
			}
		}
	}
	got, err := r.Objects(t.Context(), names[len(old):], true)
	if err != nil || string(got[0].Data) != "# pytest hängt\n" || got[0].Missing || !got[1].Missing {
		t.Errorf("what is here: %+v, %v", got, err)
	}
	commits, err := r.Log(t.Context(), Walk{Paths: []string{".lessons"}})
	if err != nil || len(commits) != 15 {
		t.Errorf("log: %d commits, %v", len(commits), err)
	}
	changes, err := r.Renames(t.Context(), []string{moved})
	if err != nil || len(changes) != 1 {
		t.Errorf("renames: %v, %v", changes, err)
	}
	if n := r.Processes(); n > budget {
		t.Errorf("%d processes, want at most %d", n, budget)
	}
}

func TestNoGitProgram(t *testing.T) {
	g := plain(t)
	t.Setenv("PATH", t.TempDir())
	if _, err := OpenExec(t.Context(), g.Dir); !errors.Is(err, ErrNoProgram) {
		t.Errorf("with git: %v, want ErrNoProgram", err)
	}
	r, err := Open(t.Context(), g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.(*inProcess); !ok {
		t.Errorf("opened %T without a git program", r)
	}
	if _, err := Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNoRepository) {
		t.Errorf("no repository: %v", err)
	}
}

func TestNotARepository(t *testing.T) {
	dir, err := physical(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]func(dir string) error{
		"nothing":              func(string) error { return nil },
		"an empty .git folder": func(dir string) error { return os.Mkdir(filepath.Join(dir, ".git"), 0o755) },
		"a .git file of text":  func(dir string) error { return os.WriteFile(filepath.Join(dir, ".git"), []byte("text"), 0o644) },
		"a .git file to nowhere": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: /nowhere\n"), 0o644)
		},
		"a .git link to nowhere":   func(dir string) error { return os.Symlink("nowhere", filepath.Join(dir, ".git")) },
		"a HEAD file of text":      func(dir string) error { return os.WriteFile(filepath.Join(dir, "HEAD"), []byte("text"), 0o644) },
		"a name with a line break": func(dir string) error { return os.WriteFile(filepath.Join(dir, "a\nb"), nil, 0o644) },
	}
	n := 0
	for name, make := range cases {
		n++
		at := filepath.Join(dir, fmt.Sprint(n))
		if err := errors.Join(os.Mkdir(at, 0o755), make(at)); err != nil {
			t.Fatal(err)
		}
		for _, a := range adapters {
			r, err := a.open(t.Context(), at)
			if err == nil {
				t.Fatalf("%s, %s: opened %+v", name, a.name, r.Location())
			}
			var failed *GitError
			if !errors.Is(err, ErrNoRepository) && !(errors.As(err, &failed) && failed.Stderr != "") {
				t.Errorf("%s, %s: %v", name, a.name, err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: more than a line: %v", name, a.name, err)
			}
		}
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "does not exist")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such directory: %v", err)
	}
}

// TestBorrowedCommonDirectoryIsRefused: neither a commondir file of a stranger's
// making nor a .git file may put this directory in another repository's place.
func TestBorrowedCommonDirectoryIsRefused(t *testing.T) {
	victim := plain(t)
	real := victim.Worktree(t, "side")
	gitDir := real.Git("rev-parse", "--absolute-git-dir")
	cases := map[string]func(dir string) error{
		"a .git folder with a commondir": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".git"), 0o755),
				os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644),
				os.WriteFile(filepath.Join(dir, ".git", "commondir"), []byte(victim.Path(".git")+"\n"), 0o644))
		},
		"a .git file that names another's work tree": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+gitDir+"\n"), 0o644)
		},
	}
	for name, build := range cases {
		dir := t.TempDir()
		if err := build(dir); err != nil {
			t.Fatal(err)
		}
		for _, a := range adapters {
			if _, err := a.open(t.Context(), dir); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "git worktree repair") {
				t.Errorf("%s, %s: %v", name, a.name, err)
			}
		}
	}
}

func TestMovedWorkTreeIsReadAgainAfterItsRepair(t *testing.T) {
	w := plain(t).Worktree(t, "side")
	moved := w.Dir + "-moved"
	if err := os.Rename(w.Dir, moved); err != nil {
		t.Fatal(err)
	}
	for _, a := range adapters {
		if _, err := a.open(t.Context(), moved); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: a moved work tree: %v", a.name, err)
		}
	}
	w.In(moved).Git("worktree", "repair")
	for _, a := range adapters {
		checkLocation(t, w.In(moved), opened(t, a, moved))
	}
}

func TestForeignOwnerIsRefusedWithGitsHint(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("NOT RUN: only root can give a repository away")
	}
	gittest.NeedGit(t, 2, 36)
	g := plain(t)
	for _, path := range []string{".", ".git"} {
		if err := os.Chown(g.Path(path), 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Open(t.Context(), g.Path("src"))
	if !errors.Is(err, ErrOwner) || !strings.Contains(err.Error(), "safe.directory") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a foreign repository: %v", err)
	}
}

func TestForeignOwnerIsUnderstoodInOlderWords(t *testing.T) {
	for _, words := range []string{
		"fatal: detected dubious ownership in repository at '/x'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /x",
		"fatal: unsafe repository ('/x' is owned by someone else)\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /x",
	} {
		p := &program{path: wrapped(t, "printf '%s\\n' \""+words+"\" >&2; exit 128")}
		_, err := p.revParse(t.Context(), t.TempDir())
		if !errors.Is(err, ErrOwner) || !strings.HasSuffix(err.Error(), "git config --global --add safe.directory /x") {
			t.Errorf("%v", err)
		}
	}
}

// A question whose deadline passes is given up; else this would wait an hour. exec leaves
// no child behind.
func TestDeadlines(t *testing.T) {
	g := plain(t)
	slow := wrapped(t, `for a; do case "$a" in log|ls-files|--batch-command) exec sleep 3600;; esac; done; exec "$GIT" "$@"`)
	r := openWrapped(t, g.Dir, slow)
	questions := map[string]func(context.Context) error{
		"log":     func(ctx context.Context) error { _, err := r.Log(ctx, Walk{}); return err },
		"index":   func(ctx context.Context) error { _, err := r.Index(ctx, nil); return err },
		"objects": func(ctx context.Context) error { _, err := r.Objects(ctx, []string{"HEAD"}, true); return err },
	}
	for name, ask := range questions {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if err := ask(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := r.Processes()
	if _, err := r.Log(ctx, Walk{}); !errors.Is(err, context.Canceled) || r.Processes() != before {
		t.Errorf("a cancelled question: %v, %d processes", err, r.Processes()-before)
	}
}

// Who gives up a question to a process that hangs gets right answers from the next one.
func TestObjectsAfterAnEndAreRight(t *testing.T) {
	g := plain(t)
	hangs := filepath.Join(t.TempDir(), "hangs")
	if out, err := exec.Command("mkfifo", hangs).CombinedOutput(); err != nil {
		t.Skipf("NOT RUN: needs mkfifo: %v: %s", err, out)
	}
	r := openWrapped(t, g.Dir, wrapped(t, `if [ -p '`+hangs+`' ]; then exec sleep 3600 >'`+hangs+`'; fi; exec "$GIT" "$@"`))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if f, err := os.Open(hangs); err == nil { // opened by both sides: the process hangs
			f.Close()
		}
		os.Remove(hangs)
		cancel()
	}()
	if _, err := r.Objects(ctx, []string{"HEAD:" + lesson}, true); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	got, err := r.Objects(t.Context(), []string{"HEAD:" + manifest}, true)
	if err != nil || string(got[0].Data) != "{}\n" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestBrokenGitIsAnErrorNotAnAnswer(t *testing.T) {
	g := plain(t)
	r := openWrapped(t, g.Dir, wrapped(t, `echo "xcrun: error: no developer tools" >&2; exit 1`))
	ctx := t.Context()
	_, err := r.Head(ctx)
	_, err2 := r.Log(ctx, Walk{})
	_, err3 := r.Objects(ctx, []string{"HEAD:x"}, true)
	_, err4 := r.Index(ctx, nil)
	for _, err := range []error{err, err2, err3, err4} {
		var failed *GitError
		if !errors.As(err, &failed) || failed.Exit != 1 || !strings.Contains(err.Error(), "no developer tools") {
			t.Errorf("%v", err)
		}
	}
}

func TestBrokenConfigurationIsAnError(t *testing.T) {
	g := plain(t)
	g.Write(".git/config", g.Read(".git/config")+"[broken\n")
	_, err := Open(t.Context(), g.Dir)
	var failed *GitError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "bad config line") {
		t.Errorf("git: %v", err)
	}
	if _, err := OpenInProcess(t.Context(), g.Dir); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "config") {
		t.Errorf("in process: %v", err)
	}
}

func TestHeadWithoutItsCommitIsAnError(t *testing.T) {
	g := plain(t)
	head := g.Head()
	if err := os.Remove(g.Path(".git/objects/" + head[:2] + "/" + head[2:])); err != nil {
		t.Fatal(err)
	}
	for _, a := range adapters {
		if got, err := opened(t, a, g.Dir).Head(t.Context()); err == nil {
			t.Errorf("%s: head %q of a repository without that commit", a.name, got)
		}
	}
}

func TestEnvironmentOfGit(t *testing.T) {
	got := strings.Join(environment([]string{
		"PATH=/bin", "GIT_DIR=/elsewhere", "GIT_INDEX_FILE=x", "git_trace=1", "LC_ALL=de_DE", "LANGUAGE=de", "HOME=/home/u",
	}), " ")
	want := "PATH=/bin HOME=/home/u GIT_OPTIONAL_LOCKS=0 GIT_NO_LAZY_FETCH=1 GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=none GIT_CONFIG_COUNT=0 LC_ALL=C"
	if got != want {
		t.Errorf("environment:\n%s\nwant\n%s", got, want)
	}
}

func TestVariablesOfGitDoNotLeadAstray(t *testing.T) {
	g, other := plain(t), plain(t)
	other.Write(lesson, "# another\n")
	other.Commit("another")
	for name, value := range map[string]string{
		"GIT_DIR": other.Path(".git"), "GIT_WORK_TREE": other.Dir, "GIT_INDEX_FILE": other.Path(".git/index"),
		"GIT_OBJECT_DIRECTORY": other.Path(".git/objects"), "GIT_NAMESPACE": "x", "GIT_CEILING_DIRECTORIES": g.Dir, "GIT_PREFIX": "src/",
	} {
		t.Setenv(name, value)
	}
	r := openExec(t, g.Path("src"))
	got, err := r.Objects(t.Context(), []string{"HEAD:" + lesson, ":0:" + lesson}, true)
	if err != nil || string(got[0].Data) != "# pytest hängt\n" || string(got[1].Data) != "# pytest hängt\n" {
		t.Errorf("%v, %v", got, err)
	}
	if at, err := r.program.revParse(t.Context(), g.Path("src")); err != nil || at != r.Location() {
		t.Errorf("%+v, %v; want %+v", at, err, r.Location())
	}
}
