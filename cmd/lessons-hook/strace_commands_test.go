//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commands are what a person runs in a repository that they cloned; writers may
// change the knowledge folders, and nothing else.
var commands = []struct {
	args   []string
	writes bool
}{
	{[]string{"status"}, false},
	{[]string{"list"}, false},
	{[]string{"show", "ADR-001"}, false},
	{[]string{"search", "cents"}, false},
	{[]string{"index"}, false},
	{[]string{"check"}, false},
	{[]string{"check", "--base", "HEAD~1", "--format", "sarif"}, false},
	{[]string{"blame", "ADR-001"}, false},
	{[]string{"blame", "ADR-999"}, false},
	{[]string{"log"}, false},
	{[]string{"diff", "--committed", "ADR-001"}, false},
	{[]string{"resolve", "--dry-run"}, false},
	{[]string{"layout", "files", "--dry-run"}, false},
	{[]string{"reconcile"}, false},
	{[]string{"doctor"}, false},
	{[]string{"explain", "Bash", "tool0"}, false},
	{[]string{"resolve"}, true},
	{[]string{"reconcile", "--write"}, true},
	{[]string{"render"}, true},
	{[]string{"check", "--fix"}, true},
}

// TestNothingInARepositoryMakesACommandLeaveItsPlaces: what a person runs in a
// hostile clone starts nothing but git's read-only commands and lessons itself,
// reaches nobody, and writes to its own folders alone.
func TestNothingInARepositoryMakesACommandLeaveItsPlaces(t *testing.T) {
	needStrace(t)
	for _, links := range []bool{false, true} {
		trap := newTrap(t)
		trap.crowdRefs()
		if links {
			trap.links()
		}
		said := 0
		for _, c := range commands {
			calls, out := trap.traceCommand(c.args)
			said += min(1, len(out))
			for _, v := range trap.strayed(calls, c.writes) {
				t.Errorf("links %v: lessons %s:\n%s", links, strings.Join(c.args, " "), v)
			}
		}
		trap.untouched(t)
		if said < len(commands)/2 {
			t.Errorf("links %v: only %d of %d commands said anything", links, said, len(commands))
		}
	}
}

// crowdRefs makes refs with names that lead elsewhere where they are taken for
// paths, a bare repository inside of the work tree, and names that other systems
// fold or reserve.
func (tr *trap) crowdRefs() {
	head := tr.Git("rev-parse", "HEAD")
	for _, ref := range []string{"refs/heads/..%2f..%2foutside", "refs/heads/-x", "refs/heads/.lessons/config", "refs/tags/HEAD", "refs/heads/con"} {
		_, _ = tr.TryGit("-c", "core.hooksPath="+os.DevNull, "update-ref", ref, head) // git refuses some itself
	}
	must(tr.t, os.MkdirAll(tr.Path(".lessons/bare/objects"), 0o755))
	must(tr.t, os.MkdirAll(tr.Path(".lessons/bare/refs"), 0o755))
	tr.Write(".lessons/bare/HEAD", "ref: refs/heads/main\n")
	tr.Write(".lessons/bare/config", "[core]\n\tbare = true\n\tfsmonitor = "+tr.evil+"\n")
	for _, name := range []string{".Lessons/upper.md", ".lessons/CON.md", ".lessons/trailing.md ", ".lessons/git~1.md", ".MEMORY/knowledge/decisions.md"} {
		tr.Write(name, "# One\n")
	}
}

// traceCommand runs lessons and returns its system calls and what it printed.
func (tr *trap) traceCommand(args []string) ([]sysCall, []byte) {
	t := tr.t
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command("strace", append([]string{
		"-f", "-y", "-s", "4000", "--seccomp-bpf", "-e", traced, "-e", "signal=none", "-o", log,
		filepath.Join(tr.bin, "lessons"),
	}, args...)...)
	cmd.Dir, cmd.Env = tr.Dir, tr.env
	out, err := cmd.CombinedOutput()
	if exit, failed := err.(*exec.ExitError); failed && exit.ExitCode() > 3 || err != nil && !failed {
		t.Errorf("lessons %v: %v\n%s", args, err, out)
	}
	if bytes.Contains(out, []byte("top secret")) || bytes.Contains(out, []byte("panic:")) {
		t.Errorf("lessons %v says: %s", args, out)
	}
	data, err := os.ReadFile(log)
	must(t, err)
	return wholeCalls(string(data)), out
}

// strayed are the violations of a command. The hooks that doctor tries are
// started by a shell, as agents do.
func (tr *trap) strayed(calls []sysCall, writes bool) []string {
	var bad []string
	for _, v := range tr.violations(calls) {
		if writes && (strings.Contains(v, tr.Path(".lessons")) || strings.Contains(v, tr.Path(".memory")) || strings.Contains(v, `".lessons`) || strings.Contains(v, `".memory`)) && !strings.Contains(v, tr.outside) {
			continue
		}
		if strings.Contains(v, `execve("/bin/sh"`) || strings.Contains(v, `execve("/usr/bin/sh"`) {
			if strings.Contains(v, "lessons-hook") {
				continue
			}
		}
		bad = append(bad, v)
	}
	return bad
}
