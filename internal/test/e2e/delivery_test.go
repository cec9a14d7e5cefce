//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// delivered is what every agent's model must read, and when.
type delivered struct {
	*stage
	name string
}

const stopLesson = `---
id: 01M7YN1AECSTOPSTOPSTOPSTOP
kind: warning
priority: high
status: active
confidence: 1
action: auto
triggers:
  commands: ["echo forbidden"]
created: 2026-11-20
---
# Do not echo forbidden

It is forbidden.

**Fix**: STOP-FIX
`

const failureLesson = `---
id: 01M7YN1AECFA1LFA1LFA1LFA1L
kind: warning
priority: critical
status: active
confidence: 1
action: inform
triggers:
  commands: ["no-such-program-here"]
created: 2026-11-20
---
# There is no such program

**Fix**: KNOWN-FIX
`

const guardLesson = `---
id: 01M7YN1AECGARDGARDGARDGARD
kind: requirement
priority: high
status: active
confidence: 1
action: deny
triggers:
  commands: ["echo guarded"]
require:
  passed: echo evidence
  suggest: GUARD-REASON
created: 2026-11-20
---
# Evidence first

Run echo evidence before.
`

const rewriteLesson = `---
id: 01M7YN1AECREWR1TEREWR1TER0
kind: warning
priority: high
status: active
confidence: 1
action: rewrite
triggers:
  commands: ["echo original"]
require:
  replace: ["echo original", "printf %s-%s rewritten 42"]
created: 2026-11-20
---
# Not the original

**Fix**: REWRITE-FIX
`

