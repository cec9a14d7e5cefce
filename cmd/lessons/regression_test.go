package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// hookSystem is a machine on which a hook runs in a repository.
func hookSystem(t *testing.T, dir string, input io.Reader) (*system, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	home := t.TempDir()
	return &system{
		stdin: input, stdout: plain.NewPrinter(io.Discard), stderr: plain.NewPrinter(io.Discard), answers: &out, dir: dir, fs: fsx.OS{}, now: time.Now, executable: "/nowhere/lessons", account: accountHere,
		env: func(name string) string {
			if name == "HOME" {
				return home
			}
			return ""
		},
		start: func(*exec.Cmd) (<-chan struct{}, error) { return nil, nil },
	}, &out
}

// What earlier implementations got wrong: an answer without the event's name is
// dropped by the agent, and what it says falls open.
func TestRegressionTheAnswerLacksHookEventName(t *testing.T) {
	r := gittest.New(t)
	for _, event := range []string{"SessionStart", "SubagentStart"} {
		sys, out := hookSystem(t, r.Dir, strings.NewReader(`{"source":"startup"}`))
		if status := run([]string{"hook", "claude", event}, sys); status != 0 {
			t.Fatalf("exit status %d", status)
		}
		var answer struct {
			Specific struct {
				Name string `json:"hookEventName"`
			} `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v in %q", event, err, out)
		}
		if answer.Specific.Name != event {
			t.Errorf("%s answers for %q", event, answer.Specific.Name)
		}
	}
}

func TestHooksAnswerWhateverTheyAreGiven(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	stuck, writer := io.Pipe() // standard input that nobody closes
	defer writer.Close()
	inputs := map[string]func() io.Reader{
		"nothing":     func() io.Reader { return strings.NewReader("") },
		"no JSON":     func() io.Reader { return strings.NewReader("hello") },
		"a list":      func() io.Reader { return strings.NewReader("[1,2]") },
		"wrong types": func() io.Reader { return strings.NewReader(`{"cwd":7,"source":[],"session_id":{}}`) },
		"too much":    func() io.Reader { return io.LimitReader(zeros{}, 20<<20) },
		"never ends":  func() io.Reader { return stuck },
	}
	for name, input := range inputs {
		for _, event := range []string{"SessionStart", "SubagentStart", "Stop", "SessionEnd", "NoSuchEvent"} {
			sys, out := hookSystem(t, r.Dir, input())
			if status := run([]string{"hook", "claude", event}, sys); status != 0 {
				t.Errorf("%s, %s: exit status %d", name, event, status)
			}
			if out.Len() > 0 && !json.Valid(out.Bytes()) {
				t.Errorf("%s, %s: %q", name, event, out)
			}
		}
	}
}

// A render that was missed, because no session came to its end, is made up for
// when the next one starts.
func TestAMissedRenderIsMadeUpFor(t *testing.T) {
	r := gittest.New(t)
	shared := filepath.Join(r.Dir, ".git", "lessons")
	if err := os.MkdirAll(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"scan-state.json":    "{}",
		"learning-log.jsonl": `{"id":"obs_ready1","type":"decision","pattern":"Keep it","details":"context: c; decision: d; rationale: because r","evidence":["q"],"observations":3,"confidence":0.95,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-02T00:00:00Z","status":"ready","quality_ok":true}` + "\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(shared, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := startedAtSessionStart(t, r.Dir); len(got) != 1 || !strings.Contains(got[0], "--render") {
		t.Errorf("with a ready observation it started %q", got)
	}
	if err := os.WriteFile(filepath.Join(shared, "learning-log.jsonl"), []byte(strings.Replace(files["learning-log.jsonl"], `"ready"`, `"created"`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := startedAtSessionStart(t, r.Dir); len(got) != 0 {
		t.Errorf("with nothing to do it started %q", got)
	}
}

// startedAtSessionStart is what the hook starts beside a session's start.
func startedAtSessionStart(t *testing.T, dir string) (all []string) {
	t.Helper()
	sys, _ := hookSystem(t, dir, strings.NewReader(`{"source":"startup"}`))
	sys.start = func(cmd *exec.Cmd) (<-chan struct{}, error) {
		all = append(all, strings.Join(cmd.Args[1:], " "))
		return nil, nil
	}
	run([]string{"hook", "claude", "SessionStart"}, sys)
	return all
}

// The same holds for a draft whose mistake was made again in such a session.
func TestADraftThatWasMetAgainIsRendered(t *testing.T) {
	r := gittest.New(t)
	log := filepath.Join(r.Dir, ".git", "lessons", "learning-log.jsonl")
	if err := os.MkdirAll(filepath.Dir(log), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(filepath.Dir(log), "scan-state.json"), "{}")
	write(log, `{"id":"obs_draft1","type":"pitfall","pattern":"git branch has no flag --show-curent","details":"issue: it failed; resolution: git branch --show-current","evidence":["error: unknown option"],"observations":1,"confidence":0.5,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-01T00:00:00Z","status":"observing","quality_ok":true,"sessions":["a"],"trigger":{"tools":["Bash"],"commands":["git branch --show-curent"]},"mistake":"it failed","fix":"git branch --show-current","origin":"error-fix"}`+"\n")
	sys, out := hookSystem(t, r.Dir, strings.NewReader(""))
	if status := run([]string{"render"}, sys); status != 0 {
		t.Fatalf("render: %d, %s", status, out)
	}
	rendered, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(rendered), `"status":"created"`) {
		t.Fatalf("%s, %v", rendered, err)
	}
	if got := startedAtSessionStart(t, r.Dir); len(got) != 0 {
		t.Errorf("beside the draft of one session it started %q", got)
	}
	write(log, strings.NewReplacer(`"observations":1`, `"observations":2`, `"sessions":["a"]`, `"sessions":["a","b"]`).Replace(string(rendered)))
	if got := startedAtSessionStart(t, r.Dir); len(got) != 1 || !strings.Contains(got[0], "--render") {
		t.Errorf("when a second session had met it, it started %q", got)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestHooksAreSilentWhenDisabledOrOutside(t *testing.T) {
	sys, out := hookSystem(t, t.TempDir(), strings.NewReader(`{}`))
	run([]string{"hook", "claude", "SessionStart"}, sys)
	r := gittest.New(t)
	for _, variable := range []string{"LESSONS_DISABLE", "DISABLE_EXPERIENCE_INJECTION"} {
		disabled, more := hookSystem(t, r.Dir, strings.NewReader(`{}`))
		disabled.env = func(name string) string { return map[string]string{variable: "1"}[name] }
		run([]string{"hook", "claude", "SessionStart"}, disabled)
		if out.Len()+more.Len() > 0 {
			t.Errorf("%s: said %q and %q", variable, out, more)
		}
	}
}

// Below the model step every hook is silent, starts nothing and records nothing:
// else the model's own session would be learned from.
func TestHooksAreSilentBelowTheModelStep(t *testing.T) {
	r := gittest.New(t)
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "SubagentStart", "Stop", "SessionEnd"} {
		sys, out := hookSystem(t, r.Dir, strings.NewReader(`{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"git status"},"tool_use_id":"t1"}`))
		sys.env = func(name string) string { return map[string]string{agent.Learning: "1"}[name] }
		sys.start = func(cmd *exec.Cmd) (<-chan struct{}, error) {
			t.Errorf("%s started %v", event, cmd.Args)
			return nil, nil
		}
		run([]string{"hook", "claude", event}, sys)
		if out.Len() > 0 {
			t.Errorf("%s said %q", event, out)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Dir, ".git", "lessons")); !os.IsNotExist(err) {
		t.Errorf("something was recorded: %v", err)
	}
}

// A session's end starts scan and render beside the hook, a turn's end the scan,
// whatever the agent's words for the two are.
func TestHooksStartWorkBesideThem(t *testing.T) {
	r := gittest.New(t)
	const scan, render = "scan --quiet --hook --agent ", "scan --quiet --render --agent "
	for _, c := range []struct{ agent, event, input, want string }{
		{"claude", "Stop", `{}`, scan},
		{"claude", "SessionEnd", `{}`, render},
		{"codex", "Stop", `{}`, scan},
		{"codex", "SessionEnd", `{}`, render},
		{"gemini", "AfterAgent", `{}`, scan},
		{"gemini", "SessionEnd", `{}`, render},
		{"opencode", "event", `{"input":{"event":{"type":"session.idle","properties":{"sessionID":"ses_1"}}}}`, render},
		{"opencode", "event", `{"session":{"id":"ses_2","root":"ses_1"},"input":{"event":{"type":"session.idle","properties":{"sessionID":"ses_2"}}}}`, ""},
		{"copilot", "agentStop", `{}`, scan},
		{"copilot", "sessionEnd", `{}`, render},
		{"cursor", "sessionEnd", `{}`, ""},
	} {
		sys, out := hookSystem(t, r.Dir, strings.NewReader(c.input))
		started := ""
		sys.start = func(cmd *exec.Cmd) (<-chan struct{}, error) {
			if dir, _ := filepath.EvalSymlinks(cmd.Dir); dir != r.Dir {
				t.Errorf("%s %s works in %s", c.agent, c.event, cmd.Dir)
			}
			started += strings.Join(cmd.Args[1:], " ")
			return nil, nil
		}
		run([]string{"hook", c.agent, c.event}, sys)
		want := c.want
		if want != "" {
			want += c.agent
		}
		started, _, _ = strings.Cut(started, " --ended ") // the session's hash
		if started != want || out.Len() > 0 {
			t.Errorf("%s %s started %q and said %q", c.agent, c.event, started, out)
		}
	}
}
