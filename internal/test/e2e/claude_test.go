//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// site is a repository, a home and a PATH with lessons on it.
type site struct {
	t                *testing.T
	root, home, path string
}

// newSite is the demo's project, set up for agents.
func newSite(t *testing.T, agents ...string) *site {
	t.Helper()
	s := newPlace(t)
	if err := os.CopyFS(s.root, os.DirFS("../../../testdata/demo/project")); err != nil {
		t.Fatal(err)
	}
	s.run("git", "init", "-q", "-b", "main")
	if len(agents) == 0 {
		agents = []string{"--agent", "claude"}
	}
	s.run("lessons", append([]string{"init", "--yes"}, agents...)...)
	s.run("git", "add", "-A")
	s.run("git", "commit", "-qm", "Set up")
	return s
}

// newPlace is an empty folder on a machine with lessons.
func newPlace(t *testing.T) *site {
	t.Helper()
	bin := t.TempDir()
	programs(t, bin)
	root, err := filepath.EvalSymlinks(quietDir(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, root: filepath.Join(root, "shop"), home: filepath.Join(root, "home"), path: bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	for _, dir := range []string{s.root, s.home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// built are lessons' programs, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "lessons-e2e-bin-")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", dir, "github.com/lessons-cli/lessons/cmd/...").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return dir, err
})

// programs puts lessons' programs into a folder of the test's own, by which its processes
// are known.
func programs(t *testing.T, bin string) {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(bin, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
}

// quietDir is a temporary folder that goes when what hooks started beside the
// session has ended.
func quietDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lessons-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 100 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Errorf("%s cannot be removed", dir)
	})
	return dir
}

// bin is where lessons' programs lie.
func (s *site) bin() string {
	bin, _, _ := strings.Cut(s.path, string(os.PathListSeparator))
	return bin
}

func (s *site) env() []string {
	return []string{
		"HOME=" + s.home, "USER=dev", "PATH=" + s.path, agent.DeadlineVariable + "=5s", // tests run beside each other
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
}

func (s *site) run(name string, args ...string) string {
	s.t.Helper()
	if name == "lessons" {
		name = filepath.Join(s.bin(), name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.root, s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// session runs one session of an agent.
func (s *site) session(c client, prompt string, turns ...mockmodel.Turn) *mockmodel.Model {
	s.t.Helper()
	return c.session(s.t, s.root, s.home, s.env(), prompt, turns...)
}

func bash(command string) mockmodel.Turn { return claudeCode.runs(command)[0] }

// TestClaudeCodeLearnsAndIsTold: what one session reports is rendered when it
// ends, without anybody calling lessons, and the next session and its sub-agent
// start with it.
func TestClaudeCodeLearnsAndIsTold(t *testing.T) {
	claudeCode.find(t)
	s := newSite(t)
	model := s.session(claudeCode, "Run the tests.",
		bash("go test ./checkout -timeout=30"), bash("go test ./checkout -timeout=30s"),
		says("They pass.\n\n#lesson\ntool: Bash\ntrigger: go test -timeout=30\nmistake: go test -timeout takes a duration\nfix: go test -timeout=30s\ntags: tool:go\n#/lesson"),
	)
	if !model.Saw("Lesson protocol v2") {
		t.Error("the first session was not given the protocol")
	}
	s.waitFor(".lessons/go-test*.md")
	if out := s.run("lessons", "list"); !strings.Contains(out, "active") {
		t.Errorf("the reported lesson is not active:\n%s", out)
	}
	s.run("lessons", "add", "Money is integer cents", "--type", "decision", "--decision", "int cents", "--because", "floats lost a cent")

	model = s.session(claudeCode, "Look around.",
		mockmodel.Turn{Tools: []mockmodel.Tool{{Name: "Agent", Input: map[string]any{"description": "look", "prompt": "SUBTASK look", "subagent_type": "general-purpose"}}}},
	)
	told := 0
	for _, r := range model.Requests() {
		if strings.Contains(r, "ADR-001  Money is integer cents") {
			told++
		}
	}
	if told < 2 {
		t.Errorf("the index reached %d requests, want the session's and the sub-agent's", told)
	}
}

// waitFor waits for a file that a hook's background work writes.
func (s *site) waitFor(pattern string) {
	s.t.Helper()
	s.until("there is "+pattern, func() bool {
		found, _ := filepath.Glob(filepath.Join(s.root, pattern))
		return len(found) > 0
	})
}

// TestAColleagueWithoutLessonsNoticesNothing: the registered hooks are in the
// repository, the program is not on the machine.
func TestAColleagueWithoutLessonsNoticesNothing(t *testing.T) {
	claudeCode.find(t)
	s := newSite(t)
	s.path = os.Getenv("PATH")
	model := s.session(claudeCode, "Hello.", says("hello"))
	for _, r := range model.Requests() {
		if strings.Contains(r, "hook error") || strings.Contains(r, "lessons hook") {
			t.Errorf("the hook shows in a request: %.500s", r)
		}
	}
}

// TestClaudeCodeIsStoppedOnce: a lesson that a person wrote denies the first
// matching call with the fix as the reason, and lets the same call pass then. A
// lesson about a failure comes with the failure.
func TestClaudeCodeIsStoppedOnce(t *testing.T) {
	claudeCode.find(t)
	s := newSite(t)
	s.run("lessons", "add", "go test wants a unit", "--command", "go test -timeout=30", "--mistake", "a bare number is refused", "--fix", "go test -timeout=30s, says LESSON-ONE")
	model := s.session(claudeCode, "Run the tests.",
		bash("go test ./checkout -timeout=30"), bash("go test ./checkout -timeout=30"), bash("echo fine"),
		says("done"),
	)
	requests := model.Requests()
	if len(requests) < 4 {
		t.Fatalf("%d requests", len(requests))
	}
	if !strings.Contains(requests[1], "LESSON-ONE") || strings.Contains(requests[1], "invalid value") {
		t.Errorf("the first call was not stopped with the fix:\n%.3000s", lastResult(requests[1]))
	}
	if !strings.Contains(requests[2], "invalid value") {
		t.Errorf("the second call did not pass:\n%.3000s", lastResult(requests[2]))
	}
	if strings.Contains(lastResult(requests[3]), "[lessons]") {
		t.Errorf("a call that matches nothing brought something:\n%.3000s", lastResult(requests[3]))
	}
}

// lastResult is the end of a request's conversation.
func lastResult(request string) string {
	if i := strings.LastIndex(request, "tool_result"); i >= 0 {
		request = request[i:]
	}
	request, _, _ = strings.Cut(request, `"system":`)
	return request
}
