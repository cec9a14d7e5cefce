//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// stage is a repository with one agent's hooks, and a program in the place of
// lessons that writes down what it is told.
type stage struct {
	t                       *testing.T
	root, home, bin, events string
}

func newStage(t *testing.T, c *agent.Client) *stage {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t, filepath.Join(dir, "shop"), filepath.Join(dir, "home"), filepath.Join(dir, "bin"), filepath.Join(dir, "events.jsonl")}
	build := exec.Command("go", "build", "-tags", "e2e", "-o", filepath.Join(s.bin, "lessons"), "github.com/lessons-cli/lessons/internal/test/e2e/witness")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	doc, err := c.AddHooks(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(s.root, c.Settings(false)), string(doc))
	s.write(filepath.Join(s.root, "a.txt"), "hi\n")
	if out, err := exec.Command("git", "init", "-q", s.root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.MkdirAll(s.home, 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) write(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// session runs one session of an agent.
func (s *stage) session(c client, prompt string, turns ...mockmodel.Turn) *mockmodel.Model {
	s.t.Helper()
	return c.session(s.t, s.root, s.home, s.env(), prompt, turns...)
}

func (s *stage) env() []string {
	return []string{"PATH=" + s.bin + string(os.PathListSeparator) + os.Getenv("PATH"), "WITNESS=" + s.events, "USER=dev", "TERM=dumb"}
}

// run runs a program in the repository.
func (s *stage) run(env []string, name string, args ...string) {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.root, append(s.env(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	s.t.Logf("%s", out)
}

// seen are the events that the hooks reported.
func (s *stage) seen() []agent.Event {
	s.t.Helper()
	data, err := os.ReadFile(s.events)
	if err != nil {
		s.t.Fatalf("no hook ran: %v", err)
	}
	var events []agent.Event
	for line := range bytes.Lines(data) {
		var e agent.Event
		if err := json.Unmarshal(line, &e); err != nil {
			s.t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// happened counts the events of a name that fit.
func (s *stage) happened(name agent.EventName, fits func(agent.Event) bool) int {
	n := 0
	for _, e := range s.seen() {
		if e.Name == name && (fits == nil || fits(e)) {
			n++
		}
	}
	return n
}

func command(text string) func(agent.Event) bool {
	return func(e agent.Event) bool { return e.Call != nil && e.Call.Command == text }
}

// expect checks what every agent must show: where a text arrived, and how often
// it was said.
func (s *stage) expect(m *mockmodel.Model, texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !m.Saw(text) {
			s.t.Errorf("the model never read %q", text)
		}
	}
	if s.t.Failed() {
		for i, r := range m.Requests() {
			s.t.Logf("request %d: … %s", i, r[max(0, len(r)-1500):])
		}
	}
}

// commonEvents checks what the hooks of every agent must have reported.
func (s *stage) commonEvents(failing string) {
	s.t.Helper()
	for name, fits := range map[agent.EventName]func(agent.Event) bool{
		agent.SessionStart: nil, agent.UserPromptSubmit: nil, agent.Stop: nil,
		agent.PreToolUse: command("echo forbidden"),
	} {
		if s.happened(name, fits) == 0 {
			s.t.Errorf("no %s that fits in %+v", name, s.seen())
		}
	}
	if n := s.happened(agent.PostToolUse, command("echo forbidden")); n > 0 {
		s.t.Error("the denied call ran, or its failure was reported as a tool's")
	}
	if n := s.happened(agent.PostToolUse, func(e agent.Event) bool { return e.Call.Command == failing && e.Call.Failed }); n != 1 {
		s.t.Errorf("the failure of %q was reported %d times", failing, n)
	}
	for _, e := range s.seen() {
		if e.Session == "" || e.Cwd == "" {
			s.t.Errorf("without session or folder: %+v", e)
		}
	}
}

func TestCodexKeepsItsContract(t *testing.T) {
	codexCLI.find(t)
	s := newStage(t, agent.Codex)
	model := s.session(
		codexCLI, "run the tests",
		tool("exec_command", map[string]any{"cmd": "echo forbidden"}),
		tool("exec_command", map[string]any{"cmd": "echo quiet"}),
		tool("exec_command", map[string]any{"cmd": "no-such-program-here"}),
		tool("apply_patch", map[string]any{"input": "*** Begin Patch\n*** Update File: a.txt\n@@\n-hi\n+hello\n*** End Patch"}),
		says("too early"),
		says("done"),
	)

	s.expect(model, "WITNESS-START startup", "WITNESS-PROMPT", "WITNESS-BEFORE", "WITNESS-FIX Bash", "WITNESS-DENIES", "WITNESS-HOLDS")
	s.commonEvents("no-such-program-here")
	if s.happened(agent.PreToolUse, func(e agent.Event) bool {
		return e.Call.Tool == "Edit" && len(e.Call.Paths) == 1 && e.Call.Paths[0] == "a.txt" && e.Call.Content == "hello"
	}) != 1 {
		t.Error("the patch was not read as an edit of a.txt")
	}
	found, err := agent.Codex.Sessions(os.DirFS(filepath.Join(s.home, ".codex")), s.root)
	if err != nil || len(found) != 1 {
		t.Errorf("rollouts: %v (%v)", found, err)
	}
}

// TestCodexSkipsUntrustedHooks and says nothing about it: doctor must.
func TestCodexSkipsUntrustedHooks(t *testing.T) {
	codexCLI.find(t)
	s := newStage(t, agent.Codex)
	untrusting := codexCLI
	untrusting.args = func(prompt string) []string {
		return []string{"exec", "--dangerously-bypass-approvals-and-sandbox", prompt}
	}
	model := s.session(untrusting, "run the tests", says("done"))
	if model.Saw("WITNESS-START") {
		t.Error("hooks that nobody trusted ran")
	}
	found := agent.Codex.Obstacles(os.DirFS(filepath.Join(s.home, ".codex")), os.DirFS(s.root), s.root)
	if len(found) != 1 || !strings.Contains(found[0].Text, "never trusted") {
		t.Errorf("obstacles: %+v", found)
	}
}

func TestCodexIsToldAgainAfterCompaction(t *testing.T) {
	codexCLI.find(t)
	s := newStage(t, agent.Codex)
	model := s.session(codexCLI, "run the tests", full(codexCLI), says("done"))
	s.expect(model, "WITNESS-START startup", "WITNESS-START compact")
	if s.happened(agent.PreCompact, nil) == 0 {
		t.Error("no compaction was announced")
	}
}

func TestCodexTellsSubAgents(t *testing.T) {
	codexCLI.find(t)
	s := newStage(t, agent.Codex)
	quiet := tool("exec_command", map[string]any{"cmd": "echo quiet; sleep 2"}) // the sub-agent works meanwhile
	model := s.session(codexCLI, "run the tests", tool("spawn_agent", map[string]any{"message": "SUBTASK look"}), quiet, quiet, says("done"))
	s.expect(model, "SUBTASK look", "WITNESS-SUBAGENT")
	if s.happened(agent.SubagentStart, func(e agent.Event) bool { return e.AgentID != "" && e.AgentID != e.Session }) != 1 {
		t.Errorf("no start of a sub-agent in %+v", s.seen())
	}
}

func TestOpenCodeIsToldAgainAfterCompaction(t *testing.T) {
	openCode.find(t)
	s := newStage(t, agent.OpenCode)
	model := s.session(openCode, "run the tests", full(openCode), says("done"), says("done"))
	s.expect(model, "WITNESS-START startup", "WITNESS-START compact")
}

func TestGeminiKeepsItsContract(t *testing.T) {
	geminiCLI.find(t)
	s := newStage(t, agent.Gemini)
	model := s.session(
		geminiCLI, "run the tests",
		tool("run_shell_command", map[string]any{"command": "echo forbidden"}),
		tool("run_shell_command", map[string]any{"command": "echo quiet"}),
		tool("run_shell_command", map[string]any{"command": "echo original"}),
		tool("run_shell_command", map[string]any{"command": "no-such-program-here"}),
		tool("replace", map[string]any{"file_path": filepath.Join(s.root, "a.txt"), "old_string": "hi", "new_string": "hello", "instruction": "x"}),
		says("too early"),
		says("done"),
	)

	s.expect(model, "WITNESS-START startup", "WITNESS-PROMPT", "WITNESS-FIX Bash", "WITNESS-DENIES", "WITNESS-HOLDS", "replaced")
	if model.Saw("WITNESS-BEFORE") {
		t.Error("a context before a tool arrived: Gemini takes it now, and the adapter should give it")
	}
	s.commonEvents("no-such-program-here")
	if s.happened(agent.UserPromptSubmit, func(e agent.Event) bool { return e.Prompt == "run the tests" }) == 0 {
		t.Errorf("the prompt was not reported as the person wrote it: %+v", s.seen())
	}
	found, err := agent.Gemini.Sessions(os.DirFS(filepath.Join(s.home, ".gemini")), s.root)
	if err != nil || len(found) == 0 {
		t.Errorf("chats: %v (%v)", found, err)
	}
}

func TestOpenCodeKeepsItsContract(t *testing.T) {
	openCode.find(t)
	s := newStage(t, agent.OpenCode)
	small := filepath.Join(s.bin, "lessons-hook") // is asked where it is there; the other tests have none
	s.write(small, "#!/bin/sh\necho >> \"$0.asked\"\nexec lessons hook \"$@\"\n")
	if err := os.Chmod(small, 0o755); err != nil {
		t.Fatal(err)
	}
	model := s.session(
		openCode, "run the tests",
		tool("bash", map[string]any{"command": "echo forbidden", "description": "d"}),
		tool("bash", map[string]any{"command": "echo quiet", "description": "d"}),
		tool("bash", map[string]any{"command": "echo original", "description": "d"}),
		tool("bash", map[string]any{"command": "no-such-program-here", "description": "d"}),
		tool("edit", map[string]any{"filePath": filepath.Join(s.root, "a.txt"), "oldString": "absent", "newString": "hello"}),
		tool("task", map[string]any{"description": "look", "prompt": "SUBTASK look", "subagent_type": "general"}),
		says("sub done"),
		says("done"),
	)

	s.expect(model, "WITNESS-START startup", "WITNESS-PROMPT", "WITNESS-BEFORE", "WITNESS-FIX Bash", "WITNESS-FIX Edit", "WITNESS-DENIES", "replaced", "WITNESS-SUBAGENT")
	s.commonEvents("no-such-program-here")
	if s.happened(agent.PostToolUse, func(e agent.Event) bool { return e.Call.Tool == "Edit" && e.Call.Failed }) != 1 {
		t.Errorf("the failed edit was not reported once: %+v", s.seen())
	}
	if n := s.happened(agent.SubagentStart, func(e agent.Event) bool { return e.AgentID != "" && e.AgentID != e.Session }); n != 1 {
		t.Errorf("%d starts of sub-agents", n)
	}
	if asked, err := os.ReadFile(small + ".asked"); err != nil || len(asked) != len(s.seen()) {
		t.Errorf("the small program was asked %d times of %d (%v)", len(asked), len(s.seen()), err)
	}
}

func TestClaudeCodeKeepsItsContract(t *testing.T) {
	claudeCode.find(t)
	s := newStage(t, agent.Claude)
	settings := filepath.Join(s.root, agent.Claude.Settings(false))
	doc, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	// The one event that is answered and not registered.
	doc, err = hookfile.Nested.Add(doc, "claude", []hookfile.Hook{{Event: string(agent.PreCompact), Command: agent.Claude.Command(agent.PreCompact), Timeout: 5}})
	if err != nil {
		t.Fatal(err)
	}
	s.write(settings, string(doc))
	model := s.session(
		claudeCode, "run the tests",
		tool("Bash", map[string]any{"command": "echo forbidden", "description": "d"}),
		tool("Bash", map[string]any{"command": "echo quiet", "description": "d"}),
		tool("Bash", map[string]any{"command": "echo original", "description": "d"}),
		tool("Bash", map[string]any{"command": "no-such-program-here", "description": "d"}),
		tool("Agent", map[string]any{"description": "look", "prompt": "SUBTASK look", "subagent_type": "general-purpose"}),
		says("sub done"),
		says("too early"),
		says("done"),
	)

	s.expect(model, "WITNESS-START startup", "WITNESS-PROMPT", "WITNESS-BEFORE", "WITNESS-FIX Bash", "WITNESS-DENIES", "WITNESS-HOLDS", "replaced", "WITNESS-SUBAGENT")
	s.commonEvents("no-such-program-here")
	for _, name := range []agent.EventName{agent.SubagentStart, agent.SubagentStop, agent.SessionEnd} {
		if s.happened(name, nil) == 0 {
			t.Errorf("no %s", name)
		}
	}
}
