// Package gittest builds real git repositories for tests. Every repository is
// isolated from the machine: its own HOME, no system or user configuration, a
// fixed identity, and a clock that each commit moves on by one fixed step, so
// that object ids are the same on every run.
package gittest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Start is the time of a new repository's first commit; Step is what each
// commit adds.
var (
	Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	Step  = time.Hour
)

// Repo is one work tree of a real repository.
type Repo struct {
	Dir  string // physical path of the top of the work tree
	Home string // HOME of its git commands; holds an empty .gitconfig

	t     testing.TB
	clock *clock
	env   []string
}

// clock is shared by a repository, its work trees and its clones: time only
// moves forward.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

// New makes an empty repository on branch main in a fresh temporary directory.
// Arguments are passed to git init (--object-format=sha256, --bare …).
func New(t testing.TB, initArgs ...string) *Repo {
	t.Helper()
	return NewAt(t, filepath.Join(tempDir(t), "repo"), initArgs...)
}

// NewAt is New in a directory that the caller names.
func NewAt(t testing.TB, dir string, initArgs ...string) *Repo {
	t.Helper()
	r := At(t, dir)
	args := append([]string{"init", "-q", "--initial-branch=main"}, initArgs...)
	r.Git(append(args, r.Dir)...)
	return r
}

// At is an isolated place to run git in, without a repository. The directory
// is made if it does not exist.
func At(t testing.TB, dir string) *Repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT RUN: this test needs the git program")
	}
	home := tempDir(t)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return &Repo{Dir: physical(t, dir), Home: home, t: t, clock: &clock{now: Start}}
}

// With returns the same work tree with further environment variables
// ("NAME=value") for its git commands.
func (r *Repo) With(env ...string) *Repo {
	other := *r
	other.env = append(append([]string(nil), r.env...), env...)
	return &other
}

// For returns the same work tree for a subtest, which its failures then end.
func (r *Repo) For(t testing.TB) *Repo {
	other := *r
	other.t = t
	return &other
}

// In returns the same repository seen from a directory below it (or from any
// other directory, if absolute).
func (r *Repo) In(dir string) *Repo {
	other := *r
	other.Dir = r.Path(dir)
	return &other
}

// Path joins a slash-separated path to the work tree; an absolute path stays.
func (r *Repo) Path(path string) string {
	p := filepath.FromSlash(path)
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(r.Dir, p)
}

