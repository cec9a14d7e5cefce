package compile_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func TestGuardOfALesson(t *testing.T) {
	for front, want := range map[string]string{
		"action: deny": "",
		"require:\n  lines: \"<=5\"\non_error: deny": `{"lines":5,"onError":"deny"}`,
		"require: {mainAgent: deny}\nonError: ask":   `{"mainAgent":true,"onError":"ask"}`,
		"require:\n  passed: [a b, c]":               `{"passed":["a b","c"]}`,
		"require: 5":                                 "error",
		"require:\n  shell: rm":                      "error",
		"require: {lines: 5}\non_error: [1]":         "error",
	} {
		l, err := lesson.Parse("x.md", []byte("---\nid: x\n"+front+"\n---\n# T\n"))
		if err != nil {
			t.Fatal(err)
		}
		g, ok, err := compile.Guard(l)
		got := ""
		if ok {
			got = g.Encode()
		}
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: %s, %v; want %s", front, got, err, want)
		}
	}
}

func TestAGuardInTheIndex(t *testing.T) {
	for front, want := range map[string]string{
		"require: {lines: 5}":                    `deny {"lines":5}`,
		"action: ask\nrequire: {lines: 5}":       `ask {"lines":5}`,
		"action: stop-once\nrequire: {lines: 5}": `stop-once {"lines":5}`,
		"action: deny":                           "stop-once ", // no guard: capped by the configuration
		"action: deny\nrequire: {shell: rm}":     "inform lesson-guard",
	} {
		l, err := lesson.Parse("x.md", []byte("---\nid: x\ntriggers: {commands: [a]}\n"+front+"\n---\n# T\n"))
		if err != nil {
			t.Fatal(err)
		}
		data, problems := compile.Compile(own(l), options())
		x, err := inject.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		found, _ := x.Find("x")
		got := found.Action + " " + found.Extra
		for _, p := range problems {
			got += p.Rule
		}
		if got != want {
			t.Errorf("%q: %s, want %s", front, got, want)
		}
		o := options()
		o.Config.MaxAction = lesson.ActionInform
		data, _ = compile.Compile(own(l), o)
		if x, err = inject.Open(data); err != nil {
			t.Fatal(err)
		}
		if found, _ := x.Find("x"); found.Action != "inform" {
			t.Errorf("%q: %s although nothing may stop", front, found.Action)
		}
	}
}

// bench is an agent at work in a repository with the example guards.
type bench struct {
	t     *testing.T
	x     *inject.Index
	root  string
	place inject.Places
}

// step is something that an agent does, or wants to do.
type step struct {
	at      inject.Moment // empty: a call
	tool    string
	path    string // repository-relative, or absolute
	command string
	content string
	agent   string // type and id of the sub-agent
	part    int
}

func (s step) String() string {
	return strings.Join(strings.Fields(fmt.Sprint(s.agent, " ", s.tool, " ", s.path, s.command, " ", s.at)), " ")
}

func exampleGuards(t *testing.T) []*lesson.Lesson {
	t.Helper()
	names, err := filepath.Glob("../../../examples/guards/*-*.md")
	if err != nil || len(names) != 5 {
		t.Fatal(names, err)
	}
	var lessons []*lesson.Lesson
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := compile.Guard(l); !ok || err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lessons = append(lessons, l)
	}
	return lessons
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, root: t.TempDir(), place: inject.Places{GitDir: t.TempDir()}}
	o := options()
	b.x = open(t, o, exampleGuards(t)...)
	b.write("feature-list.json", "[]\n")
	b.write("app.log", strings.Repeat("line\n", 2000))
	b.write("short.log", "line\n")
	b.write("src/a.py", "pass\n")
	past := time.Now().Add(-time.Hour)
	b.write("test-evidence/of-yesterday.txt", "ok\n")
	if err := os.Chtimes(filepath.Join(b.root, "test-evidence/of-yesterday.txt"), past, past); err != nil {
		t.Fatal(err)
	}
	b.session("").Begin()
	return b
}

func (b *bench) session(agent string) *inject.Session { return inject.OpenSession(b.place, "s", agent) }

