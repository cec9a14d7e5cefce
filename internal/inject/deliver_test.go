package inject

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/provenance"
)

// everything is what Claude Code can do before a tool call.
var everything = Abilities{TellModel: true, DenyCall: true, AskPerson: true, ChangeInput: true, HoldStop: true}

// input is a call in a session of its own.
func input(t testing.TB, found ...Lesson) Input {
	s := OpenSession(Places{GitDir: t.TempDir()}, "s", "")
	return Input{At: AtCall, Tool: "Bash", Can: everything, Found: found, Session: s, Facts: &evidence{s: s}}
}

func aLesson(id, action string, priority int) Lesson {
	return Lesson{ID: id, Title: id, Text: "text of " + id, Summary: "summary of " + id, Fix: "fix of " + id, Action: action, Priority: priority, Confidence: 900}
}

func TestInformIsToldOnce(t *testing.T) {
	in := input(t, aLesson("A", "inform", 5))
	want := "[lessons] 1 for Bash\ntext of A"
	if d := Decide(in); d.Context != want || d.Verdict != Pass {
		t.Errorf("%+v", d)
	}
	if d := Decide(in); d.Context != "" || d.Injected != nil {
		t.Errorf("again: %+v", d)
	}
}

func TestAfterFailureIsToldOfFailuresAlone(t *testing.T) {
	for _, unreviewed := range []bool{false, true} {
		l := aLesson("A", ActionAfterFailure, 9)
		l.Unreviewed = unreviewed
		in := input(t, l)
		for _, at := range []Moment{AtCall, AfterCall, AtPrompt, AtStart, AtSubagent, AfterCompact} {
			in.At = at
			if d := Decide(in); d.Verdict != Pass || d.Context != "" {
				t.Errorf("%s: %+v", at, d)
			}
		}
		in.At = AfterFailure
		if d := Decide(in); d.Verdict != Pass || !slices.Equal(d.Injected, []string{"A"}) {
			t.Errorf("after a failure: %+v", d)
		}
	}
}

func TestStopOnceDeniesTheFirstCallWithTheFixAndLetsLaterOnesPass(t *testing.T) {
	in := input(t, aLesson("A", "stop-once", 5), aLesson("B", "stop-once", 7), aLesson("C", "inform", 9))
	d := Decide(in)
	if d.Verdict != Deny || d.Context != "" || !strings.Contains(d.Reason, "[lessons] Do this instead: fix of B\ntext of B\nDo this instead: fix of A\ntext of A\nStopped once") {
		t.Errorf("%+v", d)
	}
	if !slices.Equal(d.Injected, []string{"B", "A"}) {
		t.Error(d.Injected)
	}
	if d := Decide(in); d.Verdict != Pass || !slices.Equal(d.Injected, []string{"C"}) {
		t.Errorf("second: %+v", d)
	}
	if d := Decide(in); d.Verdict != Pass || d.Context != "" {
		t.Errorf("third: %+v", d)
	}
	if err := in.Session.Compacted(); err != nil {
		t.Fatal(err)
	}
	if d := Decide(in); d.Verdict != Pass || !slices.Equal(d.Injected, []string{"C", "B"}) {
		t.Errorf("after compaction: %+v", d)
	}
}

// TestWhatHoldsACallBackSaysFirstWhatToDo: a person who sees the answer reads what to do, then
// what is wrong, and how to learn more.
func TestWhatHoldsACallBackSaysFirstWhatToDo(t *testing.T) {
	with := func(change func(*Lesson)) Lesson {
		l := aLesson("A", "stop-once", 7)
		l.Text, l.Fix = "HIGH warning: It hangs. It waits **Fix**: go test -timeout=30s", "go test -timeout=30s"
		change(&l)
		return l
	}
	guard := func(g Guard) func(*Lesson) {
		return func(l *Lesson) { l.Action, l.Extra = "deny", g.Encode() }
	}
	const stopped, passes = "\nStopped once, so that", "\nWhy: lessons show A"
	for name, c := range map[string]struct {
		change       func(*Lesson)
		starts, ends string
	}{
		"fix":        {func(*Lesson) {}, "[lessons] Do this instead: go test -timeout=30s\nHIGH warning: It hangs. It waits" + stopped, passes},
		"fix alone":  {func(l *Lesson) { l.Text = l.Fix }, "[lessons] Do this instead: go test -timeout=30s" + stopped, passes},
		"no fix":     {func(l *Lesson) { l.Fix = "" }, "[lessons] HIGH warning: It hangs. It waits **Fix**", passes},
		"deny":       {func(l *Lesson) { l.Action = "deny" }, "[lessons] Do this instead: go test -timeout=30s\nHIGH", "\nA person can let it pass: lessons allow A"},
		"gate":       {guard(Guard{Ran: []string{"make"}}), "[lessons] Missing: `make` has not run.\nHIGH", "lessons allow A"},
		"suggestion": {guard(Guard{Ran: []string{"make"}, Suggest: "Run make."}), "[lessons] Run make.\nMissing: `make` has not run.\nHIGH", "lessons allow A"},
	} {
		in := input(t, with(c.change))
		if d := Decide(in); d.Verdict != Deny || !strings.HasPrefix(d.Reason, c.starts) || !strings.HasSuffix(d.Reason, c.ends) {
			t.Errorf("%s: %s", name, d.Reason)
		}
	}
}

