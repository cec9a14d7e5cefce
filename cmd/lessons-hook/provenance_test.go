package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/provenance"
)

// origins are the ways in which what a repository says comes to stand there, and whether
// this person stands for it.
var origins = map[string]bool{"trusted": true, "own": true, "a stranger's": false, "changed since": false}

// channels are all ways in which a repository reaches an agent: what is said by each of
// what this person stands for, and of what they do not.
var channels = []struct {
	name, event, payload string
	title                string
	trusted, unreviewed  string
}{
	{"tool call", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"deploy"}`, "Deploys lock the table", "stops", "marked"},
	{"guard", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"publish"}`, "Evidence comes first", "stops", "marked"},
	{"rewrite", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"oldtool x"}`, "The new tool is used", "changes", "marked"},
	{"ahead of an edit", "PreToolUse", `"tool_name":"Read","tool_input":{"file_path":"src/a.go"}`, "Sources are generated", "told", "marked"},
	{"failure", "PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"deploy"},"error":"exit 1"`, "Deploys lock the table", "told", "marked"},
	{"prompt", "UserPromptSubmit", `"prompt":"prepare the zeppelin"`, "Deploys lock the table", "told", "marked"},
	{"sub-agent", "SubagentStart", `"agent_type":"tester","agent_id":"a1"`, "Testers run tests", "told", "marked"},
	{"index of a sub-agent", "SubagentStart", `"agent_type":"other","agent_id":"a2"`, "Amounts are cents", "told", "marked"},
	{"sub-agent: critical", "SubagentStart", `"agent_type":"other","agent_id":"a3"`, "Never drop the table", "told", "silent"},
	{"sub-agent: statement", "SubagentStart", `"agent_type":"other","agent_id":"a4"`, "Use pnpm here", "told", "silent"},
	{"start: critical", "SessionStart", `"source":"startup"`, "Never drop the table", "told", "silent"},
	{"start: statement", "SessionStart", `"source":"startup"`, "Use pnpm here", "told", "silent"},
	{"start: index", "SessionStart", `"source":"startup"`, "Amounts are cents", "told", "marked"},
	{"shadowing, the repository's", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"shadowed"}`, "Of the repository", "stops", "silent"},
	{"shadowing, the person's", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"shadowed"}`, "Of the person", "silent", "stops"},
	{"settings", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"mine"}`, "Mine alone", "stops", "stops"},
}

// TestProvenanceOfEveryChannel is the table of what this person stands for, over the
// programs that agents run.
func TestProvenanceOfEveryChannel(t *testing.T) {
	for origin, stands := range origins {
		t.Run(origin, func(t *testing.T) {
			w := strangersTree(t, origin, "")
			for n, c := range channels {
				want := c.unreviewed
				if stands {
					want = c.trusted
				}
				if got := w.said(c.event, c.payload, c.title, n); got != want {
					t.Errorf("%s: %s, want %s", c.name, got, want)
				}
			}
			index := stateOf(w.lessons("index"), "", "Amounts are cents")
			if want := map[bool]string{true: "told", false: "marked"}[stands]; index != want {
				t.Errorf("lessons index: %s, want %s", index, want)
			}
			for _, command := range []string{"deploy", "publish"} {
				if said := w.lessons("explain", "Bash", command); strings.Contains(said, "is stopped by: ") != stands {
					t.Errorf("explain says of %s something else than the hook:\n%s", command, said)
				}
			}
			if got := strings.Contains(w.lessons("status"), "\nunreviewed "); got == stands {
				t.Errorf("status: %s", w.lessons("status"))
			}
		})
	}
}

// A setting of others that protects less does not hold before it is trusted.
func TestProvenanceOfSettings(t *testing.T) {
	for origin, stands := range origins {
		t.Run(origin, func(t *testing.T) {
			w := strangersTree(t, origin, `"maxAction": "inform", "minPriority": 8, "maxLessonsPerInjection": 0`)
			want := "stops"
			if stands {
				want = "silent"
			}
			if got := w.said("PreToolUse", `"tool_name":"Bash","tool_input":{"command":"mine"}`, "Mine alone", 0); got != want {
				t.Errorf("a person's own lesson: %s, want %s", got, want)
			}
			if got := strings.Contains(w.lessons("status"), "settings that protect less (maxLessonsPerInjection, minPriority, maxAction)"); got == stands {
				t.Errorf("status: %s", w.lessons("status"))
			}
		})
	}
}

// strangersTree is a work tree whose knowledge has an origin, with settings of its own.
func strangersTree(t *testing.T, origin, settings string) *workTree {
	t.Helper()
	w := newWorkTree(t, "XDG_CONFIG_HOME="+t.TempDir())
	w.Git("config", "user.name", "Dev")
	w.Git("config", "user.email", "dev@example.com")
	user := ""
	for _, pair := range w.env {
		if dir, ok := strings.CutPrefix(pair, "XDG_CONFIG_HOME="); ok {
			user = filepath.Join(dir, "lessons", ".lessons")
		}
	}
	if err := os.MkdirAll(user, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mine.md":     lessonText("MINE", "Mine alone", "commands: [mine]", "priority: 7\naction: stop-once", ""),
		"shadowed.md": lessonText("USERS", "Of the person", "commands: [shadowed]", "priority: 7\naction: stop-once", ""),
	} {
		if err := os.WriteFile(filepath.Join(user, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.commit("dev", "Set up")
	switch origin {
	case "own":
		w.knowledge("", settings)
		w.commit("dev", "Mine")
	case "trusted":
		w.knowledge("", settings)
		w.commit("eve", "Theirs")
		w.lessons("trust", "--yes")
	case "a stranger's":
		w.knowledge("", settings)
		w.commit("eve", "Theirs")
	case "changed since":
		w.knowledge("", "")
		w.commit("eve", "Theirs")
		w.lessons("trust", "--yes")
		w.knowledge("Now it says something else.", settings)
		w.commit("eve", "Theirs, changed")
	}
	w.lessons("compile")
	return w
}

func lessonText(id, title, triggers, front, more string) string {
	return fmt.Sprintf("---\nid: %s\nkind: warning\nstatus: active\nconfidence: 1\n%s\ntriggers:\n  %s\ncreated: 2026-03-02\n---\n# %s\n\n%s\n\n**Fix**: make it so\n", id, front, triggers, title, more)
}

// knowledge writes what the repository says; more changes the words of all of it.
func (w *workTree) knowledge(more, settings string) {
	for name, text := range map[string]string{
		"deploy":    lessonText("DEPLOY", "Deploys lock the table", "commands: [deploy]\n  keywords: [zeppelin]", "priority: 7\naction: stop-once", more),
		"guard":     lessonText("GUARD", "Evidence comes first", "commands: [publish]", "priority: 7\naction: deny\nrequire:\n  passed: make test", more),
		"rewrite":   lessonText("REWRITE", "The new tool is used", "commands: [oldtool]", "priority: 7\naction: rewrite\nrequire:\n  replace: [oldtool, newtool]", more),
		"sources":   lessonText("SOURCES", "Sources are generated", "tools: [Edit]\n  paths: ['src/**']", "priority: 7\naction: deny\nrequire:\n  main_agent: deny", more),
		"tester":    lessonText("TESTER", "Testers run tests", "agents: [tester]", "priority: 7", more),
		"critical":  lessonText("CRITICAL", "Never drop the table", "commands: [dropdb]", "priority: 10", more),
		"statement": strings.Replace(lessonText("STATEMENT", "Use pnpm here", "keywords: []", "priority: 7", more), "kind: warning", "kind: requirement", 1),
		"shadowed":  lessonText("REPOSITORY", "Of the repository", "commands: [shadowed]", "priority: 9\naction: stop-once", more),
	} {
		w.Write(".lessons/"+name+".md", text)
	}
	w.Write(".memory/knowledge/decisions.md", "# Architectural Decisions\n\n## ADR-001: Amounts are cents\n\n- **Date**: 2026-03-02\n- **Status**: Accepted\n- **Decision**: int cents "+more+"\n")
	if settings != "" {
		w.Write(".lessons/config.json", "{"+settings+"}\n")
	}
}

// commit commits all as a person, by a process of its own.
func (w *workTree) commit(who, message string) {
	w.t.Helper()
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", message}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = w.Dir
		cmd.Env = append(w.env[:len(w.env):len(w.env)], "GIT_AUTHOR_NAME=Dev", "GIT_COMMITTER_NAME=Dev", "GIT_AUTHOR_EMAIL="+who+"@example.com", "GIT_COMMITTER_EMAIL="+who+"@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// said is what a hook makes of a title in the n-th session.
func (w *workTree) said(event, payload, title string, n int) string {
	w.t.Helper()
	cmd := w.hook("claude", event)
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s%d","cwd":%q,%s}`, event, n, w.Dir, payload))
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	if len(out) == 0 {
		return "silent"
	}
	text, decision := spoken(w.t, out)
	if strings.Contains(string(out), `"updatedInput"`) {
		decision = "changes"
	}
	return stateOf(text, decision, title)
}

func stateOf(text, decision, title string) string {
	at := strings.Index(text, title)
	mark := strings.Index(text, strings.TrimSpace(provenance.Mark))
	switch {
	case at < 0:
		return "silent"
	case decision == "deny":
		return "stops"
	case decision != "":
		return decision
	case mark >= 0 && mark < at:
		return "marked"
	}
	return "told"
}
