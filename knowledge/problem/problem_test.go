package problem

import (
	"reflect"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/calls"
)

// told is a session in which each call has the id of its place.
func told(name string, at int64, all ...calls.Call) calls.Session {
	for i := range all {
		all[i].ID, all[i].Line, all[i].At = string(rune('a'+i)), i+1, at+int64(i)*60_000
		if all[i].Tool == "" {
			all[i].Tool = "Bash"
		}
	}
	return calls.Session{Name: name, Calls: all}
}

func failing(input, problem, class string) calls.Call {
	return calls.Call{Input: input, Outcome: calls.Failed, Failure: &calls.Failure{Problem: problem, Program: "x", Class: class, Line: "it says no"}}
}

func working(input string, mends ...calls.Mend) calls.Call {
	return calls.Call{Input: input, Outcome: calls.OK, Mends: mends}
}

func TestNatures(t *testing.T) {
	by := func(how calls.How) calls.Mend { return calls.Mend{Call: "a", How: how, Fix: "Use it"} }
	for _, c := range []struct {
		name     string
		sessions []calls.Session
		want     Nature
	}{
		{"the failure names the token", []calls.Session{told("s", 1, failing("x --no", "p", "usage"), working("x --yes", calls.Mend{Call: "a", How: calls.ByArguments, Named: true}))}, Named},
		{"the same program otherwise", []calls.Session{told("s", 1, failing("x a", "p", "other"), working("x b", by(calls.ByArguments)))}, Shape},
		{"another program", []calls.Session{told("s", 1, failing("x a", "p", "other"), working("y b", by(calls.ByOther)))}, OtherWay},
		{"something ran first", []calls.Session{told("s", 1, failing("x a", "p", "other"), working("install"), working("x a", by(calls.ByRun)))}, Precondition},
		{"a path", []calls.Session{told("s", 1, failing("cat a", "p", "missing-path"), working("cat b", by(calls.ByArguments)))}, NotThere},
		{"tests", []calls.Session{told("s", 1, failing("x test", "p", "in-progress"), working("x test", by(calls.ByEdit)))}, Work},
		{"nothing helped", []calls.Session{told("s", 1, failing("x a", "p", "other"), working("ls"))}, Unmended},
		{"it worked later", []calls.Session{told("s", 1, failing("x a", "p", "other"), working("x a"))}, Passing},
		{"the call worked as it was in another session", []calls.Session{
			told("s", 1, failing("x a", "p", "other"), working("x b", by(calls.ByArguments))), told("t", 2, working("x a")),
		}, Unmended},
	} {
		all := Gather(c.sessions)
		if len(all) != 1 || all[0].Nature != c.want {
			t.Errorf("%s: got %+v", c.name, all)
		}
	}
}

