package agent

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
)

var settingsFiles = map[string]string{
	"absent":                        "",
	"empty object":                  "{}\n",
	"tabs, own order, unknown keys": "{\n\t\"zeta\": [1,2 , 3],\n\t\"model\" :\"opus\",\n\t\"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\n\t\"hooks\": {\n\t\t\"PreToolUse\": [ {\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"./guard.sh\"}]} ]\n\t},\n\t\"future\": {\"deep\": {\"er\": null}}\n}\n",
	"foreign hooks on our events":   "{\n    \"hooks\": {\n        \"SessionStart\": [\n            {\"hooks\": [{\"type\": \"command\", \"command\": \"echo hi\"}]}\n        ],\n        \"Stop\": [{\"matcher\": \"\", \"hooks\": [{\"type\":\"command\",\"command\":\"say done\"}]}]\n    }\n}",
	"one line":                      `{"model":"sonnet","hooks":{"Stop":[]}}`,
	"line ends of Windows":          "{\r\n  \"env\": {\"A\": \"\\u00e9\"}\r\n}\r\n",
	"no final newline, odd blanks":  "\n\n  {  \"env\" : { } ,\n\n \"x\":1 }",
}

func TestAddHooksKeepsEverythingElse(t *testing.T) {
	for name, doc := range settingsFiles {
		t.Run(name, func(t *testing.T) {
			with, err := Claude.AddHooks([]byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			events, err := Claude.Registered(with)
			if err != nil || len(events) != len(Claude.Events()) {
				t.Fatalf("registered %v (%v) in\n%s", events, err, with)
			}
			again, err := Claude.AddHooks(with)
			if err != nil || string(again) != string(with) {
				t.Errorf("a second time changes the file:\n%s", again)
			}
			var before, after map[string]json.RawMessage
			if doc != "" {
				mustUnmarshal(t, []byte(doc), &before)
			}
			mustUnmarshal(t, with, &after)
			for key, value := range before {
				if key != "hooks" && string(after[key]) != string(value) {
					t.Errorf("%s was %s, is %s", key, value, after[key])
				}
			}
			for _, line := range []string{"./guard.sh", "echo hi", "say done"} {
				if strings.Contains(doc, line) != strings.Contains(string(with), line) {
					t.Errorf("foreign hook %q was lost", line)
				}
			}
		})
	}
}

func TestRemoveHooksTakesOutWhatWasAdded(t *testing.T) {
	for name, doc := range settingsFiles {
		t.Run(name, func(t *testing.T) {
			with, err := Claude.AddHooks([]byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			without, err := Claude.RemoveHooks(with)
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			if doc == "" {
				doc = "{}"
			}
			// An event list that was empty before is left out: nobody's hook is lost.
			mustUnmarshal(t, []byte(strings.Replace(doc, `,"hooks":{"Stop":[]}`, "", 1)), &want)
			mustUnmarshal(t, without, &got)
			w, _ := json.Marshal(want)
			g, _ := json.Marshal(got)
			if string(w) != string(g) {
				t.Errorf("got %s\nwant %s", g, w)
			}
		})
	}
}

func TestBrokenSettingsAreRefusedWithALine(t *testing.T) {
	_, err := Claude.AddHooks([]byte("{\n  \"a\": 1,\n  // a note\n}\n"))
	var syntax *jsonedit.SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 3 {
		t.Errorf("got %v, want a syntax error on line 3", err)
	}
	for _, doc := range []string{`[]`, `{"hooks":[]}`, `{"hooks":{"Stop":{}}}`} {
		if _, err := Claude.AddHooks([]byte(doc)); err == nil {
			t.Errorf("%s: accepted", doc)
		}
	}
}

// The registered command on a PATH without lessons: a teammate who has not
// installed it must notice nothing.
func TestAMissingHookBinaryBlocksEveryEdit(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh: ", err)
	}
	for _, event := range Claude.Events() {
		cmd := exec.Command(sh, "-c", Claude.Command(event))
		cmd.Env = []string{"PATH=" + t.TempDir()}
		out, err := cmd.CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v, printed %q", event, err, out)
		}
	}
}

func TestForeignKnowledgeHooksAreFound(t *testing.T) {
	doc := `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"~/.devflow/scripts/hooks/session-end-learning"}]}]}}`
	if got := Claude.Foreign([]byte(doc)); len(got) != 1 || !strings.HasPrefix(got[0], "SessionEnd: ") {
		t.Errorf("got %q", got)
	}
}

func TestTranscriptsOfARepository(t *testing.T) {
	config := t.TempDir()
	for _, name := range []string{
		"projects/-home-dev-app/a.jsonl",
		"projects/-home-dev-app/a/subagents/agent-1.jsonl",
		"projects/-home-dev-app/a/subagents/agent-1.meta.json",
		"projects/-home-dev-app-sub/b.jsonl",
		"projects/-home-dev-apple/c.jsonl",
	} {
		path := filepath.Join(config, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := claudeSessions(os.DirFS(config), "/home/dev/app")
	want := "projects/-home-dev-app/a/subagents/agent-1.jsonl projects/-home-dev-app/a.jsonl projects/-home-dev-app-sub/b.jsonl"
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %v, %v", got, err)
	}
}

func mustUnmarshal(t *testing.T, data []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
}
