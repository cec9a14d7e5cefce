//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// client is how a test has one session of a real agent.
type client struct {
	name                       string
	variable, program, install string // where its program is found, and what to say where it is not
	shell, command             string // its shell tool, and the argument that holds the command line
	described                  bool   // the shell tool wants a description
	keepsInput                 bool   // hooks cannot change a call: a lesson that would stops it once
	keepsPrompts               bool   // what a person types reaches the model without a hook's words
	model                      func(script []mockmodel.Turn) *mockmodel.Model
	env                        func(url, home, root string) ([]string, error)
	args                       func(prompt string) []string
}

var (
	claudeCode = client{
		name: "claude", variable: "CLAUDE", program: "claude", install: "@anthropic-ai/claude-code",
		shell: "Bash", command: "command", described: true,
		model: func(script []mockmodel.Turn) *mockmodel.Model { return mockmodel.NewAnthropic(script).Model },
		env:   func(url, home, _ string) ([]string, error) { return mockmodel.ClaudeEnv(url, home), nil },
		args: func(prompt string) []string {
			return []string{"-p", prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash(*)", "Agent", "Read"}
		},
	}
	codexCLI = client{
		name: "codex", variable: "CODEX", program: "codex", install: "@openai/codex",
		shell: "exec_command", command: "cmd", keepsInput: true,
		model: mockmodel.NewResponses, env: trustedCodex,
		args: func(prompt string) []string {
			return []string{"exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", prompt}
		},
	}
	geminiCLI = client{
		name: "gemini", variable: "GEMINI", program: "gemini", install: "@google/gemini-cli",
		shell: "run_shell_command", command: "command",
		model: mockmodel.NewGemini,
		env:   func(url, home, _ string) ([]string, error) { return mockmodel.GeminiEnv(url, home) },
		args:  func(prompt string) []string { return []string{"-m", "gemini-2.5-pro", "--yolo", "-p", prompt} },
	}
	openCode = client{
		name: "opencode", variable: "OPENCODE", program: "opencode", install: "opencode-ai",
		shell: "bash", command: "command", described: true,
		model: mockmodel.NewChat,
		env:   func(url, home, _ string) ([]string, error) { return mockmodel.OpenCodeEnv(url, home) },
		args:  func(prompt string) []string { return []string{"run", prompt} },
	}
	copilotCLI = client{
		name: "copilot", variable: "COPILOT", program: "copilot", install: "@github/copilot",
		shell: "bash", command: "command", described: true, keepsInput: true, keepsPrompts: true,
		model: mockmodel.NewChat,
		env:   func(url, home, _ string) ([]string, error) { return mockmodel.CopilotEnv(url, home), nil },
		args: func(prompt string) []string {
			return []string{"-p", prompt, "--allow-all-tools", "--trust-folder"}
		},
	}
	clients = []client{claudeCode, codexCLI, geminiCLI, openCode, copilotCLI}
)

// trustedCodex is the environment of a Codex that trusts the repository.
func trustedCodex(url, home, root string) ([]string, error) {
	env, err := mockmodel.CodexEnv(url, home)
	if err != nil {
		return nil, err
	}
	config := filepath.Join(home, ".codex", "config.toml")
	text, err := os.ReadFile(config)
	if err != nil {
		return nil, err
	}
	return env, os.WriteFile(config, append(text, "\n[projects.\""+root+"\"]\ntrust_level = \"trusted\"\n"...), 0o644)
}

// find finds the agent's program: the variable names it, else PATH. Without it
// the test is skipped.
func (c client) find(t *testing.T) string {
	t.Helper()
	name := c.program
	if own := os.Getenv(c.variable); own != "" {
		name = own
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED, not installed: npm install -g %s, or name it in %s (%v)", c.install, c.variable, err)
	}
	return path
}

func tool(name string, input map[string]any) mockmodel.Turn {
	return mockmodel.Turn{Tools: []mockmodel.Tool{{Name: name, Input: input}}}
}

func says(text string) mockmodel.Turn { return mockmodel.Turn{Text: text} }

// runs are calls of the shell, one command line a turn.
func (c client) runs(lines ...string) []mockmodel.Turn {
	var turns []mockmodel.Turn
	for _, line := range lines {
		input := map[string]any{c.command: line}
		if c.described {
			input["description"] = "d"
		}
		turns = append(turns, tool(c.shell, input))
	}
	return turns
}

// atOnce are calls of the shell in one turn.
func (c client) atOnce(lines ...string) mockmodel.Turn {
	var all mockmodel.Turn
	for _, turn := range c.runs(lines...) {
		all.Tools = append(all.Tools, turn.Tools...)
	}
	return all
}

// sessionLimit is a bound for an agent that hangs, not a measure.
const sessionLimit = 10 * time.Minute

// session has one session in a repository and returns the model that was talked
// to. The agent's own environment comes on top of env.
func (c client) session(t *testing.T, root, home string, env []string, prompt string, turns ...mockmodel.Turn) *mockmodel.Model {
	t.Helper()
	name := c.find(t)
	model := c.model(turns)
	t.Cleanup(model.Close)
	own, err := c.env(model.URL, home, root)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), sessionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, c.args(prompt)...)
	cmd.Dir, cmd.Env = root, append(env, own...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", c.name, err, out)
	}
	t.Logf("%s", out)
	if len(model.Requests()) == 0 {
		t.Fatalf("%s: the session did not happen", c.name)
	}
	return model
}
