//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"golang.org/x/sys/unix"

	"github.com/lessons-cli/lessons/internal/agent"
)

const terminalColumns = 80

// Every command, by every example of its help: no line is wider than a terminal of 80
// columns but for a path, with and without colour; and what a pipe gets has no escape.
func TestEveryCommandAt80Columns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"git", "init", "-q", "shop"},
		{"init", "--yes"},
		{"add", "go test -timeout wants a unit, and says nothing of seconds when there is none at all", "--command", "go test -timeout=<number>", "--fix", "go test -timeout=30s"},
		{"add", "Money is integer cents", "--type", "decision", "--decision", "amounts are int cents, in the database, on the wire and in every form that a person fills in", "--because", "floats lost a cent in invoices"},
		{"git", "add", "-A"},
		{"git", "commit", "-qm", "Begin"},
	} {
		at := filepath.Join(dir, "shop")
		if args[0] == "git" && args[1] == "init" {
			at = dir
		}
		if out, err := runPlain(t, at, home, nil, args).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	repo, lines, bold := filepath.Join(dir, "shop"), 0, false
	for _, cmd := range newGrammar(t).Model.Children {
		if cmd.Name == "review" || cmd.Name == "serve" || cmd.Name == "mcp" { // which stay; tests of their own drive them
			continue
		}
		for _, args := range commandLines(cmd) {
			name := strings.Join(args, " ")
			for _, colour := range []string{"NO_COLOR=1", "NO_COLOR="} {
				shown := atTerminalOf80(t, repo, home, []string{colour, "TERM=xterm-256color", "PAGER=cat"}, args)
				if colour == "NO_COLOR=1" && strings.Contains(strings.ReplaceAll(shown, "\r\x1b[K", ""), "\x1b[") {
					t.Errorf("lessons %s writes an escape under NO_COLOR: %q", name, shown)
				}
				lines += strings.Count(shown, "\n")
				bold = bold || strings.Contains(shown, "\x1b[1m")
				for _, line := range tooWide(shown) {
					t.Errorf("lessons %s: a line of %d columns: %s", name, len([]rune(line)), line)
				}
			}
			out, _ := runPlain(t, repo, home, nil, args).CombinedOutput()
			if bytes.ContainsRune(out, '\x1b') {
				t.Errorf("lessons %s writes an escape to a pipe: %q", name, out)
			}
		}
	}
	if lines < 1000 || !bold {
		t.Errorf("%d lines were looked at, in colour: %t", lines, bold)
	}
}

// commandLines are the ways in which a command is tried: its help, and the examples in it.
func commandLines(cmd *kong.Node) [][]string {
	all := [][]string{{"help", cmd.Name}}
	if len(cmd.Positional) == 0 && len(cmd.Children) == 0 {
		all = append(all, []string{cmd.Name})
	}
	return append(all, examplesOf(cmd)...)
}

func runPlain(t *testing.T, dir, home string, env, args []string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: self, Args: append([]string{"lessons"}, args...), Dir: dir}
	if args[0] == "git" {
		cmd = exec.Command("git", args[1:]...)
		cmd.Dir = dir
	}
	cmd.Env = append([]string{
		"HOME=" + home, "USER=dev", "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "EDITOR=true", "LESSONS_DRY_RUN=1", agent.DeadlineVariable + "=1m",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}, env...)
	return cmd
}

// atTerminalOf80 is what a command shows at a terminal at which nobody types.
func atTerminalOf80(t *testing.T, dir, home string, env, args []string) string {
	t.Helper()
	master, tty := openTerminal(t)
	defer master.Close()
	if err := unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: terminalColumns, Row: 24}); err != nil {
		t.Fatal(err)
	}
	cmd := runPlain(t, dir, home, env, args)
	cmd.Stdout, cmd.Stderr = tty, tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	var shown bytes.Buffer
	_, _ = shown.ReadFrom(master) // until nobody has the terminal open any more
	_ = cmd.Wait()
	return strings.ReplaceAll(shown.String(), "\r\n", "\n")
}

// tooWide are the lines that do not fit, though they could be broken.
func tooWide(shown string) (lines []string) {
	for line := range strings.Lines(shown) {
		line = strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "", "\n", "").Replace(line)
		if strings.HasPrefix(line, "{") { // JSON is for programs
			continue
		}
		if len([]rune(line)) > terminalColumns && len(strings.Fields(line)) > 1 {
			lines = append(lines, fmt.Sprintf("%q", line))
		}
	}
	return lines
}