func TestStopOnceWhereTheAgentCannotDeny(t *testing.T) {
	in := input(t, aLesson("A", "stop-once", 5))
	in.Can = Abilities{}
	if d := Decide(in); d.Verdict != Pass || d.Context != "" || in.Session.Shown("A", false) {
		t.Errorf("said into the void: %+v", d)
	}
	in.Can = Abilities{TellModel: true}
	if d := Decide(in); d.Verdict != Pass || !slices.Equal(d.Injected, []string{"A"}) {
		t.Errorf("%+v", d)
	}
}

func TestAskAndDenyByAbilities(t *testing.T) {
	for _, c := range []struct {
		action string
		can    Abilities
		want   Verdict
	}{
		{"ask", everything, Ask},
		{"ask", Abilities{DenyCall: true}, Deny},
		{"ask", Abilities{TellModel: true}, Pass},
		{"deny", everything, Deny},
		{"deny", Abilities{AskPerson: true}, Ask},
		{"deny", Abilities{TellModel: true}, Pass},
	} {
		in := input(t, aLesson("A", c.action, 5))
		in.Can = c.can
		for range 3 {
			d := Decide(in)
			if d.Verdict != c.want || c.want != Pass && !strings.Contains(d.Reason, "lessons allow A") {
				t.Errorf("%s with %+v: %+v", c.action, c.can, d)
			}
		}
	}
}

func TestUntrustedLessonsInformAndSaySo(t *testing.T) {
	for _, action := range []string{"inform", "stop-once", "ask", "deny", "rewrite"} {
		l := aLesson("A", action, 5)
		l.Unreviewed = true
		l.Extra = Guard{Redirect: "out"}.Encode()
		in := input(t, l)
		in.Args, in.PathKey, in.Paths = json.RawMessage(`{"file_path":"a"}`), "file_path", []string{"a"}
		if d := Decide(in); d.Verdict != Pass || d.Args != nil || !strings.Contains(d.Context, "(unreviewed, from repository) text of A") {
			t.Errorf("%s: %+v", action, d)
		}
	}
}

func TestBudgetNumberAndSummary(t *testing.T) {
	var found []Lesson
	for i := range 5 {
		l := aLesson(fmt.Sprint("L", i), "inform", 8-i)
		found = append(found, l)
	}
	d := Decide(input(t, found...))
	if !slices.Equal(d.Injected, []string{"L0", "L1", "L2"}) || !slices.Equal(d.Dropped, []string{"L3", "L4"}) {
		t.Error(d.Injected, d.Dropped)
	}
	found[1].Text = strings.Repeat("x", 4096)
	found[2].Text, found[2].Summary = strings.Repeat("y", 4096), strings.Repeat("z", 4096)
	in := input(t, found...)
	d = Decide(in)
	if !slices.Equal(d.Injected, []string{"L0", "L1", "L3"}) || !slices.Equal(d.Dropped, []string{"L2", "L4"}) {
		t.Error(d.Injected, d.Dropped)
	}
	if !strings.Contains(d.Context, "summary of L1") || strings.Contains(d.Context, "xx") {
		t.Error(d.Context)
	}
	if d := Decide(in); !slices.Equal(d.Injected, []string{"L4"}) { // what had no room comes with the next call
		t.Errorf("%+v", d)
	}
}

func TestTheAgentsOwnCapIsAboveTheBudget(t *testing.T) {
	in := input(t, aLesson("A", "inform", 5), aLesson("B", "inform", 10))
	in.Found[0].Text, in.Found[1].Text = strings.Repeat("a", 300), strings.Repeat("b", 300)
	in.MaxBytes = 200
	if d := Decide(in); len(d.Context) > 200 || !strings.Contains(d.Context, "summary of B\nsummary of A") {
		t.Error(d.Context)
	}
}

