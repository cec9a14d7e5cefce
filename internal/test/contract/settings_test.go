package contract

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/agent"
)

// jsonFiles are settings as people have them. exact says that removal gives the
// very bytes back; a container that was empty before is not remembered.
var jsonFiles = map[string]struct {
	doc   string
	exact bool
}{
	"absent":                {"", false},
	"empty object":          {"{}\n", true},
	"empty, spread out":     {"{\n\n}\n", false},
	"tabs, unknown keys":    {"{\n\t\"zeta\": [1,2 , 3],\n\t\"hooks\": {\n\t\t\"Other\": [ {\"matcher\":\"x\",\"hooks\":[{\"type\":\"command\",\"command\":\"./guard.sh\"}]} ]\n\t},\n\t\"future\": {\"deep\": {\"er\": null}}\n}\n", true},
	"foreign on our events": {"{\n    \"hooks\": {\n        \"SessionStart\": [\n            {\"hooks\": [{\"type\": \"command\", \"command\": \"echo hi\"}]}\n        ],\n        \"PreToolUse\": [{\"matcher\": \"\", \"hooks\": [{\"type\":\"command\",\"command\":\"a\"},{\"type\":\"command\",\"command\":\"b\"}]}],\n        \"BeforeTool\": [{\"hooks\":[{\"command\":\"c\"}]}]\n    }\n}", true},
	"one line":              {`{"model":"sonnet","hooks":{"Stop":[{"hooks":[]}]}}`, true},
	"empty list":            {`{"model":"sonnet","hooks":{"Stop":[]}}`, false},
	"lines of Windows":      {"{\r\n  \"env\": {\"A\": \"\\u00e9\"}\r\n}\r\n", true},
	"odd blanks":            {"\n\n  {  \"env\" : { } ,\n\n \"x\":1 }", true},
	"a name like ours":      {`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"my-lessons hook claude Stop || exit 0"},{"type":"command","command":"echo lessons hook gemini AfterAgent"}]}]}}`, true},
}

// flatFiles are hooks files whose entries are not grouped.
var flatFiles = map[string]struct {
	doc   string
	exact bool
}{
	"people's own":   {"{\n\t\"version\": 1,\n\t\"hooks\": {\n\t\t\"preToolUse\": [ {\"command\":\"./guard.sh\", \"failClosed\": true} ],\n\t\t\"PreToolUse\": [{\"type\":\"command\",\"bash\":\"./g.sh\",\"powershell\":\"g\"}],\n\t\t\"stop\": [{}, 7, null, {\"command\":[]}]\n\t}\n}", true},
	"newer version":  {"{\"version\": 2}\n", true},
	"version alone":  {"{\"version\": 1}\n", false},
	"Windows":        {"{\r\n  \"version\": 1,\r\n  \"note\": \"\\u00e9\"\r\n}\r\n", true},
	"a name like us": {`{"version":1,"hooks":{"stop":[{"command":"my-lessons hook cursor stop || exit 0"},{"bash":"echo lessons hook claude Stop || exit 0"}]}}`, true},
}

