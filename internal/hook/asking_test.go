package hook

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

// met is one event of a session.
type met struct {
	prompt, run, edit string
	failed            string // what it says when it fails
	unclear           string // what it says when the agent does not say how it ended
	known             bool   // a lesson is about the call
	agent             string
}

func (m met) event() agent.Event {
	e := agent.Event{Name: agent.UserPromptSubmit, Prompt: m.prompt, AgentID: m.agent, Can: agent.TellModel}
	if m.prompt == "" {
		e.Name = agent.PostToolUse
		e.Call = &agent.Call{Tool: "Bash", Command: m.run, Failed: m.failed != "", Unclear: m.unclear != "", Response: m.failed + m.unclear}
		if m.edit != "" {
			e.Call.Tool, e.Call.Paths = "Edit", []string{m.edit}
		}
	}
	return e
}

// asked has a session, and returns what was asked at each event.
func asked(t *testing.T, most int, events ...met) []string {
	t.Helper()
	root := tree(t, ".git/")
	sys := &System{Now: still, Env: func(string) string { return "" }}
	p := place{root: root, gitDir: root + "/.git"}
	var questions []string
	for _, m := range events {
		s := inject.OpenSession(inject.Places{GitDir: p.gitDir}, "s", m.agent)
		e := m.event()
		e.Cwd = root
		questions = append(questions, ask(most, s, e))
		sys.note(s, p, e, m.known)
	}
	return questions
}

const noSuchFlag = "Exit code 1\nunknown flag: --stat"

func TestAsksAboutWhatMended(t *testing.T) {
	wrong := met{run: "gh pr diff --stat", failed: noSuchFlag}
	right := met{run: "gh pr diff --name-only"}
	for name, c := range map[string]struct {
		events []met
		want   string // in the last question; empty: none
	}{
		"another way":                       {[]met{wrong, right}, "`gh pr diff` failed in this session; now it works, called in another way."},
		"after a look around":               {[]met{wrong, {run: "gh pr diff --help"}, {run: "ls"}, right}, "another way"},
		"a lesson knows it":                 {[]met{{run: wrong.run, failed: wrong.failed, known: true}, right}, ""},
		"the same call again":               {[]met{wrong, {run: wrong.run}}, ""},
		"after something else ran":          {[]met{{run: "npm run seed", failed: "connection refused"}, {run: "docker compose up -d"}, {run: "npm run seed"}}, "after `docker compose up` ran"},
		"after only a look around":          {[]met{{run: "npm run seed", failed: "connection refused"}, {run: "cat package.json"}, {run: "npm run seed"}}, ""},
		"edits mended it":                   {[]met{wrong, {edit: "a.go"}, right}, ""},
		"a test that failed":                {[]met{{run: "go test ./...", failed: "--- FAIL: TestX\nwant 1"}, {run: "go test ./a"}}, ""},
		"another task of the program":       {[]met{{run: "git push origin main", failed: "authentication failed"}, {run: "git status"}}, ""},
		"another program on the same words": {[]met{{run: "python run.py --all", failed: "python: command not found"}, {run: "python3 run.py --all"}}, "`python3 run.py` works instead"},
		"another program, later":            {[]met{{run: "python run.py --all", failed: "python: command not found"}, {run: "make x"}, {run: "python3 run.py --all"}}, ""},
		"the way was known":                 {[]met{right, wrong, right}, ""},
		"long ago":                          {append([]met{wrong}, append(make([]met, 0, 12), met{run: "make a"}, met{run: "make b"}, met{run: "make c"}, met{run: "make d"}, met{run: "make e"}, met{run: "make f"}, met{run: "make g"}, met{run: "make h"}, met{run: "make i"}, met{run: "make j"}, right)...), ""},
		"in a sub-agent":                    {[]met{{run: wrong.run, failed: wrong.failed, agent: "a"}, {run: right.run, agent: "a"}}, ""},
		"of another agent":                  {[]met{{run: wrong.run, failed: wrong.failed, agent: "a"}, right}, ""},
		"an agent that tells no status":     {[]met{{run: wrong.run, unclear: noSuchFlag}, {run: right.run, unclear: "a.go"}}, "another way"},
		"no status, and words far behind":   {[]met{{run: wrong.run, unclear: strings.Repeat("a line\n", 40) + noSuchFlag}, {run: right.run, unclear: "a.go"}}, ""},
		"a target that is more than a name": {[]met{{run: "node '<b>`x`.js' --y", failed: "node: invalid option"}, {run: "node '<b>`x`.js' --z"}}, "`node` failed"},
		"a directory":                       {[]met{{run: "cd a --x", failed: "cd: invalid option"}, {run: "cd b"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := asked(t, 2, c.events...)
			last := all[len(all)-1]
			if c.want == "" && last != "" || !strings.Contains(last, c.want) {
				t.Errorf("asked %q, want %q", last, c.want)
			}
			for _, before := range all[:len(all)-1] {
				if before != "" {
					t.Errorf("asked too early: %q", before)
				}
			}
		})
	}
}

const rule = "From now on use pnpm in this repo, never npm."

func TestAsksAtMostTwiceAndOnceAboutAThing(t *testing.T) {
	prompts := []met{{prompt: rule}, {prompt: "please fix the build"}, {prompt: rule}, {prompt: "From now on commit messages are in English."}, {prompt: "From now on no emojis in the docs."}}
	for most, want := range []string{"-----", "?----", "?--?-", "?--??"} {
		got := ""
		for _, q := range asked(t, most, prompts...) {
			if q == "" {
				got += "-"
				continue
			}
			got += "?"
			if strings.Contains(q, "\n") || !strings.HasPrefix(q, "[lessons] ask ") || !strings.HasSuffix(q, "#lesson:none") {
				t.Errorf("%q", q)
			}
		}
		if got != want {
			t.Errorf("at most %d: asked %s, want %s", most, got, want)
		}
	}
}

func TestAsksNobodyElse(t *testing.T) {
	for name, m := range map[string]met{
		"a sub-agent":            {prompt: rule, agent: "a"},
		"a program's words":      {prompt: "<task-notification>" + rule + "</task-notification>"},
		"something pasted":       {prompt: rule + strings.Repeat("x", maxPrompt)},
		"an ordinary request":    {prompt: "please fix the build"},
		"nothing":                {prompt: " "},
		"a call that is no call": {},
	} {
		if got := asked(t, 2, m); got[0] != "" {
			t.Errorf("%s: asked %q", name, got[0])
		}
	}
	mute := met{prompt: rule}.event()
	mute.Can = 0
	if got := ask(2, inject.OpenSession(inject.Places{GitDir: t.TempDir()}, "s", ""), mute); got != "" {
		t.Errorf("an agent that cannot be told: asked %q", got)
	}
}
