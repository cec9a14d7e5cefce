package tools

import "testing"

func TestEveryAgentsWordForAToolIsUnderstood(t *testing.T) {
	for name, want := range map[string]string{
		"exec_command": "Bash", "run_shell_command": "Bash", "bash": "Bash", "shell": "Bash", "Shell": "Bash", "Bash": "Bash",
		"apply_patch": "Edit", "replace": "Edit", "edit": "Edit", "MultiEdit": "Edit", "write_file": "Write", "create": "Write", "Write": "Write",
		"read_file": "Read", "view": "Read", "mcp__db__query": "mcp__db__query", "": "",
	} {
		if got := Common(name); got != want {
			t.Errorf("Common(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestNoToolHasTwoCommonNames(t *testing.T) {
	for _, names := range []Names{Codex, Gemini, OpenCode, Copilot, Cursor, Claude} {
		for name, want := range names {
			if got := Common(name); got != want {
				t.Errorf("%q is %q to one agent and %q to another", name, want, got)
			}
		}
	}
}