func roundTrip(t *testing.T, c *agent.Client, doc string, exact bool) {
	t.Helper()
	with, err := c.AddHooks([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	events, err := c.Registered(with)
	if err != nil || len(events) != len(c.Events()) {
		t.Fatalf("registered %v (%v) in\n%s", events, err, with)
	}
	for i, e := range c.Events() {
		if !strings.Contains(strings.Join(events, " ")+" ", string(e)+" ") {
			t.Errorf("event %d, %s, is missing in %v", i, e, events)
		}
	}
	if again, err := c.AddHooks(with); err != nil || string(again) != string(with) {
		t.Errorf("a second time changes the file (%v):\n%s", err, again)
	}
	without, err := c.RemoveHooks(with)
	if err != nil {
		t.Fatal(err)
	}
	if exact && string(without) != doc {
		t.Errorf("not the same bytes:\n%s", cmp.Diff(doc, string(without)))
	}
	if left, err := c.Registered(without); len(left) > 0 || err != nil && len(without) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
	if untouched, err := c.RemoveHooks([]byte(doc)); doc != "" && (err != nil || string(untouched) != doc) {
		t.Errorf("removal changes a file without hooks (%v):\n%s", err, untouched)
	}
}

func TestSettingsComeBackAsTheyWere(t *testing.T) {
	for _, c := range []*agent.Client{agent.Claude, agent.Codex, agent.Gemini, agent.Cursor, agent.Copilot} {
		for name, file := range jsonFiles {
			t.Run(c.Name+" "+name, func(t *testing.T) {
				roundTrip(t, c, file.doc, file.exact)
				with, _ := c.AddHooks([]byte(file.doc))
				var o map[string]any
				if err := json.Unmarshal(with, &o); err != nil {
					t.Fatalf("%v in\n%s", err, with)
				}
			})
		}
	}
	for _, c := range []*agent.Client{agent.Cursor, agent.Copilot} {
		for name, file := range flatFiles {
			t.Run(c.Name+" flat, "+name, func(t *testing.T) { roundTrip(t, c, file.doc, file.exact) })
		}
		with, err := c.AddHooks(nil)
		if err != nil {
			t.Fatal(err)
		}
		if without, err := c.RemoveHooks(with); err != nil || string(without) != "{}\n" {
			t.Errorf("%s: of a new file %q is left (%v)", c.Name, without, err)
		}
		for doc, want := range map[string]string{`{"hooks":[]}`: "not an object", `{"hooks":{"sessionStart":{}}}`: "not an array", "{\n // note\n}": "line 2", "[]": "not a JSON object"} {
			if out, err := c.AddHooks([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q: %v\n%s", c.Name, doc, err, out)
			}
		}
		if found := c.Foreign([]byte(`{"hooks":{"stop":[{"bash":"devflow x"},{"command":"y"}]}}`)); len(found) != 1 || found[0] != "stop: devflow x" {
			t.Errorf("%s: other tools' hooks are %v", c.Name, found)
		}
	}
	t.Run("opencode", func(t *testing.T) { roundTrip(t, agent.OpenCode, "", true) })
}

func TestSettingsAsTheyAreWritten(t *testing.T) {
	for _, c := range clients {
		with, err := c.AddHooks(nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != "opencode" { // whose settings are the plugin
			compareGolden(t, "testdata/settings-"+c.Name+".golden", string(with))
		}
	}
}

func TestSettingsThatCannotBeChangedAreRefused(t *testing.T) {
	for doc, want := range map[string]string{
		"{\"hooks\":[]}":            "not an object",
		"{\"hooks\":{\"Stop\":{}}}": "not an array",
		"{\n // note\n}":            "line 2",
	} {
		if out, err := agent.Codex.AddHooks([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\n%s", doc, err, out)
		}
	}
	plugin, err := agent.OpenCode.AddHooks(nil)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(plugin), "patience = 3000", "patience = 9000", 1)
	if _, err := agent.OpenCode.AddHooks([]byte(edited)); err == nil {
		t.Error("an edited plugin is written over")
	}
	if _, err := agent.OpenCode.RemoveHooks([]byte(edited)); err == nil {
		t.Error("an edited plugin is removed")
	}
	if _, err := agent.OpenCode.AddHooks([]byte("export const Mine = 1\n")); err == nil {
		t.Error("another plugin is written over")
	}
	turned := strings.ReplaceAll(string(plugin), "\n", "\r\n")
	if out, err := agent.OpenCode.RemoveHooks([]byte(turned)); err != nil || out != nil {
		t.Errorf("a plugin with line ends of Windows stays (%v)", err)
	}
}

// TestMissingProgramIsSilentForEachAgent runs what agents are told to run on a
// PATH without lessons.
func TestMissingProgramIsSilentForEachAgent(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh: ", err)
	}
	for _, c := range clients {
		cmd := exec.Command(sh, "-c", c.Command(c.Events()[0]))
		cmd.Env = []string{"PATH=" + t.TempDir()}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v, printed %q", c.Name, err, out)
		}
	}
}

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, text := range files {
		if i := strings.LastIndexByte(name, '/'); i > 0 {
			if err := root.MkdirAll(name[:i], 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := root.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestObstaclesAreNamed(t *testing.T) {
	hooks, err := agent.Codex.AddHooks(nil)
	if err != nil {
		t.Fatal(err)
	}
	trusted := "[projects.\"/r\"]\ntrust_level = \"trusted\"\n"
	for _, at := range []string{"session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "subagent_start", "subagent_stop", "pre_compact", "stop", "session_end"} {
		trusted += "[hooks.state.\"/r/.codex/hooks.json:" + at + ":0:0\"]\ntrusted_hash = \"sha256:1\"\n"
	}
	for _, c := range []struct {
		name       string
		client     *agent.Client
		home, repo map[string]string
		want       []string
	}{
		{"codex, never set up", agent.Codex, nil, map[string]string{".codex/hooks.json": string(hooks)}, []string{"does not trust this project", "9 of lessons' hooks"}},
		{"codex, trusted", agent.Codex, map[string]string{"config.toml": trusted}, map[string]string{".codex/hooks.json": string(hooks)}, nil},
		{"codex, one disabled", agent.Codex, map[string]string{"config.toml": trusted + "enabled = false\n"}, map[string]string{".codex/hooks.json": string(hooks)}, []string{"1 of lessons' hooks"}},
		{"codex, names in other quotes", agent.Codex, map[string]string{"config.toml": "model = \"x\"\n" + strings.NewReplacer("\"/r", "'/r", "\"]", "'] # by hand", " = ", "=").Replace(trusted)}, map[string]string{".codex/hooks.json": string(hooks)}, nil},
		{"codex, not trusted", agent.Codex, map[string]string{"config.toml": strings.Replace(trusted, "\"trusted\"", "\"untrusted\"", 1) + "[other]\nenabled = false\n"}, map[string]string{".codex/hooks.json": string(hooks)}, []string{"does not trust this project"}},
		{"codex, switched off", agent.Codex, map[string]string{"config.toml": trusted + "[features]\nhooks = false\n"}, nil, []string{"switched off"}},
		{"claude", agent.Claude, nil, map[string]string{".claude/settings.local.json": `{"disableAllHooks":true}`}, []string{"disableAllHooks is set in .claude/settings.local.json"}},
		{"claude, nothing", agent.Claude, nil, map[string]string{".claude/settings.json": `{"disableAllHooks":false}`}, nil},
		{"claude, a file that it refuses for its comment", agent.Claude, nil, map[string]string{".claude/settings.json": "{\n// for now\n\"disableAllHooks\":true}"}, nil},
		{"gemini, never trusted", agent.Gemini, nil, nil, []string{"does not trust this folder"}},
		{"gemini, trusted above", agent.Gemini, map[string]string{"trustedFolders.json": `{"/":"TRUST_FOLDER","/x":"DO_NOT_TRUST"}`}, nil, nil},
		{"gemini, nearest rule", agent.Gemini, map[string]string{"trustedFolders.json": `{"/":"TRUST_FOLDER","/r":"DO_NOT_TRUST"}`}, nil, []string{"does not trust"}},
		{"gemini, switched off", agent.Gemini, map[string]string{"settings.json": `{"security":{"folderTrust":{"enabled":false}},"hooksConfig":{"enabled":false}}`}, nil, []string{"switched off"}},
		{"gemini, disabled", agent.Gemini, map[string]string{"settings.json": `{"security":{"folderTrust":{"enabled":false}}}`}, map[string]string{".gemini/settings.json": `{"hooksConfig":{"disabled":["lessons"]}}`}, []string{"disabled"}},
		{"copilot, never trusted", agent.Copilot, nil, nil, []string{"does not trust this folder"}},
		{"copilot, trusted above", agent.Copilot, map[string]string{"config.json": "// Copilot's own\n" + `{"trustedFolders":["/x","/"]}`}, nil, nil},
		{"copilot, trusted as in older versions", agent.Copilot, map[string]string{"config.json": `{"trusted_folders":["/r"]}`}, nil, nil},
		{"copilot, another one trusted", agent.Copilot, map[string]string{"config.json": `{"trustedFolders":["/r2","/r/sub"]}`}, nil, []string{"does not trust this folder"}},
		{"copilot, switched off", agent.Copilot, map[string]string{"config.json": `{"trustedFolders":["/r"]}`}, map[string]string{".github/copilot/settings.json": `{"disableAllHooks":true}`}, []string{"disableAllHooks is set in .github/copilot/settings.json"}},
		{"copilot, switched off below a comment", agent.Copilot, map[string]string{"config.json": `{"trustedFolders":["/r"]}`, "settings.json": "// for now\n" + `{"disableAllHooks":true}`}, nil, []string{"disableAllHooks is set in settings.json in Copilot's own folder"}},
		{"copilot, switched off below a comment", agent.Copilot, map[string]string{"config.json": `{"trustedFolders":["/r"]}`, "settings.json": "// for now\n" + `{"disableAllHooks":true}`}, nil, []string{"disableAllHooks is set in settings.json in Copilot's own folder"}},
		{"opencode, twice", agent.OpenCode, nil, map[string]string{".opencode/plugin/lessons.ts": "", ".opencode/plugins/lessons.ts": ""}, []string{"too"}},
	} {
		found := c.client.Obstacles(os.DirFS(tree(t, c.home)), os.DirFS(tree(t, c.repo)), "/r")
		if len(found) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, found, c.want)
			continue
		}
		for i, o := range found {
			if !strings.Contains(o.Text, c.want[i]) || o.Next == "" {
				t.Errorf("%s: got %+v, want %q", c.name, o, c.want[i])
			}
		}
	}
}

// TestHooksOfAllRepositoriesAreSeen: hooks that a plugin, an extension or a person's own settings
// register run here too.
func TestHooksOfAllRepositoriesAreSeen(t *testing.T) {
	hooks := func(c *agent.Client) string {
		doc, err := c.AddHooks(nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(doc)
	}
	for _, c := range []struct {
		name       string
		client     *agent.Client
		home, repo map[string]string
		want       string
	}{
		{"claude, nothing", agent.Claude, map[string]string{"settings.json": `{"enabledPlugins":{"other@x":true}}`}, nil, ""},
		{"claude, the plugin", agent.Claude, map[string]string{"settings.json": `{"enabledPlugins":{"lessons@lessons-cli":true}}`}, nil, "the plugin lessons@lessons-cli"},
		{"claude, the plugin, not here", agent.Claude, map[string]string{"settings.json": `{"enabledPlugins":{"lessons@lessons-cli":true}}`}, map[string]string{".claude/settings.local.json": `{"enabledPlugins":{"lessons@lessons-cli":false}}`}, ""},
		{"claude, the team's plugin", agent.Claude, nil, map[string]string{".claude/settings.json": `{"enabledPlugins":{"lessons@lessons-cli":true}}`}, "the plugin lessons@lessons-cli"},
		{"claude, own settings", agent.Claude, map[string]string{"settings.json": hooks(agent.Claude)}, nil, "~/.claude/settings.json"},
		{"gemini, the extension", agent.Gemini, map[string]string{"extensions/lessons/hooks/hooks.json": hooks(agent.Gemini), "extensions/x/hooks/hooks.json": "{}"}, nil, "~/.gemini/extensions/lessons/hooks/hooks.json"},
		{"codex", agent.Codex, map[string]string{"hooks.json": hooks(agent.Codex), "config.toml": "model = \"x\"\n"}, nil, "~/.codex/hooks.json"},
		{"copilot", agent.Copilot, map[string]string{"hooks/lessons.json": hooks(agent.Copilot)}, nil, "~/.copilot/hooks/lessons.json"},
		{"cursor", agent.Cursor, map[string]string{"hooks.json": hooks(agent.Cursor)}, nil, "~/.cursor/hooks.json"},
		{"damage", agent.Gemini, map[string]string{"settings.json": "{", "extensions/x/hooks/hooks.json": "["}, nil, ""},
	} {
		if got := strings.Join(c.client.Elsewhere(os.DirFS(tree(t, c.home)), os.DirFS(tree(t, c.repo))), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTranscriptsOfARepositoryAreFound(t *testing.T) {
	home := tree(t, map[string]string{
		"sessions/2026/11/20/rollout-1.jsonl": `{"type":"session_meta","payload":{"cwd":"/r"}}` + "\n{}\n",
		"sessions/2026/11/20/rollout-2.jsonl": `{"type":"session_meta","payload":{"cwd":"/r/sub","base_instructions":{"text":"` + strings.Repeat("x", 100_000) + `"}}}` + "\n",
		"sessions/2026/11/20/rollout-3.jsonl": `{"type":"session_meta","payload":{"cwd":"/rx"}}` + "\n",
		"sessions/2026/11/21/rollout-4.jsonl": "",
		"sessions/2026/11/21/notes.jsonl":     `{"type":"session_meta","payload":{"cwd":"/r"}}` + "\n",
		"archived_sessions/rollout-0.jsonl":   `{"type":"session_meta","payload":{"cwd":"/r"}}`,
		"projects.json":                       `{"projects":{"/r":"r","/r/sub":"sub","/rx":"rx"}}`,
		"tmp/r/chats/session-1.jsonl":         "",
		"tmp/r/chats/s/2.jsonl":               "",
		"tmp/r/logs.json":                     "",
		"tmp/rx/chats/session-1.jsonl":        "",
		"tmp/other/.project_root":             "/r\n",
		"tmp/other/chats/session-3.json":      "",
		"tmp/sub/logs/x.jsonl":                "",
		"session-state/s1/events.jsonl":       `{"type":"session.start","data":{"context":{"cwd":"/r/sub"}}}` + "\n",
		"session-state/s1/notes.jsonl":        "",
		"session-state/s2/events.jsonl":       `{"type":"session.start","data":{"context":{"cwd":"/rx"}}}` + "\n",
	})
	for _, c := range []struct {
		client *agent.Client
		want   string
	}{
		{agent.Codex, "sessions/2026/11/20/rollout-1.jsonl sessions/2026/11/20/rollout-2.jsonl archived_sessions/rollout-0.jsonl"},
		{agent.Gemini, "tmp/other/chats/session-3.json tmp/r/chats/s/2.jsonl tmp/r/chats/session-1.jsonl"},
		{agent.OpenCode, ""},
		{agent.Cursor, ""},
		{agent.Copilot, "session-state/s1/events.jsonl"},
	} {
		got, err := c.client.Sessions(os.DirFS(home), "/r")
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, %v", c.client.Name, got, err)
		}
	}
}
