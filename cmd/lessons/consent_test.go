package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// writing says of every command whether it writes, and whether it asks first. Who adds a
// command decides it here.
var writing = map[string]struct {
	asks  []string                       // its arguments, of a command that asks
	ready func(t *testing.T, dir string) // makes that there is something to write
	plain bool                           // it does what its arguments say, or writes nothing
	finds bool                           // afterwards it looks for what is wrong, and finds something
}{
	"init": {asks: []string{"init"}},
	"uninstall": {asks: []string{"uninstall"}, ready: func(t *testing.T, dir string) {
		mustDo(t, dir, "init", "--yes")
	}},
	"layout": {asks: []string{"layout", "files"}, ready: func(t *testing.T, dir string) {
		mustDo(t, dir, "init", "--yes", "--layout", "book")
		mustDo(t, dir, "add", "Money", "--type", "decision", "--decision", "cents", "--because", "floats")
		commitAll(t, dir)
	}},
	"clear": {asks: []string{"clear"}, ready: func(t *testing.T, dir string) {
		mustDo(t, dir, "add", "Money", "--type", "decision", "--decision", "cents", "--because", "floats")
	}},
	"import": {asks: []string{"import", "adr", "adr"}, ready: func(t *testing.T, dir string) {
		write(t, dir, "adr/0001-use-go.md", "# 1. Use Go\n\nDate: 2026-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nWe need a language.\n\n## Decision\n\nGo.\n\n## Consequences\n\nOne binary.\n")
	}},
	"migrate": {asks: []string{"migrate", "--apply", "purge-legacy-v2"}, ready: func(t *testing.T, dir string) {
		write(t, dir, ".memory/PROJECT-PATTERNS.md", "# Patterns\n\nOld ones.\n")
	}},
	"trust": {asks: []string{"trust"}, ready: func(t *testing.T, dir string) {
		write(t, dir, ".lessons/theirs.md", "---\nid: 01JQXYZ0000000000000000009\nkind: warning\npriority: high\nstatus: active\ntriggers:\n  commands: [\"npm install\"]\n---\n# Install as locked\n\n**Fix**: npm ci\n")
	}},
	"publish": {asks: []string{"publish", "--to", "agents-md"}, ready: func(t *testing.T, dir string) {
		write(t, dir, "AGENTS.md", "# Agents\n")
	}},
	"archive": {asks: []string{"archive", "--unused"}, ready: func(t *testing.T, dir string) {
		write(t, dir, ".lessons/old.md", "---\nid: 01JQXYZ0000000000000000009\nkind: warning\npriority: high\nstatus: draft\ncreated: 2026-01-02\n---\n# An old draft\n\n**Fix**: wait\n")
		old := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(dir, ".lessons", "old.md"), old, old); err != nil {
			t.Fatal(err)
		}
	}},
	"doctor": {asks: []string{"doctor", "--fix"}, finds: true}, // lessons is not on PATH there
	"learn":  {plain: true},                                    // it asks before a model is asked: testdata/script/learn.txtar

	"add": {plain: true}, "edit": {plain: true}, "promote": {plain: true}, "deprecate": {plain: true},
	"render": {plain: true}, "reconcile": {plain: true}, "scan": {plain: true}, "compile": {plain: true}, "resolve": {plain: true},
	"merge-driver": {plain: true}, "hook": {plain: true}, "config": {plain: true}, "allow": {plain: true}, "export": {plain: true},
	"status": {plain: true}, "statusline": {plain: true}, "list": {plain: true}, "problems": {plain: true}, "show": {plain: true}, "search": {plain: true},
	"index": {plain: true}, "replay": {plain: true}, "check": {plain: true}, "blame": {plain: true}, "log": {plain: true},
	"diff": {plain: true}, "explain": {plain: true}, "try": {plain: true}, "completion": {plain: true}, "version": {plain: true},
	"help": {plain: true}, "mcp": {plain: true}, "audit": {plain: true},
	"review": {plain: true}, "report": {plain: true}, "serve": {plain: true}, "flow": {plain: true}, "guard": {plain: true}, "trace": {plain: true},
	"outcome": {plain: true}, "stats": {plain: true}, "feedback": {plain: true},
}

