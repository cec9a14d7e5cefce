//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// init shows its plan at a terminal and asks. Only a yes writes anything.
func TestInitAsksAtATerminal(t *testing.T) {
	for name, c := range map[string]struct {
		typed string
		exit  int
		wrote bool
	}{
		"yes":    {"y\n", 0, true},
		"Yes":    {"Yes\n", 0, true},
		"no":     {"n\n", 130, false},
		"empty":  {"\n", 130, false},
		"other":  {"why\n", 130, false},
		"ctrl-c": {"\x03", 130, false},
		"ctrl-d": {"\x04", 130, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if out, err := runPlain(t, dir, dir, nil, []string{"git", "init", "-q", "shop"}).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			repo := filepath.Join(dir, "shop")
			shown, exit := answerAtTerminal(t, runPlain(t, repo, dir, []string{"TERM=dumb", "PAGER=cat"}, []string{"init"}), "[y/N] ", c.typed)
			if exit != c.exit || !strings.Contains(shown, "+++ b/.claude/settings.json") {
				t.Errorf("ended with %d, not %d, after:\n%s", exit, c.exit, shown)
			}
			entries, err := os.ReadDir(repo)
			if err != nil || len(entries) > 1 != c.wrote {
				t.Errorf("in the repository: %v %v", entries, err)
			}
		})
	}
}

// answerAtTerminal runs a command at a terminal, and types when it has asked.
func answerAtTerminal(t *testing.T, cmd *exec.Cmd, question, typed string) (shown string, exit int) {
	t.Helper()
	master, tty := openTerminal(t)
	defer master.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	var screen bytes.Buffer
	part := make([]byte, 4096)
	for asked := false; ; {
		n, err := master.Read(part)
		screen.Write(part[:n])
		if !asked && strings.Contains(screen.String(), question) {
			asked = true
			if _, err := master.WriteString(typed); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil { // nobody has the terminal open any more
			break
		}
	}
	_ = cmd.Wait()
	return screen.String(), cmd.ProcessState.ExitCode()
}
