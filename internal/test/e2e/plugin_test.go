//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// withPlugin is Claude Code with the plugin alone to register hooks, and no tool
// allowed beforehand.
func withPlugin(t *testing.T) client {
	c := claudeCode
	c.args = func(prompt string) []string {
		return []string{"-p", prompt, "--model", "claude-sonnet-4-5", "--plugin-dir", pluginFolder(t, "claude")}
	}
	return c
}

// clear removes the repository when the test ends, again and again while work
// that the last hook started in the background still writes into it.
func (s *site) clear() {
	s.t.Cleanup(func() {
		for gone, tries := 0, 0; gone < 5 && tries < 100; tries++ {
			_ = os.RemoveAll(s.root) // fails while files appear in it
			if _, err := os.Stat(s.root); err == nil {
				gone = 0
			} else {
				gone++
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
}

func pluginFolder(t *testing.T, agent string) string {
	t.Helper()
	dir, err := filepath.Abs("../../../plugins/" + agent)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestClaudeCodeLoadsThePlugin: commands and skill are offered, the hooks speak
// though no settings file names them, and each thing is said once.
func TestClaudeCodeLoadsThePlugin(t *testing.T) {
	claudeCode.find(t)
	s := newSite(t)
	s.clear()
	s.run("lessons", "learn", "off")
	s.run("lessons", "add", "go test wants a unit", "--command", "go test -timeout=30", "--mistake", "a bare number is refused", "--fix", "go test -timeout=30s, says LESSON-ONE")
	s.run("lessons", "add", "Money is integer cents", "--type", "decision", "--decision", "int cents", "--because", "floats lost a cent")
	model := s.session(withPlugin(t), "Look around.", bash("go test ./checkout -timeout=30"), says("done"))

	requests := model.Requests()
	for _, offered := range []string{"lessons:scan", "lessons:add", "lessons:review", "lessons:status", "lessons:knowledge"} {
		if !strings.Contains(requests[0], "- "+offered+":") {
			t.Errorf("%s is not offered to the model", offered)
		}
	}
	last := requests[len(requests)-1]
	for _, once := range []string{"Lesson protocol v2", "ADR-001  Money is integer cents"} {
		if n := strings.Count(last, once); n != 1 {
			t.Errorf("%q was said %d times", once, n)
		}
	}
	if !strings.Contains(lastResult(last), "LESSON-ONE") {
		t.Errorf("the plugin's hook did not stop the call:\n%.2000s", lastResult(last))
	}
}

// TestPluginCommandsMayRunWhatTheyName: a command's text reaches the model, and
// what it allows runs without a question; what it does not allow is refused.
func TestPluginCommandsMayRunWhatTheyName(t *testing.T) {
	claudeCode.find(t)
	s := newSite(t)
	s.clear()
	s.run("lessons", "learn", "off")
	model := s.session(withPlugin(t), "/lessons:status", bash("lessons status"), bash("lessons render"), says("done"))
	requests := model.Requests()
	if len(requests) != 3 {
		t.Fatalf("%d requests", len(requests))
	}
	if !strings.Contains(requests[0], "Run `lessons status` and report it") {
		t.Error("the command's text did not reach the model")
	}
	if result := lastResult(requests[1]); !strings.Contains(result, "gathering evidence") {
		t.Errorf("lessons status did not run:\n%.2000s", result)
	}
	if result := lastResult(requests[2]); strings.Contains(result, "nothing is ready") || !strings.Contains(result, "approval") {
		t.Errorf("lessons render was not asked for:\n%.2000s", result)
	}

	model = s.session(withPlugin(t), "/lessons:add Amounts are integer cents", says("done"))
	if !model.Saw("Amounts are integer cents") || model.Saw("$ARGUMENTS") {
		t.Error("what the person said did not reach the model")
	}
}

// TestClaudeCodeTakesThePluginFromTheMarketplace: the folder can be installed as
// the README says.
func TestClaudeCodeTakesThePluginFromTheMarketplace(t *testing.T) {
	program := claudeCode.find(t)
	s := newSite(t)
	s.clear()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"validate", "--strict", root},
		{"validate", "--strict", pluginFolder(t, "claude")},
		{"marketplace", "add", root},
		{"install", "lessons@lessons-cli"},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		cmd := exec.CommandContext(ctx, program, append([]string{"plugin"}, args...)...)
		cmd.Dir, cmd.Env = s.root, append(s.env(), mockmodel.ClaudeEnv("http://127.0.0.1:9", s.home)...)
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			t.Fatalf("claude plugin %v: %v\n%s", args, err, out)
		}
	}
	s.run("lessons", "learn", "off")
	model := s.session(claudeCode, "Look around.", says("done"))
	if first := model.Requests()[0]; !strings.Contains(first, "- lessons:knowledge:") || strings.Count(first, "Lesson protocol v2") != 1 {
		t.Error("the installed plugin offers no skill, or its hook did not speak once")
	}
}

// TestGeminiLoadsTheExtension: installed as the README says, its hooks run and
// its context file is read. Beside the settings' hooks nothing is said twice.
func TestGeminiLoadsTheExtension(t *testing.T) {
	geminiProgram := geminiCLI.find(t)
	for _, settings := range []bool{false, true} {
		s := newStage(t, agent.Gemini)
		if !settings {
			if err := os.Remove(filepath.Join(s.root, agent.Gemini.Settings(false))); err != nil {
				t.Fatal(err)
			}
		}
		env, err := mockmodel.GeminiEnv("http://127.0.0.1:9", s.home)
		if err != nil {
			t.Fatal(err)
		}
		s.run(env, geminiProgram, "extensions", "install", "--consent", pluginFolder(t, "gemini"))
		model := s.session(geminiCLI, "run the tests", append(geminiCLI.runs("echo forbidden"), says("done"))...)
		s.expect(model, "WITNESS-START startup", "WITNESS-DENIES", "# What a repository knows")
		if n := s.happened(agent.SessionStart, nil); n != 1 {
			t.Errorf("with settings %v: SessionStart ran %d times", settings, n)
		}
	}
}
