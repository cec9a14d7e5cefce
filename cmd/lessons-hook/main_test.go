package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// TestBothProgramsAnswerAlike: the small program says what the whole one says,
// in the same order of events, each in a repository of its own.
func TestBothProgramsAnswerAlike(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "../lessons", ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	steps := []struct{ event, input string }{
		{"SessionStart", `{"session_id":"s1","source":"startup"}`},
		{"UserPromptSubmit", `{"session_id":"s1","prompt":"hello"}`},
		{"PreToolUse", `{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"make all"}}`},
		{"PreToolUse", `{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"make all"}}`},
		{"PreToolUse", `{"session_id":"s1","tool_name":"Edit","tool_input":{"file_path":"a/b.go"}}`},
		{"PostToolUse", `{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a"}}`},
		{"PostToolUseFailure", `{"session_id":"s2","tool_name":"Bash","tool_input":{"command":"make all"},"error":"Exit code 2"}`},
		{"SubagentStart", `{"session_id":"s1","agent_id":"a1","agent_type":"Explore"}`},
		{"SubagentStop", `{"session_id":"s1","agent_id":"a1"}`},
		{"Stop", `{"session_id":"s1"}`},
		{"SessionStart", `{"session_id":"s1","source":"compact"}`},
		{"PreToolUse", `{`},
		{"NoSuchEvent", `{}`},
		{"SessionEnd", `{"session_id":"s1"}`},
	}
	answers := map[string][]string{}
	home := t.TempDir()
	for _, program := range []string{"lessons hook", "lessons-hook"} {
		r := gittest.New(t)
		run := func(input string, args ...string) string {
			cmd := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
			cmd.Dir, cmd.Stdin = r.Dir, strings.NewReader(input)
			cmd.Env = []string{
				"HOME=" + home, "USER=dev", "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
				"LESSONS_DRY_RUN=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
				agent.DeadlineVariable + "=1m",
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		run("", "lessons", "init", "--yes")
		run("", "lessons", "add", "make wants a target", "--command", "make all", "--mistake", "m", "--fix", "make test", "--priority", "critical")
		for _, s := range steps {
			answers[program] = append(answers[program], run(s.input, append(strings.Fields(program), "claude", s.event)...))
		}
	}
	said := 0
	for i, s := range steps {
		whole, small := answers["lessons hook"][i], answers["lessons-hook"][i]
		said += min(len(whole), 1)
		if whole != small {
			t.Errorf("%s %s:\nlessons hook %s\nlessons-hook %s", s.event, s.input, whole, small)
		}
	}
	if said < 4 {
		t.Errorf("only %d events were answered: %q", said, answers)
	}
}