func TestCriticalLessonsAreNeverMissed(t *testing.T) {
	var found []Lesson
	for i := range 40 {
		l := aLesson(fmt.Sprintf("C%02d", i), "inform", 10)
		l.Text = strings.Repeat("c", 900)
		l.Summary = strings.Repeat("s", 600)
		found = append(found, l)
	}
	in := input(t, found...)
	seen := map[string]int{}
	for range 10 {
		d := Decide(in)
		if len(d.Context) > DefaultMaxBytes {
			t.Fatalf("%d bytes", len(d.Context))
		}
		for _, id := range d.Injected {
			seen[id]++
		}
	}
	for _, l := range found {
		if seen[l.ID] != 1 {
			t.Errorf("%s was told %d times", l.ID, seen[l.ID])
		}
	}
}

func TestAfterAFailureTheKnownFixComesOnceMore(t *testing.T) {
	in := input(t, aLesson("A", "inform", 5))
	Decide(in)
	in.At = AfterFailure
	if d := Decide(in); !strings.Contains(d.Context, "Fix: fix of A") {
		t.Errorf("%+v", d)
	}
	if d := Decide(in); d.Context != "" {
		t.Errorf("a third time: %+v", d)
	}
}

func TestAfterCompactionWhatWasShownAndIsImportantComesAgain(t *testing.T) {
	in := input(t, aLesson("high", "inform", 7), aLesson("low", "inform", 6))
	Decide(in)
	if err := in.Session.Compacted(); err != nil {
		t.Fatal(err)
	}
	in.At = AfterCompact
	in.Found = append(in.Found, aLesson("never shown", "inform", 10))
	if d := Decide(in); !slices.Equal(d.Injected, []string{"high"}) {
		t.Errorf("%+v", d)
	}
	if d := Decide(in); d.Context != "" {
		t.Errorf("twice: %+v", d)
	}
}

func TestWhereNothingCanBeRememberedNothingStopsAndOnlyTheCriticalIsTold(t *testing.T) {
	in := input(t, aLesson("A", "stop-once", 5), aLesson("B", "inform", 5), aLesson("C", "stop-once", 10))
	in.Session = OpenSession(Places{}, "s", "")
	for range 2 {
		if d := Decide(in); d.Verdict != Pass || !slices.Equal(d.Injected, []string{"C"}) {
			t.Errorf("%+v", d)
		}
	}
	in.At = AtStart
	if d := Decide(in); !slices.Equal(d.Injected, []string{"C", "A", "B"}) {
		t.Errorf("at the start: %+v", d)
	}
	in.At, in.Found = AtStop, []Lesson{guardLesson("G", Guard{At: []Moment{AtStop}, Ran: []string{"x"}})}
	if d := Decide(in); d.Verdict != Pass {
		t.Errorf("held a stop that it cannot count: %+v", d)
	}
}

func TestAnInputThatSaysLittle(t *testing.T) {
	for _, at := range []Moment{"", AtCall, AfterCall, AfterFailure, AtPrompt, AtStart, AtSubagent, AfterCompact, AtStop, AtSubagentStop} {
		for _, can := range []Abilities{{}, everything} {
			for _, root := range []string{"", "/nowhere"} {
				g := Guard{Passed: []string{"a"}, Artifact: []string{"b"}, Read: []string{ThisFile}, Lines: 1, Redirect: "c"}
				Decide(Input{At: at, Can: can, Root: root, Paths: []string{"x", "/y", ""}, Found: []Lesson{{}, guardLesson("G", g), {Action: "odd", Extra: "{"}}})
			}
		}
	}
}

func guardLesson(id string, g Guard) Lesson {
	l := aLesson(id, "deny", 7)
	l.Extra = g.Encode()
	return l
}

func TestAStopIsHeldOnceAndThenLetGo(t *testing.T) {
	in := input(t, guardLesson("G", Guard{At: []Moment{AtStop}, Ran: []string{"pytest"}}))
	in.At = AtStop
	d := Decide(in)
	if d.Verdict != Block || !strings.Contains(d.Reason, "`pytest` has not run") {
		t.Fatalf("%+v", d)
	}
	in.Again = true
	if d := Decide(in); d.Verdict != Pass {
		t.Error("held again")
	}
	in.Again = false
	if d := Decide(in); d.Verdict != Block {
		t.Error("another stop is not held")
	}
	if d := Decide(in); d.Verdict != Pass {
		t.Error("held a third time")
	}
	in.At = AtCall
	if d := Decide(in); d.Verdict != Pass {
		t.Error("a stop's guard denied a call")
	}
}

