package inject

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParseRequire(t *testing.T) {
	for name, c := range map[string]struct {
		require map[string]any
		onError string
		want    Guard
		err     string // part of the error; empty: none
	}{
		"everything": {map[string]any{
			"at": []any{"call"}, "passed": "go test ./...", "ran": []any{"pytest", "npm test"}, "read": []any{"a/b.md", "@target"},
			"artifact": "evidence/**", "lines": "<=1000", "main_agent": "deny", "redirect": "/tmp/summary/", "suggest": "Use it.",
		}, "ask", Guard{
			At: []Moment{AtCall}, Passed: []string{"go test ./..."}, Ran: []string{"pytest", "npm test"}, Read: []string{"a/b.md", "@target"},
			Artifact: []string{"evidence/**"}, Lines: 1000, MainAgent: true, Redirect: "/tmp/summary", Suggest: "Use it.", OnError: OnErrorAsk,
		}, ""},
		"camel case":                 {map[string]any{"mainAgent": "deny"}, "", Guard{MainAgent: true}, ""},
		"number of lines":            {map[string]any{"lines": 10}, "", Guard{Lines: 10}, ""},
		"nothing":                    {nil, "", Guard{}, "names no gate"},
		"never":                      {map[string]any{"never": true, "suggest": "x"}, "", Guard{Never: true, Suggest: "x"}, ""},
		"never, perhaps":             {map[string]any{"never": "no"}, "", Guard{}, "only \"true\" is known"},
		"never but":                  {map[string]any{"never": true, "ran": "make"}, "", Guard{}, "never stands alone"},
		"only a suggestion":          {map[string]any{"suggest": "x"}, "", Guard{}, "names no gate"},
		"unknown":                    {map[string]any{"command": "rm"}, "", Guard{}, "require: command: unknown"},
		"a pipe":                     {map[string]any{"passed": "a | b"}, "", Guard{}, "simple command"},
		"a substitution":             {map[string]any{"passed": "a $(b)"}, "", Guard{}, "simple command"},
		"hidden result":              {map[string]any{"ran": "bash -c 'a; b'"}, "", Guard{}, "simple command"},
		"outside, up":                {map[string]any{"artifact": "../x"}, "", Guard{}, "inside the repository"},
		"outside, absolute":          {map[string]any{"read": "/etc/passwd"}, "", Guard{}, "inside the repository"},
		"redirect to the home":       {map[string]any{"redirect": "/root/.ssh"}, "", Guard{}, "below /tmp"},
		"redirect up":                {map[string]any{"redirect": "/tmp/../etc"}, "", Guard{}, "below /tmp"},
		"redirect to git":            {map[string]any{"redirect": "a/.GIT/hooks"}, "", Guard{}, "below /tmp"},
		"redirect to the root":       {map[string]any{"redirect": "."}, "", Guard{}, "below /tmp"},
		"redirect, no text":          {map[string]any{"redirect": 3}, "", Guard{}, "below /tmp"},
		"lines, no number":           {map[string]any{"lines": ">5"}, "", Guard{}, "<=N"},
		"on_error":                   {map[string]any{"lines": 5}, "explode", Guard{}, "on_error"},
		"moment":                     {map[string]any{"ran": "a", "at": "lunch"}, "", Guard{}, "none of call"},
		"a stop has no file":         {map[string]any{"lines": 5, "at": "stop"}, "", Guard{}, "about a tool call"},
		"a list of other things":     {map[string]any{"ran": []any{1}}, "", Guard{}, "texts"},
		"main agent, something else": {map[string]any{"main_agent": "allow"}, "", Guard{}, "deny"},
	} {
		g, err := ParseRequire(c.require, c.onError)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: error %v", name, err)
		}
		if !reflect.DeepEqual(g, c.want) {
			t.Errorf("%s: %+v", name, g)
		}
		again, err := DecodeGuard(g.Encode())
		if err != nil || !reflect.DeepEqual(again, g) {
			t.Errorf("%s: encoded %s, decoded %+v, %v", name, g.Encode(), again, err)
		}
	}
}

func FuzzDecodeGuard(f *testing.F) {
	f.Add(`{"passed":["go test"],"lines":3}`)
	f.Add(`{"redirect":"../..","read":["@target"]}`)
	f.Fuzz(func(t *testing.T, extra string) {
		g, err := DecodeGuard(extra)
		if err != nil {
			return
		}
		g.Check(OpenSession(Places{}, "s", ""), Subject{At: AtCall, Paths: []string{"a"}}, &evidence{})
	})
}

