//go:build e2e

// Package e2e runs real coding agents against a scripted model on loopback,
// with lessons installed as a person would install it.
package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// claudeProgram finds Claude Code: CLAUDE names it, else PATH.
func claudeProgram(t *testing.T) string {
	t.Helper()
	name := os.Getenv("CLAUDE")
	if name == "" {
		name = "claude"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED, Claude Code is not installed: npm install -g @anthropic-ai/claude-code, or name it in CLAUDE (%v)", err)
	}
	return path
}

// site is a repository, a home and a PATH with lessons on it.
type site struct {
	t                *testing.T
	root, home, path string
}

func newSite(t *testing.T) *site {
	t.Helper()
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "github.com/lessons-cli/lessons/cmd/...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := filepath.EvalSymlinks(quietDir(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, root: filepath.Join(root, "shop"), home: filepath.Join(root, "home"), path: bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	if err := os.MkdirAll(s.home, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(s.root, os.DirFS("../../../testdata/demo/project")); err != nil {
		t.Fatal(err)
	}
	s.run("git", "init", "-q", "-b", "main")
	s.run("lessons", "init", "--yes")
	s.run("git", "add", "-A")
	s.run("git", "commit", "-qm", "Set up")
	return s
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

func (s *site) env() []string {
	return []string{
		"HOME=" + s.home, "USER=dev", "PATH=" + s.path, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
}

func (s *site) run(name string, args ...string) string {
	s.t.Helper()
	if name == "lessons" {
		name = strings.SplitN(s.path, string(os.PathListSeparator), 2)[0] + "/lessons"
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.root, s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// claude runs one session and returns the model that it talked to.
func (s *site) claude(program, prompt string, turns ...mockmodel.Turn) *mockmodel.Anthropic {
	s.t.Helper()
	model := mockmodel.NewAnthropic(turns)
	s.t.Cleanup(model.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-p", prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash(*)", "Agent", "Read")
	cmd.Dir, cmd.Env = s.root, append(s.env(), mockmodel.ClaudeEnv(model.URL, s.home)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("claude: %v\n%s", err, out)
	}
	return model
}

func bash(command string) mockmodel.Turn {
	return mockmodel.Turn{Tools: []mockmodel.Tool{{Name: "Bash", Input: map[string]any{"command": command, "description": "d"}}}}
}

// TestClaudeCodeLearnsAndIsTold: what one session reports is rendered when it
// ends, without anybody calling lessons, and the next session and its sub-agent
// start with it.
func TestClaudeCodeLearnsAndIsTold(t *testing.T) {
	program := claudeProgram(t)
	s := newSite(t)
	model := s.claude(program, "Run the tests.",
		bash("go test ./checkout -timeout=30"), bash("go test ./checkout -timeout=30s"),
		mockmodel.Turn{Text: "They pass.\n\n#lesson\ntool: Bash\ntrigger: go test -timeout=30\nmistake: go test -timeout takes a duration\nfix: go test -timeout=30s\ntags: tool:go\n#/lesson"},
	)
	if !model.Saw("Lesson protocol v1") {
		t.Error("the first session was not given the protocol")
	}
	s.waitFor(".lessons/go-test*.md")
	if out := s.run("lessons", "list"); !strings.Contains(out, "active") {
		t.Errorf("the reported lesson is not active:\n%s", out)
	}
	s.run("lessons", "add", "Money is integer cents", "--type", "decision", "--decision", "int cents", "--because", "floats lost a cent")

	model = s.claude(program, "Look around.",
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

// waitFor waits for work that a hook started in the background.
func (s *site) waitFor(pattern string) {
	s.t.Helper()
	for range 100 {
		if found, _ := filepath.Glob(filepath.Join(s.root, pattern)); len(found) > 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatalf("no %s appeared; %s", pattern, s.run("lessons", "list", "--observations"))
}

// TestAColleagueWithoutLessonsNoticesNothing: the registered hooks are in the
// repository, the program is not on the machine.
func TestAColleagueWithoutLessonsNoticesNothing(t *testing.T) {
	program := claudeProgram(t)
	s := newSite(t)
	s.path = os.Getenv("PATH")
	model := s.claude(program, "Hello.", mockmodel.Turn{Text: "hello"})
	for _, r := range model.Requests() {
		if strings.Contains(r, "hook error") || strings.Contains(r, "lessons hook") {
			t.Errorf("the hook shows in a request: %.500s", r)
		}
	}
	if len(model.Requests()) == 0 {
		t.Error("the session did not happen")
	}
}

// TestClaudeCodeIsStoppedOnce: a lesson that a person wrote denies the first
// matching call with the fix as the reason, and lets the same call pass then. A
// lesson about a failure comes with the failure.
func TestClaudeCodeIsStoppedOnce(t *testing.T) {
	program := claudeProgram(t)
	s := newSite(t)
	s.run("lessons", "add", "go test wants a unit", "--command", "go test -timeout=30", "--mistake", "a bare number is refused", "--fix", "go test -timeout=30s, says LESSON-ONE")
	model := s.claude(program, "Run the tests.",
		bash("go test ./checkout -timeout=30"), bash("go test ./checkout -timeout=30"), bash("echo fine"),
		mockmodel.Turn{Text: "done"},
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
