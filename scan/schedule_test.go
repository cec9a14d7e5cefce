package scan

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// scenes are what generated sessions consist of. Several teach the same thing
// in other words, some take back what was said before.
var scenes = []func() story{
	func() story { return story{user("go on")} },
	func() story { return learner() },
	func() story {
		return story{
			bash("gh pr diff 88 --stat", fail, "Exit code 1\nunknown flag: --stat"),
			bash("gh pr diff 88 --name-only", ok, "a.go"),
		}
	},
	func() story {
		return story{
			bash("gh pr diff 104 --stat", fail, "Exit code 1\nunknown flag: --stat"),
			bash("gh pr diff 104 --name-only", ok, "b.go"),
		}
	},
	func() story { return story{says(goodTag)} },
	func() story { return story{says("#lesson:cancel\nmistake: pytest hangs\n#/lesson:cancel")} },
	func() story {
		return story{bash("ls src/*.ts", fail, "Exit code 1\n(eval):1: no matches found: src/*.ts"), bash("ls 'src'", ok, "a")}
	},
	func() story {
		return story{bash("ls web/*.css", fail, "Exit code 1\n(eval):1: no matches found: web/*.css"), bash("ls web", ok, "a")}
	},
	func() story { return story{bash("rm -r build", transcript.Rejected, "never delete the build folder")} },
	func() story { return story{user("let's use SQLite because it needs no server")} },
	func() story { return story{user("Let's use SQLite because it needs no server!")} },
	func() story {
		return story{user("To release:\n1. Bump the version\n2. Run the tests\n3. Push the tag")}
	},
	func() story {
		return story{bash("npx jest --watch", transcript.TimedOut, "Command timed out after 2m 0s")}
	},
	func() story {
		var s story
		for i := range windowSize + 3 {
			s = append(s, bash(fmt.Sprintf("go vet ./p%d", i), ok, "fine"))
		}
		return s
	},
}

// generated is a session file in all of its stages.
type generated struct {
	path   string
	events []transcript.Event
	name   string
	form   agentFile
	least  int // lines: a sub-agent starts when its parent has begun
}

const stages = 8

// at is the file as it was in a stage of its growth: its first lines, a part
// that ends anywhere, or all. One object has some of its messages.
func (g generated) at(stage int) []byte {
	if g.form.object {
		return g.form.write(g.name, g.events[:len(g.events)*stage/stages])
	}
	content := g.form.write(g.name, g.events)
	lines := func(n int) int {
		end := 0
		for range n {
			end += bytes.IndexByte(content[end:], '\n') + 1
		}
		return end
	}
	if stage > 3 {
		return content[:max(len(content)*stage/stages, lines(g.least))]
	}
	return content[:lines(stage)]
}

func (g generated) file(stage int) File { return memory(g.path, g.at(stage)) }

var claudeForm = agentFile{name: "Claude Code", suffix: ".jsonl", write: func(session string, events []transcript.Event) []byte {
	first := fmt.Sprintf(`{"type":"file-history-snapshot","messageId":"x","sessionId":%q,"snapshot":{}}`+"\n", session)
	return append([]byte(first), claudeFile(session, events)...)
}}

// someSessions makes sessions of a few scenes in the forms of all agents, each
// with ids of its own, and copies of them: whole ones, beginnings, and, where a
// form tells whose they are, forks under another id that go on.
func someSessions(t *rapid.T) (originals, copies []generated) {
	forms := append([]agentFile{claudeForm, claudeForm}, otherAgents...)
	for i := range rapid.IntRange(1, 4).Draw(t, "sessions") {
		form := forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")]
		name := fmt.Sprint("s", i)
		events := someEvents(t, i)
		original := generated{path: "/s/" + name + form.suffix, events: events, name: name, form: form}
		originals = append(originals, original)
		if rapid.Bool().Draw(t, "copied") {
			copied := original
			copied.path = "/copy/" + name + form.suffix
			copied.events = events[:rapid.IntRange(0, len(events)).Draw(t, "cut")]
			copies = append(copies, copied)
			if form.name == claudeForm.name {
				copies = append(copies, generated{path: "/s/fork-" + name + form.suffix, events: events, name: "fork-" + name, form: form})
			}
		}
		if form.name == claudeForm.name && rapid.Bool().Draw(t, "sub-agent") {
			inner := someEvents(t, 10+i)
			for j := range inner {
				inner[j].Agent = "a1"
			}
			originals[len(originals)-1].least = 2
			originals = append(originals, generated{path: "/s/" + name + "/subagents/agent-a1.jsonl", events: inner, name: name, form: agentFile{write: claudeFile}})
		}
	}
	return originals, copies
}