// evidence is what a test says that happened.
type evidence struct {
	s      *Session
	traces []Trace
	began  time.Time
	newest map[string]time.Time
	lines  map[string]int
	err    error
}

func (e *evidence) Traces() []Trace                       { return e.traces }
func (e *evidence) Began() time.Time                      { return e.began }
func (e *evidence) Newest(glob string) (time.Time, error) { return e.newest[glob], e.err }
func (e *evidence) Lines(p string, _ int) (int, error)    { return e.lines[p], e.err }
func (e *evidence) Exists(p string) bool                  { _, ok := e.lines[p]; return ok }

func (e *evidence) ran(line string, o Outcome) {
	e.traces = append(e.traces, Trace{Act: ActRun, Outcome: o, Runs: e.s.Runs(line)})
}

func (e *evidence) did(a Act, paths ...string) {
	e.traces = append(e.traces, Trace{Act: a, Outcome: OK, Paths: paths})
}

func TestGates(t *testing.T) {
	start := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		g    Guard
		in   Subject
		past func(*evidence)
		want string // missing, redirect or unsure; empty: it holds
	}{
		"never ran":          {Guard{Passed: []string{"go test"}}, Subject{}, func(*evidence) {}, "has not passed in this session"},
		"passed":             {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) { e.ran("go test ./...", OK) }, ""},
		"passed, one of two": {Guard{Passed: []string{"pytest", "go test"}}, Subject{}, func(e *evidence) { e.ran("go test", OK) }, ""},
		"failed":             {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) { e.ran("go test", Failed) }, "failed"},
		"masked":             {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) { e.ran("go test | tail", OK) }, "hides whether it passed"},
		"unclear":            {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) { e.ran("go test", Unclear) }, "does not say"},
		"edited since": {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) {
			e.ran("go test", OK)
			e.did(ActWrite, "a.go")
		}, "since the last edit"},
		"edited before": {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) {
			e.did(ActWrite, "a.go")
			e.ran("go test", OK)
		}, ""},
		"the file itself is no edit": {Guard{Passed: []string{"go test"}}, Subject{Paths: []string{"list.json"}}, func(e *evidence) {
			e.ran("go test", OK)
			e.did(ActWrite, "list.json")
		}, ""},
		"failed, then passed": {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) {
			e.ran("go test", Failed)
			e.ran("go test", OK)
		}, ""},
		"passed, then failed": {Guard{Passed: []string{"go test"}}, Subject{}, func(e *evidence) {
			e.ran("go test", OK)
			e.ran("go test ./a", Failed)
		}, ""},
		"ran, failing":             {Guard{Ran: []string{"go test"}}, Subject{}, func(e *evidence) { e.ran("go test | tail", Failed) }, ""},
		"did not run":              {Guard{Ran: []string{"go test"}}, Subject{}, func(e *evidence) { e.ran("go vet", OK) }, "has not run"},
		"asking for help":          {Guard{Ran: []string{"pytest"}}, Subject{}, func(e *evidence) { e.ran("pytest --help", OK) }, "has not run"},
		"read":                     {Guard{Read: []string{"docs/*.md"}}, Subject{}, func(e *evidence) { e.did(ActRead, "docs/a.md") }, ""},
		"not read":                 {Guard{Read: []string{"docs/*.md"}}, Subject{}, func(e *evidence) { e.did(ActRead, "src/a.md") }, "has not been read"},
		"itself read":              {Guard{Read: []string{ThisFile}}, Subject{Paths: []string{"a"}}, func(e *evidence) { e.lines = map[string]int{"a": 1}; e.did(ActRead, "a") }, ""},
		"itself not read":          {Guard{Read: []string{ThisFile}}, Subject{Paths: []string{"a"}}, func(e *evidence) { e.lines = map[string]int{"a": 1} }, "a has not been read"},
		"itself new":               {Guard{Read: []string{ThisFile}}, Subject{Paths: []string{"a"}}, func(*evidence) {}, ""},
		"artifact of this session": {Guard{Artifact: []string{"e/*"}}, Subject{}, func(e *evidence) { e.newest["e/*"] = start.Add(1) }, ""},
		"artifact of before":       {Guard{Artifact: []string{"e/*"}}, Subject{}, func(e *evidence) { e.newest["e/*"] = start.Add(-1) }, "from this session"},
		"no artifact":              {Guard{Artifact: []string{"e/*"}}, Subject{}, func(*evidence) {}, "there is no file e/*"},
		"unknown start":            {Guard{Artifact: []string{"e/*"}}, Subject{}, func(e *evidence) { e.newest["e/*"] = start; e.began = time.Time{} }, "not known"},
		"unreadable":               {Guard{Artifact: []string{"e/*"}}, Subject{}, func(e *evidence) { e.err = errors.New("broken disk") }, "broken disk"},
		"short":                    {Guard{Lines: 10}, Subject{Paths: []string{"x.log"}}, func(e *evidence) { e.lines = map[string]int{"x.log": 10} }, ""},
		"long":                     {Guard{Lines: 10}, Subject{Paths: []string{"x.log"}}, func(e *evidence) { e.lines = map[string]int{"x.log": 11} }, "more than 10 lines"},
		"part of a long one":       {Guard{Lines: 10}, Subject{Paths: []string{"x.log"}, Part: 10}, func(e *evidence) { e.lines = map[string]int{"x.log": 11} }, ""},
		"main agent":               {Guard{MainAgent: true}, Subject{}, func(*evidence) {}, "sub-agent"},
		"sub-agent":                {Guard{MainAgent: true}, Subject{Sub: true}, func(*evidence) {}, ""},
		"redirected":               {Guard{Redirect: "out"}, Subject{Paths: []string{"a/SUMMARY.md"}}, func(*evidence) {}, "out/SUMMARY.md"},
		"there already":            {Guard{Redirect: "out"}, Subject{Paths: []string{"out/b/SUMMARY.md"}}, func(*evidence) {}, ""},
		"beside":                   {Guard{Redirect: "out"}, Subject{Paths: []string{"outer/S.md"}}, func(*evidence) {}, "out/S.md"},
		"out again":                {Guard{Redirect: "out"}, Subject{Paths: []string{"out/../S.md"}}, func(*evidence) {}, "out/S.md"},
	} {
		s := OpenSession(Places{}, "s", "")
		e := &evidence{s: s, began: start, newest: map[string]time.Time{}}
		c.past(e)
		f := c.g.Check(s, c.in, e)
		got := strings.Join(f.Missing, "; ") + f.Redirect
		if f.Unsure != nil {
			got += f.Unsure.Error()
		}
		if got == "" != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestASubAgentThatStopsIsJudgedByItsOwnDeeds(t *testing.T) {
	p := Places{GitDir: t.TempDir()}
	main, sub := OpenSession(p, "s", ""), OpenSession(p, "s", "one")
	if err := main.Note(Trace{Act: ActRun, Outcome: OK, Runs: main.Runs("pytest")}); err != nil {
		t.Fatal(err)
	}
	g := Guard{Ran: []string{"pytest"}}
	if f := g.Check(sub, Subject{At: AtSubagentStop, Sub: true}, TreeFacts{sub, ""}); len(f.Missing) == 0 {
		t.Error("the main agent's run counted")
	}
	if err := sub.Note(Trace{Act: ActRun, Outcome: Failed, Runs: sub.Runs("pytest -q")}); err != nil {
		t.Fatal(err)
	}
	if f := g.Check(sub, Subject{At: AtSubagentStop, Sub: true}, TreeFacts{sub, ""}); len(f.Missing) > 0 || f.Unsure != nil {
		t.Error(f)
	}
}

func TestTreeFacts(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(root, "e/a/b.txt"), "1\n2\n3\n")
	write(filepath.Join(outside, "o.txt"), "1\n2\n")
	if err := os.Symlink(filepath.Join(outside, "o.txt"), filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "dir")); err != nil {
		t.Fatal(err)
	}
	f := TreeFacts{OpenSession(Places{}, "s", ""), root}
	for glob, want := range map[string]bool{"e/**": true, "e/a/b.txt": true, "e/*.txt": false, "none/**": false, "**/*.txt": true, "dir/**": false} {
		newest, err := f.Newest(glob)
		if newest.IsZero() == want || err != nil && glob != "dir/**" {
			t.Errorf("%s: %v %v", glob, newest, err)
		}
	}
	if _, err := f.Newest("../x"); err == nil {
		t.Error("looked outside")
	}
	for name, want := range map[string]int{"e/a/b.txt": 3, "none": 0, "e": 0, "/etc/passwd": 0, "../x": 0} {
		if n, err := f.Lines(name, 100); n != want || err != nil {
			t.Errorf("%s: %d lines, %v", name, n, err)
		}
	}
	if n, _ := f.Lines("e/a/b.txt", 1); n != 2 {
		t.Errorf("counted %d", n)
	}
	if n, err := f.Lines("link", 100); n != 0 || err == nil || f.Exists("link") {
		t.Error("followed a link that leads outside")
	}
	if !f.Exists("e/a/b.txt") || f.Exists("e") || f.Exists("none") {
		t.Error("Exists")
	}
}
