//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/agent"
)

// deadScan is a repository with sessions, on which scans are killed.
type deadScan struct {
	*testing.T
	repo, sessions string
	env            []string
	only           []string // files of the call log that log compares; nil: all
}

func newDeadScan(t *testing.T, sessions int) *deadScan {
	home := t.TempDir()
	repo, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder, _ := agent.ClaudeFolder(repo)
	d := &deadScan{T: t, repo: repo, sessions: filepath.Join(home, ".claude", "projects", folder)}
	d.env = append(os.Environ(), "HOME="+home, "USER=dev", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_STATE_HOME="+filepath.Join(home, "state"), agent.DeadlineVariable+"=1m")
	if err := os.MkdirAll(d.sessions, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", repo).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range sessions {
		d.session(fmt.Sprintf("s%02d", i), 20)
	}
	return d
}

// session writes a session with so many mistakes of one kind, which are mended.
func (d *deadScan) session(name string, calls int) {
	var out bytes.Buffer
	n := 0
	add := func(typ, content string) {
		n++
		fmt.Fprintf(&out, `{"type":%q,"uuid":"%s-%d","sessionId":%q,"cwd":%q,"timestamp":"2026-11-01T10:00:00Z","message":{"role":%q,"content":[%s]}}`+"\n", typ, name, n, name, d.repo, typ, content)
	}
	add("user", `{"type":"text","text":"go on"}`)
	for i := range calls {
		for j, made := range []string{"git show HEAD --no-stats", "git show HEAD --no-stat"} {
			text, bad := "commit", "false"
			if j == 0 {
				text, bad = "Exit code 128\\nfatal: unrecognized argument: --no-stats", "true"
			}
			id := fmt.Sprintf("%s-c%d-%d", name, i, j)
			add("assistant", fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}`, id, made))
			add("user", fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"is_error":%s,"content":"%s"}`, id, bad, text))
		}
	}
	if err := os.WriteFile(d.file(name), out.Bytes(), 0o644); err != nil {
		d.Fatal(err)
	}
}

func (d *deadScan) file(name string) string { return filepath.Join(d.sessions, name+".jsonl") }

func (d *deadScan) own(name string) string { return filepath.Join(d.repo, ".git", "lessons", name) }

func (d *deadScan) run(args ...string) string {
	d.Helper()
	cmd := exec.Command("lessons", args...)
	cmd.Dir, cmd.Env = d.repo, d.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.Fatalf("lessons %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// kill has a scan killed at the moment at which its marks hold a text, or so many lines.
func (d *deadScan) kill(text string, lines int) {
	d.Helper()
	cmd := exec.Command("lessons", "scan")
	cmd.Dir, cmd.Env = d.repo, append(slices.Clone(d.env), fmt.Sprintf("%s=%d %s", dieAt, lines, text))
	out, err := cmd.CombinedOutput()
	if ended, ok := errors.AsType[*exec.ExitError](err); !ok || ended.Exited() {
		d.Fatalf("the scan was not killed at %d %s: %v\n%s", lines, text, err, out)
	}
}

// callFiles are the files of the call log. What a write that was cut short left beside
// them has another ending.
func (d *deadScan) callFiles() []string {
	d.Helper()
	names, err := filepath.Glob(d.own("calls/*.jsonl"))
	if err != nil {
		d.Fatal(err)
	}
	return names
}

// log is all that scans learned: the observations, and the calls, of all sessions or of
// those in only.
func (d *deadScan) log() string {
	d.Helper()
	names := d.only
	if names == nil {
		names = d.callFiles()
	}
	var all strings.Builder
	for _, name := range append(slices.Clone(names), d.own("learning-log.jsonl")) {
		data, err := os.ReadFile(name)
		if err != nil {
			d.Fatal(err)
		}
		fmt.Fprintf(&all, "%s\n%s\n", name, data)
	}
	return all.String()
}

// unkilled is the log of a scan of what is there that nobody disturbs.
func (d *deadScan) unkilled() string {
	d.Helper()
	if err := os.RemoveAll(d.own("")); err != nil {
		d.Fatal(err)
	}
	d.run("scan")
	return d.log()
}

// A scan that dies at one session twice learns from the others, names that session
// once, and tries it again when it changes.
func TestASessionThatKillsScansIsSkipped(t *testing.T) {
	d := newDeadScan(t, 6)
	want := d.unkilled()
	d.only = d.callFiles() // a scan that dies may have stored calls of the session that killed it
	if err := os.RemoveAll(d.own("")); err != nil {
		t.Fatal(err)
	}
	// It is the last by name: what else was open when the first scan died is read before it
	// by the second.
	d.session("zpoison", 20)
	poison := d.file("zpoison")
	d.kill(`zpoison.jsonl","open":true`, 0)
	d.kill(`zpoison.jsonl","deaths":1,"open":true`, 0)
	if d.log() != want {
		t.Error("the second scan did not keep what the other sessions taught before it turned to the one that kills")
	}
	out := d.run("scan")
	if strings.Count(out, poison) != 1 || !strings.Contains(out, "scans died while they read it") || !strings.Contains(out, "tried again when the file or the version of lessons changes") {
		t.Errorf("the third scan says\n%s", out)
	}
	if d.log() != want {
		t.Error("another log than without the session that kills")
	}
	if out := d.run("scan", "--all"); strings.Contains(out, poison) {
		t.Errorf("the fourth scan says\n%s", out)
	}
	if out := d.run("status"); !strings.Contains(out, "skipped       "+poison) {
		t.Errorf("status says\n%s", out)
	}
	if _, err := os.Stat(d.own("scan-open")); err == nil {
		t.Error("the marks are still there")
	}

	d.session("zpoison", 21) // it is sound now
	if out := d.run("scan"); strings.Contains(out, "skipped") || !strings.Contains(out, "1 session read") {
		t.Errorf("after a change the scan says\n%s", out)
	}
	if out := d.run("status"); strings.Contains(out, "skipped") {
		t.Errorf("status says\n%s", out)
	}
	if got := d.log(); got != d.unkilled() {
		t.Error("another log than that of a scan that nobody killed")
	}
}

// A scan that is killed at any point skips nothing that is sound.
func TestKilledScansSkipNothingSound(t *testing.T) {
	t.Parallel()
	d := newDeadScan(t, 24)
	want := d.unkilled()
	for _, lines := range []int{1, 2, 7, 20, 33, 46, 47, 48} {
		if err := os.RemoveAll(d.own("")); err != nil {
			t.Fatal(err)
		}
		d.kill("", lines)
		if out := d.run("scan"); strings.Contains(out, "skipped") {
			t.Errorf("killed behind %d marks, the next scan says\n%s", lines, out)
		}
		if diff := cmp.Diff(want, d.log()); diff != "" {
			t.Errorf("killed behind %d marks, the next scan leaves another log:\n%s", lines, diff)
		}
		if _, err := os.Stat(d.own("scan-open")); err == nil {
			t.Error("the marks are still there")
		}
	}
}
