//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// learner is a repository in which three sessions met one mistake.
type learner struct{ *site }

func newLearner(t *testing.T) learner {
	t.Helper()
	s := newSite(t)
	s.run("lessons", "learn", "off") // the sessions of this test are written, not run
	for _, day := range []string{"01", "02", "03"} {
		s.past(day, "go test ./... -timeout=30", `invalid value "30" for flag -test.timeout: parse error`, "go test ./... -timeout=30s")
	}
	s.run("lessons", "scan", "--quiet")
	return learner{s}
}

// past writes a session of Claude Code, in which a call failed and another one worked.
func (s *site) past(day, mistake, failure, mended string) {
	s.t.Helper()
	folder, _ := agent.ClaudeFolder(s.root)
	about := fmt.Sprintf(`"sessionId":"s%s","cwd":%q,"timestamp":"2026-11-%sT10:00:00Z"`, day, s.root, day)
	lines := []string{
		fmt.Sprintf(`{"type":"user","uuid":"u%s",%s,"message":{"role":"user","content":"Run the tests."}}`, day, about),
		fmt.Sprintf(`{"type":"assistant","uuid":"a%s",%s,"message":{"role":"assistant","content":[{"type":"tool_use","id":"t%s","name":"Bash","input":{"command":%q}}]}}`, day, about, day, mistake),
		fmt.Sprintf(`{"type":"user","uuid":"r%s",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%s","is_error":true,"content":%q}]}}`, day, about, day, "Exit code 1\n"+failure),
		fmt.Sprintf(`{"type":"assistant","uuid":"b%s",%s,"message":{"role":"assistant","content":[{"type":"tool_use","id":"v%s","name":"Bash","input":{"command":%q}}]}}`, day, about, day, mended),
		fmt.Sprintf(`{"type":"user","uuid":"q%s",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"v%s","content":"ok"}]}}`, day, about, day),
	}
	s.put(filepath.Join(s.home, ".claude", "projects", folder, "s"+day+".jsonl"), strings.Join(lines, "\n")+"\n")
}

