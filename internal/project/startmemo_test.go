package project_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge"
)

const startLesson = `---
id: 01M7YN1AEC0000000000000001
kind: warning
priority: critical
status: active
confidence: 0.9
triggers: {tools: [Bash], commands: ["make all"]}
created: 2026-01-01
---
# %s

It hangs.

**Fix**: make test
`

// TestAStartIsRememberedWhileNothingChanges: the small program answers the start of a session by
// itself where nothing changed since the last one, says the same as the whole program, and has
// sessions caught up beside it. So it does at the start of a sub-agent, where there is nothing to
// catch up. Whatever people change, the whole program is asked.
func TestAStartIsRememberedWhileNothingChanges(t *testing.T) {
	r := gittest.New(t)
	home, now := t.TempDir(), later()
	environment := func(name string) string { return map[string]string{"HOME": home}[name] }
	edit := func(path, text string) { // in place, as some editors do
		r.Write(path, text)
		at := now.Add(-30 * time.Minute)
		if err := os.Chtimes(filepath.Join(r.Dir, path), at, at); err != nil {
			t.Fatal(err)
		}
	}
	open := func() *project.Project {
		p, err := project.Open(context.Background(), r.Dir, project.Machine{
			Home: home, Env: environment, Now: func() time.Time { return now }, FS: fsx.OS{},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		return p
	}
	trust := func() {
		p := open()
		s, err := p.Store.Load()
		if err == nil {
			err = p.Trust(context.Background(), s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	whole, started, sessions := 0, [][]string{}, 0
	sys := &hook.System{Env: environment, Dir: r.Dir, Now: func() time.Time { return now }}
	sys.Start = func(_ string, args ...string) <-chan struct{} {
		started = append(started, args)
		return nil
	}
	sys.Whole = func(c *agent.Client, e agent.Event, _ []byte) hook.Reply {
		whole++
		return hook.Reply{Answer: open().Answer(context.Background(), c, e, func(...string) {})}
	}
	start := func() (answer string, remembered bool) {
		before := whole
		sessions++
		answer = string(sys.Answer("claude", "SessionStart", fmt.Appendf(nil, `{"session_id":"s%d","source":"startup"}`, sessions)))
		return answer, whole == before
	}
	subagent := func() (answer string, remembered bool) {
		before := whole
		answer = string(sys.Answer("claude", "SubagentStart", fmt.Appendf(nil, `{"session_id":"s%d","agent_id":"a1"}`, sessions)))
		return answer, whole == before
	}
	said := func(event string, answer agent.Answer) string {
		return string(agent.Claude.Encode(agent.EventName(event), agent.Answer{Context: answer.Context}))
	}

	r.Write(".lessons/make.md", fmt.Sprintf(startLesson, "make all hangs"))
	r.Write(".memory/knowledge/decisions.md", "# Architectural Decisions\n\n"+entry("ADR-001", "Use make"))
	r.Commit("Knowledge")
	for _, c := range []struct {
		name   string
		change func()
		says   string
	}{
		{"the first start", func() {}, "make all hangs"},
		{"a lesson edited in place", func() { edit(".lessons/make.md", fmt.Sprintf(startLesson, "make all never ends")) }, "make all never ends"},
		{"an entry edited in place", func() {
			edit(".memory/knowledge/decisions.md", "# Architectural Decisions\n\n"+entry("ADR-001", "Use ninja"))
		}, "Use ninja"},
		{"a commit", func() { r.Commit("Edits") }, "Use ninja"},
		{"a new lesson", func() {
			r.Write(".lessons/ninja.md", strings.Replace(fmt.Sprintf(startLesson, "ninja hangs"), "0001", "0002", 1))
		}, "ninja hangs"},
		{"a lesson that is gone", func() { r.Remove(".lessons/ninja.md") }, "make all never ends"},
		{"a lesson of the person's", func() {
			name := filepath.Join(home, ".config", "lessons", ".lessons", "mine.md")
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(strings.NewReplacer("0001", "0003", "make all", "rake").Replace(fmt.Sprintf(startLesson, "my own trap"))), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "my own trap"},
		{"the next day", func() { now = now.AddDate(0, 0, 1) }, "my own trap"},
		{"a damaged memo", func() { edit(".git/lessons/start-memo", `{"Context":"`) }, "my own trap"},
	} {
		c.change()
		if answer, remembered := start(); remembered {
			t.Errorf("%s: it is not seen: %s", c.name, answer)
		}
		trust()
		for i := range 3 { // the whole program may have to look twice: it tells news once
			started = nil
			answer, remembered := start()
			if i == 2 && (!remembered || !strings.Contains(answer, c.says)) {
				t.Errorf("%s: later, remembered is %v: %s", c.name, remembered, answer)
			}
			if told := toldAtStart(r, environment, sessions); remembered && (len(told) == 0 || told[0].Bytes == 0) {
				t.Errorf("%s: the lessons of a remembered start are recorded as %v", c.name, told)
			}
			due := fmt.Sprintf("--due=s%d", sessions)
			if remembered && (len(started) != 1 || !slices.Contains(started[0], due)) {
				t.Errorf("%s: started is %q, not %s", c.name, started, due)
			}
			if fresh := open().Answer(context.Background(), agent.Claude, agent.Event{Name: agent.SessionStart, Source: "startup", Cwd: r.Dir}, func(...string) {}); remembered && answer != said("SessionStart", fresh) {
				t.Errorf("%s: remembered is %s\nthe whole program says %s", c.name, answer, fresh.Context)
			}
			started = nil
			told, known := subagent()
			if i == 2 && !known || len(started) > 0 {
				t.Errorf("%s: a sub-agent is not told from the memo, and %q is started", c.name, started)
			}
			if fresh := open().Answer(context.Background(), agent.Claude, agent.Event{Name: agent.SubagentStart, AgentID: "a1", Cwd: r.Dir}, func(...string) {}); told != said("SubagentStart", fresh) {
				t.Errorf("%s: a sub-agent is told %s\nthe whole program says %s", c.name, told, fresh.Context)
			}
		}
	}
}

// toldAtStart are the records of the lessons that a session started with.
func toldAtStart(r *gittest.Repo, environment func(string) string, session int) []inject.Trace {
	return slices.DeleteFunc(inject.Recorded(inject.PlacesOf(r.Path(".git"), environment)), func(t inject.Trace) bool {
		return t.Session != knowledge.SessionHash(fmt.Sprint("s", session)) || t.Moment != inject.AtStart
	})
}