func (b *bench) write(name, text string) {
	b.t.Helper()
	name = filepath.Join(b.root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// decide asks the guards about a step.
func (b *bench) decide(s step) inject.Decision {
	b.t.Helper()
	session := b.session(s.agent)
	call := inject.Call{Tool: s.tool, Command: s.command, Content: s.content, Agent: s.agent, Root: b.root}
	in := inject.Input{
		At: s.at, Tool: s.tool, Part: s.part, Sub: s.agent != "", Session: session, Root: b.root,
		Facts: inject.TreeFacts{Session: session, Root: b.root}, Settings: b.x.Settings, Now: time.Now().UnixMilli(),
		Can: inject.Abilities{TellModel: true, DenyCall: true, AskPerson: true, ChangeInput: true, HoldStop: true},
	}
	if in.At == "" {
		in.At = inject.AtCall
	}
	if s.path != "" {
		call.Paths, in.Paths = []string{s.path}, []string{s.path}
		args, err := json.Marshal(map[string]string{"file_path": filepath.Join(b.root, s.path), "content": s.content})
		if err != nil {
			b.t.Fatal(err)
		}
		in.Args, in.PathKey = args, "file_path"
	}
	for _, m := range b.x.Match(call, patient) {
		in.Found = append(in.Found, m.Lesson)
	}
	return inject.Decide(in)
}

// does makes a step and leaves its trace, as the hook behind a call would.
func (b *bench) does(s step) {
	b.t.Helper()
	if d := b.decide(s); d.Verdict != inject.Pass {
		b.t.Errorf("%s is held back: %s", s, d.Reason)
		return
	}
	session := b.session(s.agent)
	trace := inject.Trace{At: time.Now().UnixMilli(), Tool: s.tool, Outcome: inject.OK, Agent: s.agent}
	switch s.tool {
	case "Bash":
		trace.Act, trace.Runs = inject.ActRun, session.Runs(s.command)
	case "Read", "Grep":
		trace.Act, trace.Paths = inject.ActRead, []string{s.path}
	case "Write", "Edit":
		trace.Act, trace.Paths = inject.ActWrite, []string{s.path}
		if !filepath.IsAbs(s.path) {
			b.write(s.path, s.content)
		}
	default:
		trace.Act = inject.ActOther
	}
	if err := session.Note(trace); err != nil {
		b.t.Fatal(err)
	}
}

// guarded is what each example blocks, the fix that it asks for, and what is
// none of its business.
var guarded = map[string]struct {
	blocked step
	moved   string // instead of a verdict the file goes there
	fix     []step
	after   step // passes once the fix is done
	free    []step
}{
	"tested-needs-evidence": {
		blocked: step{tool: "Edit", path: "feature-list.json", content: `"tested" : true`},
		fix: []step{
			{tool: "Bash", command: "mkdir -p test-evidence && pytest > test-evidence/pytest.txt"},
			{tool: "Write", path: "test-evidence/summary.md", content: "12 passed"},
		},
		after: step{tool: "Edit", path: "feature-list.json", content: `"tested" : true`},
		free: []step{
			{tool: "Edit", path: "feature-list.json", content: `"tested": false`},
			{tool: "Write", path: "other.json", content: `"tested": true`},
			{tool: "Read", path: "feature-list.json"},
			{tool: "Bash", command: `git commit -m '"tested": true in feature-list.json'`},
		},
	},
	"tester-runs-tests": {
		blocked: step{at: inject.AtSubagentStop, agent: "tester"},
		fix:     []step{{tool: "Bash", command: "cd app && timeout 60 pytest -q 2>&1 | tail -5", agent: "tester"}},
		after:   step{at: inject.AtSubagentStop, agent: "tester"},
		free: []step{
			{at: inject.AtSubagentStop, agent: "coder"},
			{at: inject.AtStop},
			{tool: "Bash", command: "ls", agent: "tester"},
		},
	},
	"logs-in-parts": {
		blocked: step{tool: "Read", path: "app.log"},
		fix: []step{
			{tool: "Grep", path: "app.log"},
			{tool: "Read", path: "app.log", part: 1000},
			{tool: "Bash", command: "tail -100 app.log"},
			{tool: "mcp__logs__query", path: "app.log"},
		},
		after: step{tool: "Read", path: "app.log", part: 500},
		free:  []step{{tool: "Read", path: "short.log"}, {tool: "Read", path: "none.log"}, {tool: "Read", path: "README.md"}, {tool: "Write", path: "app.log"}},
	},
	"main-agent-delegates-sources": {
		blocked: step{tool: "Edit", path: "src/a.py", content: "x"},
		fix:     []step{{tool: "Agent", content: "change src/a.py"}},
		after:   step{tool: "Edit", path: "src/a.py", content: "x", agent: "coder"},
		free:    []step{{tool: "Read", path: "src/a.py"}, {tool: "Write", path: "docs/plan.md", content: "x"}, {tool: "Bash", command: "cat src/a.py"}},
	},
	"summaries-go-to-tmp": {
		blocked: step{tool: "Write", path: "docs/Summary-of-work.md", content: "done"},
		moved:   "/tmp/summary/Summary-of-work.md",
		fix:     []step{{tool: "Write", path: "/tmp/summary/Summary-of-work.md", content: "done"}},
		after:   step{tool: "Write", path: "/tmp/summary/Summary-of-work.md", content: "done again"},
		free:    []step{{tool: "Write", path: "lib/summary.py", content: "x"}, {tool: "Read", path: "docs/Summary-of-work.md"}},
	},
}

func TestTheExampleGuardsBlockWhatTheyShouldAndNothingElse(t *testing.T) {
	for _, l := range exampleGuards(t) {
		name := strings.TrimSuffix(filepath.Base(l.Path), ".md")
		c, ok := guarded[name]
		if !ok {
			t.Errorf("%s has no test", name)
			continue
		}
		b := newBench(t)
		for _, s := range c.free {
			d := b.decide(s)
			hinted := d.Context != "" && s.tool != "Read" // ahead of an edit it may be told
			if d.Verdict != inject.Pass || d.Args != nil || hinted {
				t.Errorf("%s: %s: %+v", name, s, d)
			}
		}
		d := b.decide(c.blocked)
		want := inject.Deny
		switch {
		case c.moved != "":
			want = inject.Pass
			if !strings.Contains(string(d.Args), c.moved) {
				t.Errorf("%s: goes to %s", name, d.Args)
			}
		case c.blocked.at != "":
			want = inject.Block
		}
		if d.Verdict != want || !slices.Equal(d.Injected, []string{l.ID}) {
			t.Errorf("%s: %s: %+v", name, c.blocked, d)
		}
		if want != inject.Pass && (!strings.Contains(d.Reason, "lessons allow "+l.ID) || !strings.Contains(d.Reason, "Missing: ")) {
			t.Errorf("%s: the reason is %q", name, d.Reason)
		}
	}
}

// Every example is in force when the fix of each is made: none may block it, or
// an agent that does as it is told is trapped.
func TestCatch22NoExampleGuardBlocksTheFixThatItAsksFor(t *testing.T) {
	for name, c := range guarded {
		b := newBench(t)
		b.decide(c.blocked)
		for _, s := range c.fix {
			b.does(s)
		}
		if d := b.decide(c.after); d.Verdict != inject.Pass || d.Args != nil {
			t.Errorf("%s: still held back after its fix: %+v", name, d)
		}
	}
}

func TestAGuardInAClonedRepositoryOnlyInforms(t *testing.T) {
	b := newBench(t)
	b.x = openList(t, options(), theirs(exampleGuards(t)...))
	for name, c := range guarded {
		d := b.decide(c.blocked)
		if d.Verdict != inject.Pass || d.Args != nil || c.blocked.at == "" && !strings.Contains(d.Context, "unreviewed, from repository") {
			t.Errorf("%s: %+v", name, d)
		}
	}
	b.x = open(t, options(), exampleGuards(t)...)
	if d := b.decide(guarded["logs-in-parts"].blocked); d.Verdict != inject.Deny {
		t.Errorf("trusted: %+v", d)
	}
}