// Of the failures of tests those are told apart for which the same had to run first in two
// sessions: they are not about the sources.
func TestWhatTestsNeedIsAProblemOfItsOwn(t *testing.T) {
	says := func(text string, mends ...calls.Mend) []calls.Call {
		c := failing("x test", "p", "in-progress")
		c.Failure.Line = text
		return []calls.Call{c, working("x deps"), working("x test", mends...)}
	}
	ran := func(fix string) calls.Mend { return calls.Mend{Call: "a", How: calls.ByRun, Fix: fix} }
	const deps, edit = "Run `x deps` first", calls.ByEdit
	for _, c := range []struct {
		name     string
		sessions [][]calls.Call
		want     map[string]Nature // by what it says
	}{
		{"in two sessions", [][]calls.Call{says("no deps", ran(deps)), says("no deps", ran(deps)), says("1 != 2", calls.Mend{Call: "a", How: edit})}, map[string]Nature{"no deps": Precondition, "1 != 2": Work}},
		{"in one session", [][]calls.Call{says("no deps", ran(deps)), says("1 != 2", calls.Mend{Call: "a", How: edit})}, map[string]Nature{"1 != 2": Work}},
		{"in another way each time", [][]calls.Call{says("no deps", ran(deps)), says("no deps", ran("Run `y` first"))}, map[string]Nature{"no deps": Work}},
		{"of several causes", [][]calls.Call{says("no deps", ran(deps)), says("1 != 2", ran(deps))}, map[string]Nature{"1 != 2": Precondition}},
		{"mostly by edits", [][]calls.Call{
			says("no deps", ran(deps)), says("no deps", ran(deps)), says("no deps", calls.Mend{Call: "a", How: edit}), says("no deps", calls.Mend{Call: "a", How: edit}), says("no deps", calls.Mend{Call: "a", How: edit}),
		}, map[string]Nature{"no deps": Work}},
	} {
		var log []calls.Session
		for i, made := range c.sessions {
			log = append(log, told(string(rune('p'+i)), int64(i+1), made...))
		}
		got := map[string]Nature{}
		for _, p := range Gather(log) {
			got[p.What] = p.Nature
			if f := p.Failures[0].Call.Failure; !p.Is(f) {
				t.Errorf("%s: %s is none of its problem", c.name, f.Line)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What ran after a failure, and was followed by the call as it was, is no other way to do
// it: it had to run first.
func TestAnotherWayThatHadToRunFirst(t *testing.T) {
	other := func(how calls.How) calls.Mend { return calls.Mend{Call: "a", How: how, Fix: "Use it"} }
	for _, c := range []struct {
		name  string
		calls []calls.Call
		want  Nature
		fix   string
	}{
		{"another program", []calls.Call{failing("x test", "p", "other"), working("y install", other(calls.ByOther)), working("x test")}, Precondition, "Run `y install` first"},
		{"another command of it", []calls.Call{failing("x plan", "p", "environment"), working("x init", other(calls.ByArguments)), working("x plan")}, Precondition, "Run `x init` first"},
		{"other arguments", []calls.Call{failing("x test -a", "p", "other"), working("x test -b", other(calls.ByArguments)), working("x test -a")}, Unmended, "Use it"},
		{"never again", []calls.Call{failing("x test", "p", "other"), working("y install", other(calls.ByOther))}, OtherWay, "Use it"},
		{"a question", []calls.Call{failing("x test", "p", "other"), working("y --help", other(calls.ByOther)), working("x test")}, Unmended, "Use it"},
		{"a script of the occasion", []calls.Call{failing("x test", "p", "other"), working("python -c 'print(1)'", other(calls.ByOther)), working("x test")}, Unmended, "Use it"},
	} {
		all := Gather([]calls.Session{told("s", 1, c.calls...)})
		if len(all) != 1 || all[0].Nature != c.want || all[0].Mends[0].Fix != c.fix {
			t.Errorf("%s: got %+v", c.name, all[0])
		}
	}
}

func TestARuleIsOneProblemWhateverRanIt(t *testing.T) {
	lint := func(program string, rules map[string]string) calls.Call {
		c := failing(program, "p1:"+program, "in-progress")
		c.Failure.Program, c.Failure.Rules = program, rules
		return c
	}
	all := Gather([]calls.Session{
		told("s", 1, lint("lint", map[string]string{"errcheck": "a/b.go:3:4: it is not checked (errcheck)"})),
		told("t", 2, lint("make", map[string]string{"errcheck": "[lint] a/c.go:9: it is not checked (errcheck)", "dupl": "x"})),
	})
	if len(all) != 2 || all[0].Rule != "errcheck" || len(all[0].Sessions) != 2 || all[0].What != "it is not checked (errcheck)" || all[0].Nature != Rule {
		t.Errorf("got %+v", all)
	}
}

func TestARuleIsMendedInItsOwnWay(t *testing.T) {
	broken := func() calls.Call {
		c := failing("lint", "p", "rule")
		c.Failure.Rules = map[string]string{"errcheck": "a.go:1:2: not checked (errcheck)", "nilerr": "a.go:3:4: returns nil (nilerr)"}
		return c
	}
	errcheck := calls.Mend{Call: "a", How: calls.ByEdit, Rule: "errcheck", Fix: "Write `err = f()` instead of `f()`"}
	check := calls.Mend{Call: "a", How: calls.ByEdit, Rule: "errcheck", Fix: "Check with `lint` before you finish"}
	nilerr := calls.Mend{Call: "a", How: calls.ByEdit, Rule: "nilerr", Fix: "Write `return err` instead of `return nil`"}
	for _, c := range []struct {
		name     string
		mends    [][]calls.Mend // by session
		want     map[string]string
		sessions int
	}{
		{"each rule's own", [][]calls.Mend{{errcheck, nilerr}}, map[string]string{"errcheck": "for example, write `err = f()` instead of `f()`", "nilerr": "for example, write `return err` instead of `return nil`"}, 1},
		{"another rule's says nothing", [][]calls.Mend{{errcheck}}, map[string]string{"errcheck": "for example, write `err = f()` instead of `f()`", "nilerr": ""}, 1},
		{"one edit of two mends", [][]calls.Mend{{errcheck}, {check}}, map[string]string{"errcheck": "in one case, write `err = f()` instead of `f()`", "nilerr": ""}, 2},
		{"what had to run first is for all", [][]calls.Mend{{{Call: "a", How: calls.ByRun, Fix: "Run `gen` first"}}}, map[string]string{"errcheck": "Run `gen` first", "nilerr": "Run `gen` first"}, 1},
		{"the linter's command is no advice", [][]calls.Mend{{check}}, map[string]string{"errcheck": "", "nilerr": ""}, 1},
	} {
		var log []calls.Session
		for i, m := range c.mends {
			log = append(log, told(string(rune('p'+i)), int64(i+1), broken(), working("lint", m...)))
		}
		for _, p := range Gather(log) {
			if best, ok := p.Best(); p.Advice() != c.want[p.Rule] || !ok || best.Worked != c.sessions {
				t.Errorf("%s: %s: %q, %+v", c.name, p.Rule, p.Advice(), best)
			}
		}
	}
}

func TestCostIsTheTimeToTheMendAndNeverALunch(t *testing.T) {
	s := told("s", 1, failing("x a", "p", "other"), working("ls"), working("x b", calls.Mend{Call: "a", How: calls.ByArguments}))
	if got := Gather([]calls.Session{s})[0].Minutes(); got != 2 {
		t.Errorf("%v minutes, want 2", got)
	}
	s.Calls[2].At += 10 * maxLost
	if got := Gather([]calls.Session{s})[0].Minutes(); got != 30 {
		t.Errorf("%v minutes, want 30", got)
	}
}

func TestTheOrderOfScansChangesNothing(t *testing.T) {
	s := told("s", 1, failing("x a", "p", "other"), working("x b", calls.Mend{Call: "a", How: calls.ByArguments}))
	u := told("u", 5, failing("x a", "p", "other"), working("x a"))
	one, other := []calls.Session{s, u}, []calls.Session{u, s}
	calls.Sort(one)
	calls.Sort(other)
	if !reflect.DeepEqual(Gather(one), Gather(other)) {
		t.Error("the order of sessions counts")
	}
}

func TestAMendFromBeforeTheFailureByTheClock(t *testing.T) {
	s := told("s", 1, failing("x a", "p", "other"))
	before := told("s", 1, working("x b", calls.Mend{Call: "a", How: calls.ByArguments}))
	for i := range 40 { // calls of an hour that came twice, as clocks are set back
		before.Calls = append(before.Calls, calls.Call{ID: string(rune('A' + i)), At: int64(2 + i)})
	}
	before.Calls[0].ID = "z"
	s.Calls[0].At = 1000
	s.Calls = append(before.Calls, s.Calls...)
	if all := Gather([]calls.Session{s}); len(all) != 1 || all[0].Lost != 0 || all[0].Tokens != 0 {
		t.Errorf("got %+v", all)
	}
}

func TestAdviceOnWhatIsNotThere(t *testing.T) {
	missing := func(tool, what string) calls.Call {
		c := failing("x", "p", "missing-path")
		c.Tool, c.Failure.Program, c.Failure.Line = tool, "", what
		return c
	}
	other := calls.Mend{Call: "a", How: calls.ByOther, Fix: "Use `git status`"}
	for _, c := range []struct{ tool, what, want string }{
		{"Read", "File does not exist. Did you mean .tool.yaml?", "use `.tool.yaml`"},
		{"Read", "File does not exist.", ""},
		{"Grep", "Path does not exist: src/cmd", ""},
		{"Skill", "Unknown skill: commit", "do it without that skill"},
		{"Bash", "cd: src: No such file or directory", "the shell may still be where an earlier call went: use the whole path"},
	} {
		failed := missing(c.tool, c.what)
		if c.tool == "Bash" {
			failed.Failure.Program = "cd"
		}
		p := Gather([]calls.Session{told("s", 1, failed, working("git status", other))})[0]
		if got := p.Advice(); p.Nature != NotThere || got != c.want {
			t.Errorf("%s: %s: %s, %q, want %q", c.tool, c.what, p.Nature, got, c.want)
		}
	}
}

// What all failures of a problem turn down of their calls, and what may be right elsewhere.
func TestWord(t *testing.T) {
	for _, c := range []struct{ class, line, first, second, want string }{
		{"usage", "Error: unknown flag: --name", "helm template --name web charts/web", "helm template --name api charts/api -n lab", "--name"},
		{"usage", "zookeeper is not a recognized option", "helm list --zookeeper a", "helm list --zookeeper b", "--zookeeper"},
		{"usage", "error: unknown option `dry'", "helm test --dry", "helm test --dry a", "--dry"},
		{"usage", "Unknown JSON field: \"checks\"", "helm view --json title,checks", "helm view --json checks,url", "checks"},
		{"usage", "no such service: web", "helm logs --tail 5 web", "helm logs web", "web"},
		{"usage", "Project 'app' not found in root project 'shop'", "helm :app:build", "helm app:test", "app"},
		{"usage", "no such service: web", "helm logs web", "helm logs worker", ""},
		{"usage", "error: unexpected argument 'two' found", "helm test one two", "helm test one two", ""},
		{"usage", "error: unrecognized subcommand 'src/a.py'", "helm src/a.py", "helm src/a.py", ""},
		{"usage", "name must not be empty", "helm add --name x", "helm add --name y", ""},
		{"missing-path", "cat: conf/a.yml: No such file or directory", "helm conf/a.yml", "helm -n conf/a.yml", "conf/a.yml"},
		{"missing-path", "open webapp.yml: no such file", "helm web", "helm web", ""},
		{"other", "Error: unknown flag: --name", "helm --name a", "helm --name b", ""},
	} {
		p := &Problem{Class: c.class, Program: "helm"}
		for _, input := range []string{c.first, c.second} {
			p.Failures = append(p.Failures, Failure{Call: &calls.Call{Input: input, Failure: &calls.Failure{Class: c.class, Program: "helm", Line: c.line}}})
		}
		if got := p.Word(); got != c.want {
			t.Errorf("%s, of %s: %q, want %q", c.line, c.first, got, c.want)
		}
	}
}

func TestInGeneral(t *testing.T) {
	for line, want := range map[string]string{
		"colima start --cpu 4 2>&1 | tail -2":                 "colima start",
		"docker compose up -d --wait db && sleep 3":           "docker compose up db",
		"cd web && terraform init -input=false | tail -5":     "terraform init",
		"poetry install --with dev -q":                        "poetry install dev",
		"git submodule update --init --recursive 2>&1 | tail": "git submodule update",
		"psql -f schema.sql":                                  "psql -f schema.sql",
		"./setup.sh /tmp/x":                                   "./setup.sh /tmp/x",
		"echo done":                                           "echo done",
	} {
		if got := inGeneral(line, ""); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestBare(t *testing.T) {
	for line, want := range map[string]string{
		"terraform init -input=false 2>&1 | tail -5": "terraform init -input=false",
		"colima start > /tmp/colima.log":             "colima start",
		"make gen && make build":                     "make gen && make build",
		"cd api; go generate ./...":                  "go generate ./...",
	} {
		if got := bare(line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
