//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// editor is how an agent reads, edits and writes files.
type editor struct {
	client
	read        func(name string) mockmodel.Turn
	edit        func(name, old, text string) mockmodel.Turn
	write       func(name, text string) mockmodel.Turn
	readsByTool bool // not in the shell
}

// named is an agent that has a tool for each, with these arguments.
func named(c client, read, edit, write, path, old, text, content string) editor {
	return editor{
		client: c, readsByTool: true,
		read: func(name string) mockmodel.Turn { return tool(read, map[string]any{path: name}) },
		edit: func(name, from, to string) mockmodel.Turn {
			input := map[string]any{path: name, old: from, text: to}
			if c.name == geminiCLI.name {
				input["instruction"] = "change it"
			}
			return tool(edit, input)
		},
		write: func(name, said string) mockmodel.Turn {
			return tool(write, map[string]any{path: name, content: said})
		},
	}
}

func editors() []editor {
	claude := claudeCode
	claude.args = func(prompt string) []string { return append(claudeCode.args(prompt), "Edit", "Write") }
	patch := func(body string) mockmodel.Turn {
		return tool("apply_patch", map[string]any{"input": "*** Begin Patch\n" + body + "*** End Patch"})
	}
	return []editor{
		named(claude, "Read", "Edit", "Write", "file_path", "old_string", "new_string", "content"),
		named(geminiCLI, "read_file", "replace", "write_file", "file_path", "old_string", "new_string", "content"),
		named(openCode, "read", "edit", "write", "filePath", "oldString", "newString", "content"),
		named(copilotCLI, "view", "edit", "create", "path", "old_str", "new_str", "file_text"),
		{
			client: codexCLI,
			read:   func(name string) mockmodel.Turn { return codexCLI.runs("cat " + name)[0] },
			edit: func(name, old, text string) mockmodel.Turn {
				return patch("*** Update File: " + name + "\n@@\n-" + old + "\n+" + text + "\n")
			},
			write: func(name, text string) mockmodel.Turn { return patch("*** Add File: " + name + "\n+" + text + "\n") },
		},
	}
}

// TestGuardsHoldBackEditsAlone: the guards of examples/guards let a file be read, and hold
// back the edit of it; another file is edited as ever. A long log is read in parts, and a
// summary goes where the guard says, in agents that let a hook change a call.
func TestGuardsHoldBackEditsAlone(t *testing.T) {
	for _, e := range editors() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.find(t)
			s := newSite(t, "--agent", e.name)
			s.guards()
			at := func(name string) string { return filepath.Join(s.root, name) }
			s.put(at("src/shop.txt"), "one PRICE-42\n")
			s.put(at("feature-list.json"), `{"name": "FEATURE-42", "tested": false}`+"\n")
			s.put(at("notes.txt"), "old notes\n")
			s.put(at("build.log"), strings.Repeat("LINE-42\n", 1001))
			model := s.session(
				e.client, "Look around.",
				e.read(at("src/shop.txt")), e.edit(at("src/shop.txt"), "one PRICE-42", "two PRICE-42"),
				e.read(at("feature-list.json")), e.edit(at("feature-list.json"), `{"name": "FEATURE-42", "tested": false}`, `{"name": "FEATURE-42", "tested": true}`),
				e.read(at("notes.txt")), e.edit(at("notes.txt"), "old notes", "new notes"),
				e.read(at("build.log")), e.write(at("Summary.md"), "SUMMARY-42"),
				says("done"), says("done"), says("done"),
			)

			for i, want := range []string{"PRICE-42", "Give the change to a coding sub-agent", "FEATURE-42", "Run the tests, keep their output below test-evidence/", "old notes"} {
				if said := newAfter(t, model, i); !strings.Contains(said, want) {
					t.Errorf("call %d: %q is not in\n%s", i, want, said)
				}
			}
			s.holds("src/shop.txt", "one PRICE-42")
			s.holds("feature-list.json", `"tested": false`)
			s.holds("notes.txt", "new notes")
			if said := newAfter(t, model, 6); e.readsByTool && (!strings.Contains(said, "Search it with Grep") || strings.Contains(said, "LINE-42")) {
				t.Errorf("the long log is read whole:\n%.3000s", said)
			}
			if _, err := os.Stat(at("Summary.md")); err == nil {
				t.Error("the summary is in the repository")
			}
			said, _ := os.ReadFile(at("build/summary/Summary.md"))
			if moved := strings.Contains(string(said), "SUMMARY-42"); moved == e.keepsInput {
				t.Errorf("the summary is elsewhere: %v", moved)
			}
		})
	}
}

// guards trusts the guards of examples/guards; a summary goes below build.
func (s *site) guards() {
	s.t.Helper()
	names, err := filepath.Glob("../../../examples/guards/*-*.md")
	if err != nil || len(names) == 0 {
		s.t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		s.put(filepath.Join(s.root, ".lessons", filepath.Base(name)), strings.ReplaceAll(string(data), "/tmp/summary", "build/summary"))
	}
	s.run("lessons", "trust", "--yes")
}

// holds checks that a file has a text in it.
func (s *site) holds(name, text string) {
	s.t.Helper()
	if data, err := os.ReadFile(filepath.Join(s.root, name)); err != nil || !strings.Contains(string(data), text) {
		s.t.Errorf("%s: %q, %v", name, data, err)
	}
}