// A command that writes much at once asks at a terminal, and needs --yes without one. A
// dry run changes nothing, and does not say that it did.
func TestCommandsThatAskAskAlike(t *testing.T) {
	parser, err := newParser(&grammar{}, &system{stdout: plain.NewPrinter(io.Discard), stderr: plain.NewPrinter(io.Discard)}, new(bool))
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range parser.Model.Children {
		w, known := writing[cmd.Name]
		if !known || w.plain == (w.asks != nil) {
			t.Errorf("%s: say whether it asks before it writes", cmd.Name)
			continue
		}
		if w.plain {
			if hasFlag(cmd, "yes") && cmd.Name != "learn" {
				t.Errorf("%s has --yes and asks nothing", cmd.Name)
			}
			continue
		}
		t.Run(cmd.Name, func(t *testing.T) {
			for _, c := range []struct {
				name, answer string
				terminal     bool
				flags        []string
				status       int
				writes       bool
			}{
				{name: "without a terminal", status: exitUsage},
				{name: "refused", terminal: true, answer: "n\n", status: exitInterrupted},
				{name: "no answer", terminal: true, status: exitInterrupted},
				{name: "agreed", terminal: true, answer: "y\n", writes: true},
				{name: "with --yes", flags: []string{"--yes"}, writes: true},
				{name: "dry run", flags: []string{"--dry-run"}},
			} {
				if c.name == "dry run" && !hasFlag(cmd, "dry-run") {
					continue
				}
				dir := gittest.New(t).Dir
				commitAll(t, dir)
				home := t.TempDir()
				t.Setenv("HOME", home)
				if w.ready != nil {
					w.ready(t, dir)
				}
				before := treeOf(t, dir) + treeOf(t, home)
				status, out := do(dir, home, c.answer, c.terminal, append(w.asks, c.flags...)...)
				if w.finds && c.writes {
					c.status = exitFound
				}
				if status != c.status {
					t.Errorf("%s: exit status %d, want %d\n%s", c.name, status, c.status, out)
				}
				if changed := treeOf(t, dir)+treeOf(t, home) != before; changed != c.writes {
					t.Errorf("%s: changed is %v\n%s", c.name, changed, out)
				}
				if c.status == exitUsage && !strings.Contains(out, "--yes does it without asking") {
					t.Errorf("%s: %s", c.name, out)
				}
				if !c.writes && strings.Contains(out, "wrote") {
					t.Errorf("%s says that it wrote:\n%s", c.name, out)
				}
			}
		})
	}
}

func hasFlag(cmd *kong.Node, name string) bool {
	for _, f := range cmd.Flags {
		if f.Name == name {
			return true
		}
	}
	return false
}

// do runs a command in this process and returns what it printed.
func do(dir, home, input string, terminal bool, args ...string) (int, string) {
	var out bytes.Buffer
	status := run(args, &system{
		stdin: strings.NewReader(input), stdout: plain.NewPrinter(&out), stderr: plain.NewPrinter(&out), answers: &out, fs: fsx.OS{}, dir: dir, interactive: terminal,
		now: func() time.Time { return time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC) }, executable: "/nowhere/lessons", account: accountHere,
		belowAgent: func() bool { return false },
		env: func(name string) string {
			switch name {
			case "HOME":
				return home
			case "USER":
				return "dev"
			case "EDITOR":
				return "true"
			}
			return ""
		},
		start: func(*exec.Cmd) (<-chan struct{}, error) { return nil, nil },
	})
	return status, out.String()
}

func mustDo(t *testing.T, dir string, args ...string) {
	t.Helper()
	if status, out := do(dir, os.Getenv("HOME"), "", false, args...); status != 0 {
		t.Fatalf("%q: exit status %d\n%s", args, status, out)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func commitAll(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=Dev", "-c", "user.email=dev@example.com", "commit", "-qm", "All", "--allow-empty"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
}

// treeOf is every file below a folder with its content, without what only caches.
func treeOf(t *testing.T, root string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch d.Name() {
		case "reconcile-memo.json", "lock", "index", "ledger.jsonl", "own-commits", "trust.lock":
			return nil
		}
		data, err := os.ReadFile(name)
		all.WriteString(name + "\n" + string(data) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