func TestOnError(t *testing.T) {
	for onError, want := range map[OnError]Verdict{"": Pass, OnErrorAllow: Pass, OnErrorAsk: Ask, OnErrorDeny: Deny} {
		in := input(t, guardLesson("G", Guard{Passed: []string{"go test"}, OnError: onError}))
		e := &evidence{s: in.Session}
		e.ran("go test", Unclear)
		in.Facts = e
		if d := Decide(in); d.Verdict != want {
			t.Errorf("%q: %+v", onError, d)
		}
	}
}

func TestAPersonLetsAGuardPass(t *testing.T) {
	p := Places{GitDir: t.TempDir()}
	if err := Allow(p, "G", true); err == nil {
		t.Error("allowed what was never held back")
	}
	in := input(t, guardLesson("G", Guard{MainAgent: true}))
	in.Session = OpenSession(p, "s", "")
	other := in
	other.Session = OpenSession(p, "other", "")
	verdicts := func(in Input, want ...Verdict) {
		t.Helper()
		for i, w := range want {
			if d := Decide(in); d.Verdict != w {
				t.Errorf("call %d: %+v, want %q", i, d, w)
			}
		}
	}
	verdicts(in, Deny)
	if err := Allow(p, "G", true); err != nil {
		t.Fatal(err)
	}
	verdicts(other, Deny)
	verdicts(in, Pass, Deny)
	if err := Allow(p, "G", false); err != nil {
		t.Fatal(err)
	}
	verdicts(in, Pass, Pass)
	verdicts(other, Deny)
	var acts []Act
	for _, tr := range in.Session.Traces() {
		acts = append(acts, tr.Act)
	}
	if want := []Act{ActBlocked, ActAllowed, ActBlocked, ActAllowed, ActAllowed}; !slices.Equal(acts, want) {
		t.Error(acts)
	}
}

func TestARedirectedFileGoesWithoutAVerdict(t *testing.T) {
	in := input(t, guardLesson("G", Guard{Redirect: "out"}))
	in.Tool, in.Paths, in.PathKey, in.Root = "Write", []string{"a/S.md"}, "file_path", "/repo"
	in.Args = json.RawMessage(`{"content": "a/S.md",  "file_path":"/repo/a/S.md","x":1.0}`)
	d := Decide(in)
	if want := `{"content": "a/S.md",  "file_path":"/repo/out/S.md","x":1.0}`; d.Verdict != Pass || string(d.Args) != want || !strings.Contains(d.Context, "goes to out/S.md") {
		t.Errorf("%+v\n%s", d, d.Args)
	}
	in.Can.ChangeInput = false
	if d := Decide(in); d.Verdict != Deny || d.Args != nil || !strings.Contains(d.Reason, "[lessons] Use out/S.md instead.") {
		t.Errorf("%+v", d)
	}
	in.Can.ChangeInput = true
	in.Args = json.RawMessage(`{"file_path":"a","file_path":"b"}`)
	if d := Decide(in); d.Verdict != Deny || d.Args != nil {
		t.Errorf("two paths: %+v", d)
	}
}

func FuzzReplaceText(f *testing.F) {
	f.Add([]byte(`{"a":"b","file_path":"c"}`))
	f.Add([]byte(`{"file_path":1}`))
	f.Add([]byte(`{"file_path":"\u0041" } x`))
	f.Fuzz(func(t *testing.T, object []byte) {
		out := replaceText(object, "file_path", "n\"ew")
		if out == nil {
			return
		}
		var before, after map[string]any
		if json.Unmarshal(object, &before) != nil {
			return // what follows the object is the agent's affair
		}
		if err := json.Unmarshal(out, &after); err != nil || after["file_path"] != "n\"ew" || len(after) != len(before) {
			t.Errorf("%s -> %s: %v", object, out, err)
		}
	})
}