func someEvents(t *rapid.T, session int) []transcript.Event {
	var s story
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(scenes)-1), 1, 5).Draw(t, "scenes") {
		s = append(s, scenes[n]()...)
	}
	events := s.events()
	for j := range events {
		events[j].ID += fmt.Sprint("-", session)
		events[j].ToolUse += fmt.Sprint("-", session)
		events[j].Time = events[j].Time.Add(time.Duration(session) * 30 * time.Hour)
	}
	return events
}

func TestAnyScheduleGivesTheSameLog(t *testing.T) {
	for range 2 { // hundreds of schedules
		rapid.Check(t, checkSchedule)
	}
}

func checkSchedule(t *rapid.T) {
	originals, copies := someSessions(t)
	var whole []File
	for _, g := range originals {
		whole = append(whole, g.file(stages))
	}
	beside := func(path string) (File, bool) {
		for _, f := range whole {
			if f.Path == path {
				return f, true
			}
		}
		return File{}, false
	}
	want := string(runScan(t, Input{Files: whole}).Log.Bytes())

	// Two clones scan what they have at the time, in some order and in some
	// stages of growth, with and without their state, and merge at the end.
	all := append(slices.Clone(originals), copies...)
	clones := []*clone{{}, {}}
	for range rapid.IntRange(0, 8).Draw(t, "scans") {
		at := clones[rapid.IntRange(0, 1).Draw(t, "clone")]
		var files []File
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(all)-1), 1, 3).Draw(t, "files") {
			files = append(files, all[n].file(rapid.IntRange(all[n].least, stages).Draw(t, "stage")))
		}
		if rapid.IntRange(0, 3).Draw(t, "forget") == 0 {
			at.state = nil
		}
		at.scan(t, files, beside)
	}
	for _, n := range rapid.Permutation(indexes(all)).Draw(t, "order") {
		clones[rapid.IntRange(0, 1).Draw(t, "last")].scan(t, []File{all[n].file(stages)}, beside)
	}
	var merged bytes.Buffer
	m, err := observe.MergeLogs(t.Context(), observe.TextOf(nil), observe.TextOf(clones[1].data), observe.TextOf(clones[0].data), observe.DefaultThresholds())
	if err == nil {
		err = m.Write(t.Context(), &merged)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := merged.String(); got != want {
		t.Fatalf("the schedule matters:\n%s", cmp.Diff(want, got))
	}
}

func indexes[T any](of []T) []int {
	var all []int
	for i := range of {
		all = append(all, i)
	}
	return all
}

// clone is a repository's copy with what its scans stored.
type clone struct {
	data  []byte
	state []byte
}

func (c *clone) log() *observe.Log {
	l, _ := observe.ParseLog("log", c.data)
	return l
}

func (c *clone) scan(t *rapid.T, files []File, beside func(string) (File, bool)) {
	r := runScan(t, Input{Files: files, Log: c.log(), State: c.state, Beside: beside})
	c.data, c.state = r.Log.Bytes(), r.State
}

func runScan(t *rapid.T, in Input) Result {
	in.Redactor = testRedactor
	r, err := Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Problems) > 0 {
		t.Fatal(r.Problems)
	}
	return r
}

func TestACancelledReportStaysCancelled(t *testing.T) {
	cancel := says("#lesson:cancel\nmistake: Pytest hangs  without\n#/lesson:cancel")
	far := story{user("hi"), says(goodTag)}
	for i := range 2 * windowSize {
		far = append(far, bash(fmt.Sprintf("go vet ./p%d", i), ok, "fine"))
	}
	content := claudeFile("s1", append(far, cancel).events())
	early := memory("/s/a.jsonl", content[:len(content)/2])
	first := scanAll(t, Input{Files: []File{early}})
	if len(first.Log.Observations()) != 1 {
		t.Fatal("the report was not learned")
	}
	full := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content)}, Log: first.Log, State: first.State})
	if got := full.Log.Observations(); len(got) != 0 || len(full.Candidates) != 0 {
		t.Errorf("a report from outside of the window stayed: %d learned, %d told", len(got), len(full.Candidates))
	}
	again := scanAll(t, Input{Files: []File{memory("/copy/a.jsonl", content[:len(content)/2])}, Log: full.Log})
	if len(again.Log.Observations()) != 0 {
		t.Error("an older copy of the session brought it back")
	}
	other := claudeFile("s2", story{user("hello"), says(goodTag)}.events())
	other = bytes.ReplaceAll(other, []byte(`"uuid":"m`), []byte(`"uuid":"n`))
	both := scanAll(t, Input{Files: []File{memory("/s/b.jsonl", other)}, Log: again.Log})
	if got := both.Log.Observations(); len(got) != 1 || got[0].Observations != 1 {
		t.Errorf("another session's report does not stand alone: %+v", got)
	}
}
