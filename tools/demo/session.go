package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// call is a shell command of a recorded session, and how it ended.
type call struct{ command, outcome string }

// session puts a recorded session where Claude Code keeps its own, and returns its
// shell commands.
func (s *sandbox) session(n int) ([]call, error) {
	folder, _ := agent.ClaudeFolder(s.root)
	to := filepath.Join(s.home, ".claude", "projects", folder)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%d.jsonl", n)
	text, err := os.ReadFile(filepath.Join(s.data, "sessions", name))
	if err != nil {
		return nil, err
	}
	text = bytes.ReplaceAll(text, []byte("/home/dev/shop"), []byte(s.root))
	if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
		return nil, err
	}
	var calls []call
	_, err = transcript.Read(name, bytes.NewReader(text), transcript.Options{Whole: true}, func(e transcript.Event) error {
		switch e.Kind {
		case transcript.ToolCall:
			calls = append(calls, call{command: e.Command})
		case transcript.ToolResult:
			calls[len(calls)-1].outcome = outcomeOf(e)
		}
		return nil
	})
	if err == nil && len(calls) < 2 {
		err = fmt.Errorf("%s has %d calls", name, len(calls))
	}
	return calls, err
}

func outcomeOf(e transcript.Event) string {
	if e.Outcome != transcript.Fail {
		return "passes"
	}
	for line := range strings.Lines(e.Text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "Exit code") {
			return "fails: " + line
		}
	}
	return "fails"
}