// Whatever matches: the block is within its bounds, whole, and says truly what is
// in it; and nothing is told twice.
func TestDeliveryKeepsItsBounds(t *testing.T) {
	dir := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		s := OpenSession(Places{GitDir: dir}, fmt.Sprint(run), "")
		var found []Lesson
		text := rapid.StringMatching(`[a-zé→ ]{1,20}`)
		for i := range rapid.IntRange(0, 12).Draw(t, "lessons") {
			n := rapid.IntRange(1, 120).Draw(t, "long")
			found = append(found, Lesson{
				ID:       fmt.Sprint("id", i),
				Text:     fmt.Sprintf("<%d %s>", i, strings.Repeat(text.Draw(t, "text"), n)),
				Summary:  fmt.Sprintf("<%d>", i),
				Fix:      rapid.SampledFrom([]string{"", "do it"}).Draw(t, "fix"),
				Action:   rapid.SampledFrom([]string{"inform", "inform", "stop-once"}).Draw(t, "action"),
				Priority: rapid.IntRange(1, 10).Draw(t, "priority"), Confidence: i, Unreviewed: rapid.Bool().Draw(t, "unreviewed"),
			})
		}
		in := Input{At: AtCall, Tool: "Bash", Can: everything, Found: found, Session: s, Facts: &evidence{s: s}}
		in.Settings.BudgetBytes = rapid.IntRange(300, 5000).Draw(t, "budget")
		told := map[string]int{}
		for range 30 {
			d := Decide(in)
			said := d.Context + d.Reason
			if said == "" {
				break
			}
			if !strings.HasPrefix(said, mark) || strings.Contains(said, "<!--") || !utf8.ValidString(said) || len(said) > DefaultMaxBytes {
				t.Fatalf("%q", said)
			}
			plain, theirs := 0, 0
			hasCritical := false
			for _, id := range d.Injected {
				told[id+string(d.Verdict)]++
				i := slices.IndexFunc(found, func(l Lesson) bool { return l.ID == id })
				if found[i].Unreviewed {
					theirs++
				} else if theirs > 0 {
					t.Fatalf("%s comes after what nobody reviewed: %q", id, said)
				}
				if critical(found[i]) == 0 {
					plain++
				} else {
					hasCritical = true
				}
				if !strings.Contains(said, found[i].Text) && !strings.Contains(said, found[i].Summary) {
					t.Fatalf("%s was cut: %q", id, said)
				}
			}
			if theirs > 1 || theirs > 0 && (d.Verdict != Pass || !strings.Contains(said, provenance.Mark)) {
				t.Fatalf("%d that nobody reviewed: %q", theirs, said)
			}
			if plain > 3 || !hasCritical && len(said) > in.Settings.BudgetBytes {
				t.Fatalf("%d lessons, %d bytes of %d", plain, len(said), in.Settings.BudgetBytes)
			}
		}
		for id, n := range told {
			if n > 1 {
				t.Fatalf("%s was told %d times", id, n)
			}
		}
		for _, l := range found {
			if critical(l) == 1 && told[l.ID]+told[l.ID+"deny"] == 0 {
				t.Fatalf("critical %s was missed", l.ID)
			}
		}
	})
}

func TestASkillStandsForTheThirdLessonOfATool(t *testing.T) {
	ofSkill := func(id string, priority int) Lesson {
		l := aLesson(id, "inform", priority)
		l.Skill = "s/SKILL.md"
		return l
	}
	unreviewed := ofSkill("E", 1)
	unreviewed.Unreviewed = true
	const more = "All that is known of this tool is in s/SKILL.md"
	in := input(t, ofSkill("A", 8), ofSkill("B", 7), ofSkill("C", 6), aLesson("D", "inform", 5))
	d := Decide(in)
	if !slices.Equal(d.Injected, []string{"A", "B", "D"}) || strings.Count(d.Context, more) != 1 || !slices.Equal(d.Dropped, []string{"C"}) {
		t.Errorf("three of a skill: %+v", d)
	}
	if d = Decide(in); !slices.Equal(d.Injected, []string{"C"}) || strings.Contains(d.Context, more) {
		t.Errorf("the one that is left: %+v", d)
	}
	for name, found := range map[string][]Lesson{
		"two":         {ofSkill("A", 8), ofSkill("B", 7), aLesson("D", "inform", 5)},
		"critical":    {ofSkill("A", 9), ofSkill("B", 9), ofSkill("C", 9)},
		"untrusted":   {ofSkill("A", 8), ofSkill("B", 7), unreviewed},
		"no skill":    {aLesson("A", "inform", 8), aLesson("B", "inform", 7), aLesson("C", "inform", 6)},
		"two of each": {ofSkill("A", 8), aLesson("B", "inform", 7), ofSkill("C", 6)},
	} {
		if d := Decide(input(t, found...)); len(d.Injected) != 3 || strings.Contains(d.Context, more) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
