package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// someLessons are a critical one, an instruction, one for some paths, and two that are not
// published: a draft, and one about a command.
var someLessons = map[string]string{
	".lessons/push.md":    "---\nid: 01JQXYZ0000000000000000001\nkind: warning\npriority: critical\nstatus: active\ntriggers:\n  commands: [\"git push --force\"]\n---\n# Never force-push\n\n**Fix**: git push --force-with-lease\n",
	".lessons/pnpm.md":    "---\nid: 01JQXYZ0000000000000000002\nkind: requirement\npriority: medium\nstatus: active\n---\n# We use pnpm, not npm\n",
	".lessons/handler.md": "---\nid: 01JQXYZ0000000000000000003\nkind: requirement\npriority: high\nstatus: active\ntriggers:\n  paths: [\"src/api/**/*.ts\"]\n---\n# Handlers return a Result\n",
	".lessons/draft.md":   "---\nid: 01JQXYZ0000000000000000004\nkind: requirement\npriority: critical\nstatus: draft\n---\n# Not reviewed yet\n",
	".lessons/hang.md":    "---\nid: 01JQXYZ0000000000000000005\nkind: warning\npriority: high\nstatus: active\ntriggers:\n  commands: [pytest]\n---\n# pytest hangs\n\n**Fix**: pytest -q\n",
}

// repositories have the files that people keep for their agents, in forms that are met. A
// value that begins with "-> " is a symbolic link.
var repositories = map[string]map[string]string{
	"nothing":            {"main.go": "package main\n"},
	"plain":              {"AGENTS.md": "# Agents\n\n- Use tabs.\n"},
	"carriage returns":   {"AGENTS.md": "# Agents\r\n\r\n- Use tabs.\r\n"},
	"no final newline":   {"AGENTS.md": "# Agents\n\n- Use tabs."},
	"crlf without final": {"AGENTS.md": "# Agents\r\n\r\n- Use tabs."},
	"byte order mark":    {"AGENTS.md": "\ufeff# Agents\n"},
	"front matter":       {"AGENTS.md": "---\ntitle: Agents\n---\n"},
	"other tools": {
		"AGENTS.md": "<!-- nx configuration start-->\n# Nx\n<!-- nx configuration end-->\n\n<!-- BEGIN:framework -->\nRead the docs.\n<!-- END:framework -->\n\n\n",
		"CLAUDE.md": "<!-- OPENSPEC:START -->\nx\n<!-- OPENSPEC:END -->\n",
	},
	"linked":    {"AGENTS.md": "# Agents\n", "CLAUDE.md": "-> AGENTS.md", "GEMINI.md": "-> AGENTS.md"},
	"read-only": {"AGENTS.md": "# Agents\n"},
	"very long": {"AGENTS.md": "# Agents\n\n" + strings.Repeat("- Never do this.\n", 4000)},
	"nested": {
		"AGENTS.md": "# Agents\n", "packages/api/AGENTS.md": "# API\n", ".claude/rules/api.md": "---\npaths: src/**\n---\n- Use tabs.\n",
		".cursor/rules/ts.mdc": "---\nglobs: *.ts\n---\nUse tabs.\n", ".github/instructions/py.instructions.md": "---\napplyTo: '**/*.py'\n---\nUse tabs.\n", ".cursorrules": "Use tabs.",
	},
	"empty":         {"AGENTS.md": "", ".gitignore": "node_modules", ".gitattributes": "*.png binary"},
	"an open fence": {"AGENTS.md": "# Agents\n\n```sh\nmake\n"},
	"odd line ends": {"AGENTS.md": "# Agents\n\r\n\t\n"},
}

func agentsRepository(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	gittest.NewAt(t, dir)
	for _, files := range []map[string]string{someLessons, repositories[name]} {
		for path, text := range files {
			if target, link := strings.CutPrefix(text, "-> "); link {
				if err := os.Symlink(target, filepath.Join(dir, path)); err != nil {
					t.Skip("NOT RUN: no symbolic links here")
				}
				continue
			}
			write(t, dir, path, text)
		}
	}
	if name == "read-only" {
		if err := os.Chmod(filepath.Join(dir, "AGENTS.md"), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	commitAll(t, dir)
	return dir
}

// peoplesFiles are all files of a work tree but those of lessons, with modes and links.
func peoplesFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == ".git" || rel == ".lessons"):
			return fs.SkipDir
		case d.IsDir():
			files[rel] = "folder"
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			files[rel], err = os.Readlink(name)
			return err
		}
		data, err := os.ReadFile(name)
		files[rel] = info.Mode().String() + "\n" + string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameFiles(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %s is %.300q, want %.300q", what, path, got[path], text)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %s is new", what, path)
		}
	}
}

// What is published is there once, is the same in every clone and when it is published
// again, and goes without a trace.
func TestPublishLeavesNoTrace(t *testing.T) {
	for name := range repositories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, home := agentsRepository(t, name), t.TempDir()
			say := func(dir string, args ...string) string {
				t.Helper()
				status, out := do(dir, home, "", false, args...)
				if status != 0 {
					t.Fatalf("%q: exit status %d\n%s", args, status, out)
				}
				return out
			}
			say(dir, "trust", "--yes")
			before := peoplesFiles(t, dir)
			say(dir, "publish", "--to", "agents-md,claude,cursor,copilot", "--yes")
			published := peoplesFiles(t, dir)
			for path, want := range map[string]string{
				"AGENTS.md": "- We use pnpm, not npm", ".claude/rules/lessons/general.md": "Never force-push",
				".cursor/rules/lessons/general.mdc": "alwaysApply: true", ".github/instructions/lessons/general.instructions.md": "applyTo: \"**\"",
			} {
				if text := published[path]; strings.Count(text, want) != 1 || strings.Contains(text, "Not reviewed") || strings.Contains(text, "pytest") {
					t.Errorf("%s has not %q once: %.600s", path, want, text)
				}
			}
			if n := strings.Count(strings.Join(slices.Sorted(maps.Keys(published)), "\n"), "src-api-ts"); n != 3 {
				t.Errorf("%d files of rules about src/api, want 3: %v", n, slices.Sorted(maps.Keys(published)))
			}
			if out := say(dir, "publish", "--yes"); !strings.Contains(out, "everything is published as it is") {
				t.Errorf("again: %s", out)
			}
			if out := say(dir, "import", "--dry-run", "instructions"); strings.Contains(out, "force-push") || strings.Contains(out, "pnpm") {
				t.Errorf("what was published is read back: %s", out)
			}
			say(dir, "uninstall", "--yes")
			sameFiles(t, "after uninstall", peoplesFiles(t, dir), before)
		})
	}
}

func TestTwoClonesPublishTheSameBytes(t *testing.T) {
	dir := agentsRepository(t, "nested")
	clone := filepath.Join(t.TempDir(), "clone")
	gittest.At(t, filepath.Dir(clone)).Git("clone", "-q", dir, clone)
	for _, d := range []string{dir, clone} {
		home := t.TempDir()
		for _, args := range [][]string{{"trust", "--yes"}, {"publish", "--to", "agents-md,claude,cursor,copilot", "--yes"}} {
			if status, out := do(d, home, "", false, args...); status != 0 {
				t.Fatalf("%q: exit status %d\n%s", args, status, out)
			}
		}
	}
	sameFiles(t, "in a clone", peoplesFiles(t, clone), peoplesFiles(t, dir))
}
