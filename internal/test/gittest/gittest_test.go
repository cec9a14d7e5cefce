package gittest

import (
	"strings"
	"testing"
)

func TestCommitIdsAreTheSameOnEveryRun(t *testing.T) {
	build := func() string {
		r := New(t)
		r.Write("a dir/ä.txt", "text\n")
		r.Commit("first")
		r.Remove("a dir/ä.txt")
		return r.Commit("second")
	}
	if a, b := build(), build(); a != b {
		t.Errorf("two builds of one history: %s and %s", a, b)
	}
}

func TestMachineConfigurationDoesNotReachTheFixture(t *testing.T) {
	t.Setenv("GIT_AUTHOR_NAME", "Somebody Else")
	t.Setenv("GIT_DIR", "/nowhere")
	r := New(t)
	r.Commit("first")
	if got := r.Git("log", "-1", "--format=%an %ae %cI"); got != "Ada Author ada@example.org 2026-03-02T09:00:00+00:00" {
		t.Errorf("identity of the commit: %s", got)
	}
	if out := r.Git("config", "--list", "--show-scope"); strings.Contains(out, "global") || strings.Contains(out, "system") {
		t.Errorf("foreign configuration: %s", out)
	}
}

func TestWorktreeAndClone(t *testing.T) {
	r := New(t)
	r.Write("a", "1")
	first := r.Commit("first")
	w := r.Worktree(t, "side")
	w.Write("b", "2")
	second := w.Commit("second")
	if r.Head() != first || w.Head() != second {
		t.Errorf("heads: %s and %s", r.Head(), w.Head())
	}
	c := r.Clone(t, "--depth=1", "--branch=side")
	if c.Head() != second || c.Git("rev-parse", "--is-shallow-repository") != "true" {
		t.Errorf("clone: %s", c.Git("log", "--oneline"))
	}
	if w.Now() != r.Now() || !r.Now().After(Start) {
		t.Errorf("clocks: %s and %s", w.Now(), r.Now())
	}
}

func TestFailureCarriesGitsWords(t *testing.T) {
	r := New(t)
	if _, err := r.TryGit("rev-parse", "--verify", "HEAD"); err == nil || !strings.Contains(err.Error(), "fatal:") {
		t.Errorf("error of a failed command: %v", err)
	}
}
