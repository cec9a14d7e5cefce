package agent

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// TestAKilledHookRefusesNoCall: Copilot does not make a call whose hook fails, so the command
// that it is told to run succeeds even where lessons is killed, and still passes its answer on.
func TestAKilledHookRefusesNoCall(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no hook is registered there")
	}
	command := Copilot.Command(PreToolUse)
	if !hookfile.Ours(Copilot.Name, command) {
		t.Errorf("not known as ours: %s", command)
	}
	for _, program := range []string{"lessons-hook", "lessons"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\necho \"$*\"\nkill -9 $$\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", "-c", command)
		cmd.Env = []string{"PATH=" + dir}
		out, err := cmd.Output()
		want := map[string]string{"lessons-hook": "copilot PreToolUse\n", "lessons": "hook copilot PreToolUse\n"}[program]
		if err != nil || string(out) != want {
			t.Errorf("%s: %v, answer %q, want %q", program, err, out, want)
		}
	}
}
