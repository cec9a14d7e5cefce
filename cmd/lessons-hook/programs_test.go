package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// built makes both programs once for all tests of the package; [TestMain]
// removes them.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "lessons-hook-test-")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", dir, "../lessons", ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released: without the C library's name services
	if out, err := build.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
})

// used says that there is something to remove.
var used sync.Once

func TestMain(m *testing.M) {
	status := m.Run()
	unused := false
	used.Do(func() { unused = true })
	if !unused {
		if dir, _ := built(); dir != "" {
			_ = os.RemoveAll(dir)
		}
	}
	os.Exit(status)
}

// programs returns the folder in which lessons and lessons-hook lie.
func programs(t *testing.T) string {
	t.Helper()
	used.Do(func() {})
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// isolated is an environment that has nothing of this machine but PATH.
func isolated(bin, home, temp string, more ...string) []string {
	return append([]string{
		"HOME=" + home, "USER=dev", "TMPDIR=" + temp, "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, agent.DeadlineVariable + "=1m",
	}, more...)
}

// workTree is a repository in which lessons was set up, and how to run the two
// programs there.
type workTree struct {
	*gittest.Repo
	t   *testing.T
	bin string
	env []string
}

func newWorkTree(t *testing.T, more ...string) *workTree {
	t.Helper()
	w := &workTree{Repo: gittest.New(t), t: t, bin: programs(t)}
	w.env = isolated(w.bin, t.TempDir(), t.TempDir(), more...)
	w.lessons("init", "--yes")
	return w
}

// lessons runs the whole program, which must succeed.
func (w *workTree) lessons(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(filepath.Join(w.bin, "lessons"), args...)
	cmd.Dir, cmd.Env = w.Dir, w.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("lessons %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// hook is one run of the small program, not started yet.
func (w *workTree) hook(client, event string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(w.bin, "lessons-hook"), client, event)
	cmd.Dir, cmd.Env = w.Dir, w.env
	return cmd
}

// lesson writes a lesson file. front is further front matter.
func (w *workTree) lesson(id, title, front string) {
	w.Write(".lessons/"+strings.ToLower(id)+".md", "---\nid: "+id+"\nkind: warning\nstatus: active\nconfidence: 1\ncreated: 2026-03-02\n"+front+
		"\n---\n# "+title+"\n\nIt goes wrong.\n\n**Fix**: make test\n")
}
