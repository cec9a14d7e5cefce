package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/migrate"
)

// What agents remember of this repository becomes drafts; of others, of the user and of
// where things are nothing does. Nothing of it is read unless it is asked for.
func TestMemoriesOfAgents(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	gittest.NewAt(t, dir)
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	folder, _ := agent.ClaudeFolder(root)
	for name, text := range map[string]string{
		".claude/projects/" + folder + "/memory/MEMORY.md":         "# Memory\n\n- [No mocks](feedback_mocks.md) — never mock the carrier\n",
		".claude/projects/" + folder + "/memory/feedback_mocks.md": "---\nname: no-mocks\ntype: feedback\n---\n\nDon't mock the carrier client.\n\n**Why:** mocks hid a renamed field.\n",
		".claude/projects/" + folder + "/memory/user_role.md":      "---\nname: role\ntype: user\n---\n\nAlways prefers short answers.\n",
		".claude/projects/-elsewhere/memory/feedback_x.md":         "---\nname: x\ntype: feedback\n---\n\nNever use tabs.\n",
		".codex/memories/MEMORY.md": "# Task Group: here\n\nscope: builds\napplies_to: cwd=" + root + "; reuse_rule=safe\n\n## User preferences\n\n- Run `just check` before you say that something is done [Task 1]\n\n" +
			"# Task Group: there\n\nscope: builds\napplies_to: cwd=/elsewhere; reuse_rule=safe\n\n## User preferences\n\n- Never touch the lock file of the other project\n",
		".codex/memories/raw_memories.md":                         "- Never read raw memories\n",
		".gemini/GEMINI.md":                                       "## Gemini Added Memories\n- The user's name is Pat.\n- For the host tool use `uv`, not pip.\n",
		".gemini/projects.json":                                   `{"projects":{"` + root + `":"here"}}`,
		".gemini/tmp/here/memory/.inbox/private/extraction.patch": "--- /dev/null\n+++ b/MEMORY.md\n@@ -0,0 +1,2 @@\n+# Memory\n+- Never flash a board without being asked.\n-- Always skip the tests\n",
	} {
		write(t, home, name, text)
	}
	if status, out := do(dir, home, "", false, "import", "--yes"); status != 0 || !strings.Contains(out, "nothing to import") {
		t.Errorf("without being asked: %d %s", status, out)
	}
	var facts importFacts
	status, out := do(dir, home, "", false, "import", "memories", "--yes", "--json")
	if status != 0 {
		t.Fatalf("exit status %d\n%s", status, out)
	}
	decode(t, out, &facts)
	var got []string
	for _, item := range facts.Items {
		if item.Outcome == migrate.Imported {
			got = append(got, item.Title)
		}
	}
	slices.Sort(got)
	want := []string{"Don't mock the carrier client", "For the host tool use `uv`, not pip", "Never flash a board without being asked", "Run `just check` before you say that something is done [Task 1]"}
	if !slices.Equal(got, want) || len(facts.Refused) > 0 {
		t.Errorf("drafts %q, want %q; refused %v", got, want, facts.Refused)
	}
	text, err := os.ReadFile(filepath.Join(dir, placeOfTitle(facts, "Don't mock the carrier client")))
	for _, part := range []string{"status: draft", "**Why**: mocks hid a renamed field", "imported: \"memories memory/feedback_mocks.md:6\""} {
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%v: no %q in\n%s", err, part, text)
		}
	}
}

func placeOfTitle(facts importFacts, title string) string {
	for _, item := range facts.Items {
		if item.Title == title {
			return item.Place
		}
	}
	return ""
}
