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

// scanned returns what lessons scan finds in the sessions of this repository,
// without being told where they are.
func (d *delivered) scanned() string {
	d.t.Helper()
	cmd := exec.Command(filepath.Join(d.bin, "lessons"), "scan", "--all", "--dry-run", "--json")
	cmd.Dir = d.root
	cmd.Env = []string{"HOME=" + d.home, "USER=dev", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestSessionsOfEveryAgentAreRead: a mistake and its fix in a session that the
// real client wrote, wherever it keeps it.
func TestSessionsOfEveryAgentAreRead(t *testing.T) {
	turns := func(tool, key string, extra map[string]any) []mockmodel.Turn {
		var all []mockmodel.Turn
		for _, line := range []string{"git status --no-such-option", "git status --short"} {
			input := map[string]any{key: line}
			for k, v := range extra {
				input[k] = v
			}
			all = append(all, mockmodel.Turn{Tools: []mockmodel.Tool{{Name: tool, Input: input}}})
		}
		return append(all, mockmodel.Turn{Text: "done"}, mockmodel.Turn{Text: "done"})
	}
	described := map[string]any{"description": "d"}
	for _, c := range []struct {
		agent string
		run   func(t *testing.T, d *delivered)
	}{
		{"claude", func(t *testing.T, d *delivered) {
			name := program(t, "CLAUDE", "claude", "@anthropic-ai/claude-code")
			model := mockmodel.NewAnthropic(turns("Bash", "command", described))
			t.Cleanup(model.Close)
			d.run(mockmodel.ClaudeEnv(model.URL, d.home), name, "-p", "run the tests", "--model", "claude-sonnet-4-5", "--allowedTools", "Bash(*)")
		}},
		{"codex", func(t *testing.T, d *delivered) {
			d.codexSession(program(t, "CODEX", "codex", "@openai/codex"), []string{trustHooks}, turns("exec_command", "cmd", nil)...)
		}},
		{"gemini", func(t *testing.T, d *delivered) {
			name := program(t, "GEMINI", "gemini", "@google/gemini-cli")
			model := mockmodel.NewGemini(turns("run_shell_command", "command", nil))
			t.Cleanup(model.Close)
			env, err := mockmodel.GeminiEnv(model.URL, d.home)
			if err != nil {
				t.Fatal(err)
			}
			d.run(env, name, "-m", "gemini-2.5-pro", "--yolo", "-p", "run the tests")
		}},
		{"opencode", func(t *testing.T, d *delivered) {
			name := program(t, "OPENCODE", "opencode", "opencode-ai")
			model := mockmodel.NewChat(turns("bash", "command", described))
			t.Cleanup(model.Close)
			env, err := mockmodel.OpenCodeEnv(model.URL, d.home)
			if err != nil {
				t.Fatal(err)
			}
			d.run(env, name, "run", "run the tests")
		}},
	} {
		t.Run(c.agent, func(t *testing.T) {
			d := newDelivery(t, c.agent)
			c.run(t, d)
			if out := d.scanned(); strings.Count(out, `"kind":"error-fix"`) != 1 || !strings.Contains(out, "git status --no-such-option") {
				t.Errorf("scan found %s", out)
			}
		})
	}
}