// Env is the isolated environment that the repository's git commands run in.
func (r *Repo) Env() []string {
	r.clock.mu.Lock()
	stamp := strconv.FormatInt(r.clock.now.Unix(), 10) + " +0000"
	r.clock.mu.Unlock()
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + r.Home,
		"XDG_CONFIG_HOME=" + filepath.Join(r.Home, ".config"),
		"GIT_CONFIG_GLOBAL=" + filepath.Join(r.Home, ".gitconfig"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=Ada Author", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=" + stamp,
		"GIT_COMMITTER_NAME=Carl Committer", "GIT_COMMITTER_EMAIL=carl@example.org", "GIT_COMMITTER_DATE=" + stamp,
		"LC_ALL=C", "TZ=UTC",
	}
	for _, name := range []string{"SYSTEMROOT", "TMPDIR", "TEMP", "TMP"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return append(env, r.env...)
}

// Git runs git in the work tree and returns its output without the final line
// break. A failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.TryGit(args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// TryGit is Git for commands that may fail; the error holds git's own words.
func (r *Repo) TryGit(args ...string) (string, error) {
	return r.Pipe("", args...)
}

// Pipe runs git with text on its standard input.
func (r *Repo) Pipe(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = r.Env()
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// Write writes a file of the work tree and makes the folders it needs.
func (r *Repo) Write(path, text string) {
	r.t.Helper()
	p := r.Path(path)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// Read returns a file's text.
func (r *Repo) Read(path string) string {
	r.t.Helper()
	b, err := os.ReadFile(r.Path(path))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b)
}

// Exists says whether there is anything at the path; links are not followed.
func (r *Repo) Exists(path string) bool {
	_, err := os.Lstat(r.Path(path))
	return err == nil
}

// Remove deletes a file, or a folder with all it holds, from the work tree.
func (r *Repo) Remove(path string) {
	r.t.Helper()
	if !r.Exists(path) {
		r.t.Fatalf("remove %s: nothing there", path)
	}
	if err := os.RemoveAll(r.Path(path)); err != nil {
		r.t.Fatal(err)
	}
}

// Commit stages everything, commits it (an empty commit too) and returns the
// commit's id.
func (r *Repo) Commit(msg string) string {
	r.t.Helper()
	r.Git("add", "-A")
	return r.CommitStaged(msg)
}

// CommitStaged commits what is staged and returns the commit's id.
func (r *Repo) CommitStaged(msg string) string {
	r.t.Helper()
	r.Git("commit", "-q", "--allow-empty", "-m", msg)
	r.Advance(Step)
	return r.Head()
}

// Head is the id of HEAD's commit.
func (r *Repo) Head() string {
	r.t.Helper()
	return r.Git("rev-parse", "--verify", "HEAD^{commit}")
}

// Now is the time of the next commit.
func (r *Repo) Now() time.Time {
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	return r.clock.now
}

// Advance moves the time of the next commit.
func (r *Repo) Advance(d time.Duration) {
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	r.clock.now = r.clock.now.Add(d)
}

// Clone clones the repository over the file protocol, so that --depth and
// --filter work, into a fresh directory.
func (r *Repo) Clone(t testing.TB, args ...string) *Repo {
	t.Helper()
	clone := At(t, filepath.Join(tempDir(t), "clone"))
	clone.clock = r.clock
	source := "file://" + filepath.ToSlash(r.Dir)
	all := append([]string{"clone", "-q"}, args...)
	clone.Git(append(all, source, clone.Dir)...)
	return clone
}

// Worktree adds a linked work tree. The branch is created if it does not
// exist; empty means a detached HEAD.
func (r *Repo) Worktree(t testing.TB, branch string) *Repo {
	t.Helper()
	dir := filepath.Join(tempDir(t), "tree")
	switch _, err := r.TryGit("rev-parse", "--verify", "-q", "refs/heads/"+branch); {
	case branch == "":
		r.Git("worktree", "add", "-q", "--detach", dir)
	case err != nil:
		r.Git("worktree", "add", "-q", "-b", branch, dir)
	default:
		r.Git("worktree", "add", "-q", dir, branch)
	}
	other := *r
	other.t, other.Dir = t, physical(t, dir)
	return &other
}

// Isolate gives the test's own process the environment of the repository's git
// commands, for code under test that starts git itself. Tests that use it
// cannot run in parallel.
func (r *Repo) Isolate(t *testing.T) {
	t.Helper()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "") // registers the restore
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", r.Home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(r.Home, ".config"))
}

// Version is the installed git's version as comparable numbers.
func Version(t testing.TB) (major, minor int) {
	t.Helper()
	out, err := exec.Command("git", "version").Output()
	if err != nil {
		t.Skip("NOT RUN: this test needs the git program")
	}
	m := regexp.MustCompile(`(\d+)\.(\d+)`).FindStringSubmatch(string(out))
	if m == nil {
		t.Fatalf("git version answers %q", out)
	}
	major, _ = strconv.Atoi(m[1])
	minor, _ = strconv.Atoi(m[2])
	return major, minor
}

// NeedGit skips the test, visibly, where the installed git is older.
func NeedGit(t testing.TB, major, minor int) {
	t.Helper()
	if a, b := Version(t); a < major || (a == major && b < minor) {
		t.Skipf("NOT RUN: needs git %d.%d, this is %d.%d", major, minor, a, b)
	}
}

// tempDir is a temporary directory with a short name: t.TempDir holds the
// test's name, and some tests' names are long and unusual.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gittest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return physical(t, dir)
}

func physical(t testing.TB, dir string) string {
	t.Helper()
	p, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