// newDelivery is a repository set up for an agent as a person would, with the
// real program.
func newDelivery(t *testing.T, name string) *delivered {
	t.Helper()
	dir, err := filepath.EvalSymlinks(quietDir(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t, filepath.Join(dir, "shop"), filepath.Join(dir, "home"), filepath.Join(dir, "bin"), ""}
	if err := os.MkdirAll(s.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", s.bin, "github.com/lessons-cli/lessons/cmd/...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for path, text := range map[string]string{"stop-0000": stopLesson, "fail-0000": failureLesson, "guard-0000": guardLesson, "rewrite-0000": rewriteLesson} {
		s.write(filepath.Join(s.root, ".lessons", path+".md"), text)
	}
	s.write(filepath.Join(s.root, "a.txt"), "hi\n")
	if err := os.MkdirAll(s.home, 0o755); err != nil {
		t.Fatal(err)
	}
	d := &delivered{s, name}
	env := []string{"HOME=" + s.home}
	s.run(env, "git", "init", "-q")
	lessons := filepath.Join(s.bin, "lessons")
	s.run(env, lessons, "init", "--yes", "--agent", name)
	s.run(env, lessons, "add", "Money is integer cents", "--type", "decision", "--decision", "int cents", "--because", "floats lost a cent")
	s.run(env, lessons, "trust", "--yes")
	return d
}

// shell are the calls that each agent's model makes, by its own name of the shell.
func shell(tool, key string, extra map[string]any) []mockmodel.Turn {
	var turns []mockmodel.Turn
	for _, line := range []string{"echo forbidden", "echo forbidden", "echo guarded", "echo evidence", "echo quiet", "no-such-program-here", "echo original"} {
		input := map[string]any{key: line}
		for k, v := range extra {
			input[k] = v
		}
		turns = append(turns, mockmodel.Turn{Tools: []mockmodel.Tool{{Name: tool, Input: input}}})
	}
	return append(turns, mockmodel.Turn{Text: "done"}, mockmodel.Turn{Text: "done"}, mockmodel.Turn{Text: "done"})
}

// told checks the requests: what the model read first, and how often.
func (d *delivered) told(requests []string, texts ...string) {
	d.t.Helper()
	all := strings.Join(requests, "\n")
	for _, text := range texts {
		if !strings.Contains(all, text) {
			d.t.Errorf("%s: the model never read %q", d.name, text)
		}
	}
	if len(requests) < 3 {
		d.t.Fatalf("%s: %d requests", d.name, len(requests))
	}
	if !strings.Contains(requests[1], "STOP-FIX") {
		d.t.Errorf("%s: the first wrong call was not stopped with the fix", d.name)
	}
	if n := strings.Count(requests[2], "STOP-FIX"); n != strings.Count(requests[1], "STOP-FIX") {
		d.t.Errorf("%s: the second call did not pass: the fix was said %d times", d.name, n)
	}
	if d.t.Failed() {
		for i, r := range requests {
			d.t.Logf("request %d: … %s", i, r[max(0, len(r)-1200):])
		}
	}
}

var everywhere = []string{"Lesson protocol v1", "ADR-001  Money is integer cents", "STOP-FIX", "GUARD-REASON", "KNOWN-FIX"}

func TestDeliveryInClaudeCode(t *testing.T) {
	name := program(t, "CLAUDE", "claude", "@anthropic-ai/claude-code")
	d := newDelivery(t, "claude")
	model := mockmodel.NewAnthropic(shell("Bash", "command", map[string]any{"description": "d"}))
	t.Cleanup(model.Close)
	d.run(mockmodel.ClaudeEnv(model.URL, d.home), name, "-p", "run the tests", "--model", "claude-sonnet-4-5", "--allowedTools", "Bash(*)")
	d.told(model.Requests(), append(everywhere, "rewritten-42")...)
}

func TestDeliveryInCodex(t *testing.T) {
	name := program(t, "CODEX", "codex", "@openai/codex")
	d := newDelivery(t, "codex")
	model := d.codexSession(name, []string{trustHooks}, shell("exec_command", "cmd", nil)...)
	d.told(model.Requests(), append(everywhere, "REWRITE-FIX")...) // it takes no other input: stopped once instead
}

func TestDeliveryInGemini(t *testing.T) {
	name := program(t, "GEMINI", "gemini", "@google/gemini-cli")
	d := newDelivery(t, "gemini")
	model := mockmodel.NewGemini(shell("run_shell_command", "command", nil))
	t.Cleanup(model.Close)
	env, err := mockmodel.GeminiEnv(model.URL, d.home)
	if err != nil {
		t.Fatal(err)
	}
	d.run(env, name, "-m", "gemini-2.5-pro", "--yolo", "-p", "run the tests")
	d.told(model.Requests(), append(everywhere, "rewritten-42")...)
}

func TestDeliveryInOpenCode(t *testing.T) {
	name := program(t, "OPENCODE", "opencode", "opencode-ai")
	d := newDelivery(t, "opencode")
	model := mockmodel.NewChat(shell("bash", "command", map[string]any{"description": "d"}))
	t.Cleanup(model.Close)
	env, err := mockmodel.OpenCodeEnv(model.URL, d.home)
	if err != nil {
		t.Fatal(err)
	}
	d.run(env, name, "run", "run the tests")
	d.told(model.Requests(), append(everywhere, "rewritten-42")...)
}

// again checks what follows a compaction and what a sub-agent gets.
func (d *delivered) again(requests []string) {
	d.t.Helper()
	last := requests[len(requests)-1]
	for _, text := range []string{"STOP-FIX", "Lesson protocol v1", "ADR-001  Money is integer cents"} {
		if !strings.Contains(last, text) {
			d.t.Errorf("%s: after the compaction the model does not read %q", d.name, text)
		}
	}
	if d.t.Failed() {
		for i, r := range requests {
			d.t.Logf("request %d: … %s", i, r[max(0, len(r)-1500):])
		}
	}
}

func TestDeliveryAfterCompactionInCodex(t *testing.T) {
	name := program(t, "CODEX", "codex", "@openai/codex")
	d := newDelivery(t, "codex")
	full := tool("exec_command", map[string]any{"cmd": "echo quiet"})
	full.Tokens = 2_000_000
	model := d.codexSession(name, []string{trustHooks}, tool("exec_command", map[string]any{"cmd": "echo forbidden"}), full, mockmodel.Turn{Text: "done"})
	d.again(model.Requests())
}

func TestDeliveryAfterCompactionInOpenCode(t *testing.T) {
	name := program(t, "OPENCODE", "opencode", "opencode-ai")
	d := newDelivery(t, "opencode")
	full := tool("bash", map[string]any{"command": "echo quiet", "description": "d"})
	full.Tokens = 2_000_000
	model := mockmodel.NewChat([]mockmodel.Turn{tool("bash", map[string]any{"command": "echo forbidden", "description": "d"}), full, {Text: "done"}, {Text: "done"}})
	t.Cleanup(model.Close)
	env, err := mockmodel.OpenCodeEnv(model.URL, d.home)
	if err != nil {
		t.Fatal(err)
	}
	d.run(env, name, "run", "run the tests")
	d.again(model.Requests())
}

func TestDeliveryAfterCompactionInClaudeCode(t *testing.T) {
	name := program(t, "CLAUDE", "claude", "@anthropic-ai/claude-code")
	d := newDelivery(t, "claude")
	var requests []string
	for _, prompt := range []struct {
		args  []string
		turns []mockmodel.Turn
	}{
		{[]string{"-p", "run the tests"}, []mockmodel.Turn{tool("Bash", map[string]any{"command": "echo forbidden", "description": "d"}), {Text: "done"}}},
		{[]string{"-p", "/compact", "--continue"}, []mockmodel.Turn{{Text: "a summary"}}},
		{[]string{"-p", "go on", "--continue"}, []mockmodel.Turn{{Text: "done"}}},
	} {
		model := mockmodel.NewAnthropic(prompt.turns)
		d.run(mockmodel.ClaudeEnv(model.URL, d.home), name, append(prompt.args, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash(*)")...)
		requests = append(requests, model.Requests()...)
		model.Close()
	}
	d.again(requests)
}

func TestDeliveryToSubAgents(t *testing.T) {
	t.Run("claude", func(t *testing.T) {
		name := program(t, "CLAUDE", "claude", "@anthropic-ai/claude-code")
		d := newDelivery(t, "claude")
		model := mockmodel.NewAnthropic([]mockmodel.Turn{
			tool("Agent", map[string]any{"description": "look", "prompt": "SUBTASK look", "subagent_type": "general-purpose"}), {Text: "sub done"}, {Text: "done"},
		})
		t.Cleanup(model.Close)
		d.run(mockmodel.ClaudeEnv(model.URL, d.home), name, "-p", "look", "--model", "claude-sonnet-4-5", "--allowedTools", "Agent")
		d.toldSubAgent(model.Requests())
	})
	t.Run("codex", func(t *testing.T) {
		name := program(t, "CODEX", "codex", "@openai/codex")
		d := newDelivery(t, "codex")
		quiet := tool("exec_command", map[string]any{"cmd": "echo quiet; sleep 2"})
		model := d.codexSession(name, []string{trustHooks}, tool("spawn_agent", map[string]any{"message": "SUBTASK look"}), quiet, quiet, mockmodel.Turn{Text: "done"})
		d.toldSubAgent(model.Requests())
	})
	t.Run("opencode", func(t *testing.T) {
		name := program(t, "OPENCODE", "opencode", "opencode-ai")
		d := newDelivery(t, "opencode")
		model := mockmodel.NewChat([]mockmodel.Turn{
			tool("task", map[string]any{"description": "look", "prompt": "SUBTASK look", "subagent_type": "general"}), {Text: "sub done"}, {Text: "done"},
		})
		t.Cleanup(model.Close)
		env, err := mockmodel.OpenCodeEnv(model.URL, d.home)
		if err != nil {
			t.Fatal(err)
		}
		d.run(env, name, "run", "look")
		d.toldSubAgent(model.Requests())
	})
}

// toldSubAgent: some request is the sub-agent's own, and begins with what is known.
func (d *delivered) toldSubAgent(requests []string) {
	d.t.Helper()
	for _, r := range requests[1:] {
		if strings.Contains(r, "SUBTASK look") && !strings.Contains(r, "sub done") &&
			strings.Contains(r, "Lesson protocol v1") && strings.Contains(r, "ADR-001  Money is integer cents") {
			return
		}
	}
	d.t.Errorf("%s: the sub-agent was not told", d.name)
	for i, r := range requests {
		d.t.Logf("request %d: … %s", i, r[max(0, len(r)-1500):])
	}
}