func (s *site) put(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// settings are the person's own.
func (l learner) settings(values map[string]any) {
	data, err := json.Marshal(values)
	if err != nil {
		l.t.Fatal(err)
	}
	l.put(filepath.Join(l.home, ".config", "lessons", "config.json"), string(data))
}

var askedEvidence = regexp.MustCompile(`(?m)^\s*\{"id":"([^"]+)","type".*?"evidence":\["((?:[^"\\]|\\.)*)"`)

// answer is what a good model says about what the prompt holds.
func (l learner) answer(quote string) string {
	l.t.Helper()
	found := askedEvidence.FindAllStringSubmatch(l.run("lessons", "learn", "--dry-run"), -1)
	if len(found) == 0 {
		l.t.Fatal("nothing would be asked")
	}
	var items []string
	for _, m := range found {
		said := m[2]
		if quote != "" {
			said = quote
		}
		items = append(items, fmt.Sprintf(`{"episodes":[%q],"nature":"shape","title":"Give the time-out of go test a unit","why":"a bare number is refused","quotes":["%s"]}`, m[1], said))
	}
	return "```json\n{\"items\":[" + strings.Join(items, ",") + "]}\n```"
}

// learn runs the model step in an environment.
func (l learner) learn(env []string, args ...string) string {
	l.t.Helper()
	cmd := exec.Command(filepath.Join(l.bin(), "lessons"), append([]string{"learn", "--yes"}, args...)...)
	cmd.Dir, cmd.Env = l.root, append(l.env(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("lessons learn: %v\n%s", err, out)
	}
	return string(out)
}

// TestClaudeCodePhrasesWhatWasFound: lessons learn runs the real program; what
// it says wrong is asked for once more; what holds stands in the log; nothing of
// it is a session to learn from.
func TestClaudeCodePhrasesWhatWasFound(t *testing.T) {
	program := claudeCode.find(t)
	l := newLearner(t)
	l.path += string(os.PathListSeparator) + filepath.Dir(program)
	l.run("lessons", "learn", "on")
	model := mockmodel.NewAnthropic([]mockmodel.Turn{{Text: l.answer("never said")}, {Text: l.answer("")}})
	model.Bare = true
	t.Cleanup(model.Close)
	env := mockmodel.ClaudeEnv(model.URL, l.home)
	if out := l.learn(env); !strings.Contains(out, "phrased") || !strings.Contains(out, "claude -p --model sonnet") {
		t.Errorf("%s", out)
	}
	if !strings.Contains(l.log(), `"title":"Give the time-out of go test a unit"`) {
		t.Errorf("not in the log:\n%s", l.log())
	}
	requests := model.Requests()
	if len(requests) != 2 || !strings.Contains(requests[1], "does not stand in") {
		t.Fatalf("%d requests", len(requests))
	}
	var request struct {
		Tools []any `json:"tools"`
	}
	if err := json.Unmarshal([]byte(requests[0]), &request); err != nil || len(request.Tools) > 0 {
		t.Errorf("%d tools are offered, %v", len(request.Tools), err)
	}
	for _, bad := range []string{"Lesson protocol", l.root, "knowledge index"} {
		if model.Saw(bad) {
			t.Errorf("the model was told %q", bad)
		}
	}
	before := l.log()
	l.run("lessons", "scan", "--quiet", "--all")
	if l.log() != before {
		t.Error("a scan afterwards changed the log")
	}
	if out := l.learn(env); !strings.Contains(out, "nothing waits") || len(model.Requests()) != 2 {
		t.Errorf("a second run: %s", out)
	}
	l.run("lessons", "render")
	l.waitFor(".lessons/give-the-time-out*.md")
}

// tag is what scan would learn from a session.
const tag = "\n\n#lesson\ntool: Bash\ntrigger: go vet -x\nmistake: go vet has no such flag\nfix: go vet ./...\n#/lesson"

// TestHooksAreSilentInTheModelsSession: a command of the person's own leaves
// their hooks on and keeps its session; the hooks run, say nothing and record
// nothing, also if they take the repository for theirs; and the session is
// refused when somebody scans it.
func TestHooksAreSilentInTheModelsSession(t *testing.T) {
	program := claudeCode.find(t)
	l := newLearner(t)
	ran := filepath.Join(l.home, "hooks-ran")
	hook := fmt.Sprintf(`echo '{"session_id":"s9","hook_event_name":"SessionStart","source":"startup","cwd":"%s"}' | lessons-hook claude SessionStart >%s.out; echo ran >>%s`, l.root, ran, ran)
	settings, err := json.Marshal(map[string]any{"hooks": map[string]any{"SessionStart": []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": hook}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	l.put(filepath.Join(l.home, ".claude", "settings.json"), string(settings))
	l.settings(map[string]any{"learnCommand": []string{program, "-p", "--model", "{model}"}, "model": "claude-sonnet-4-5"})
	model := mockmodel.NewAnthropic([]mockmodel.Turn{{Text: l.answer("") + tag}})
	t.Cleanup(model.Close)
	if out := l.learn(mockmodel.ClaudeEnv(model.URL, l.home)); !strings.Contains(out, "phrased") {
		t.Errorf("%s", out)
	}
	if data, err := os.ReadFile(ran); err != nil || len(data) == 0 {
		t.Errorf("the hook did not run: %v", err)
	}
	if data, err := os.ReadFile(ran + ".out"); err != nil || len(data) > 0 {
		t.Errorf("the hook said %q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(l.root, ".git", "lessons", "sessions")); !os.IsNotExist(err) {
		t.Errorf("the hook recorded something: %v", err)
	}
	kept, err := filepath.Glob(filepath.Join(l.home, ".claude", "projects", "*lessons-learn*", "*.jsonl"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("the session is in %v, %v", kept, err)
	}
	if out := l.run("lessons", "scan", "--foreign", "--json", kept[0]); out != "" {
		t.Errorf("the model's session taught %s", out)
	}
}

// TestOtherAgentsPhraseToo: the same with the other agents' programs.
func TestOtherAgentsPhraseToo(t *testing.T) {
	for _, c := range []client{codexCLI, geminiCLI, openCode} {
		t.Run(c.name, func(t *testing.T) {
			name := c.find(t)
			l := newLearner(t)
			l.path += string(os.PathListSeparator) + filepath.Dir(name)
			if c.name == geminiCLI.name { // it asks another model which one to take where none is named
				l.settings(map[string]any{"model": "gemini-2.5-pro"})
			}
			model := c.model([]mockmodel.Turn{says(l.answer("") + tag)})
			model.Bare = true
			t.Cleanup(model.Close)
			env, err := c.env(model.URL, l.home, l.root)
			if err != nil {
				t.Fatal(err)
			}
			if out := l.learn(env, "--agent", c.name); !strings.Contains(out, "phrased") {
				t.Errorf("%s", out)
			}
			if n := len(model.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
			for _, kept := range []string{".codex/sessions", ".gemini/tmp", ".local/share/opencode"} {
				kept = filepath.Join(l.home, kept)
				if _, err := os.Stat(kept); err != nil {
					continue
				}
				if out := l.run("lessons", "scan", "--foreign", "--json", "--agent", c.name, kept); strings.Contains(out, "go vet") {
					t.Errorf("the model's session taught %s", out)
				}
			}
		})
	}
}
