package inject

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The values are those of algorithms 2.3.
func TestEvidenceScoresWorkedExamples(t *testing.T) {
	file := Trigger{Paths: []string{"**/plugin.json"}}
	goFiles := Trigger{Paths: []string{"**/*.go"}}
	command := Trigger{Commands: []Spec{{Program: "gh", Sub: []string{"pr", "diff"}, Flags: []string{"--stat"}}}}
	fifth := Counts{Calls: 199_950, Matched: 39_987, OK: 39_987} // (39987 + 12.5) of 200000
	for _, c := range []struct {
		name              string
		priority          int
		trigger           Trigger
		counts            Counts
		keywords, context int
		worth, final      int
		eligible          bool
	}{
		{"critical, a file by name, one keyword", 9, file, Counts{}, 1, 0, 938, 1600, true},
		{"critical, a file by name", 9, file, Counts{}, 0, 0, 938, 1500, true},
		{"low, a file by name, one keyword", 1, file, Counts{}, 1, 0, 938, 600, false},
		{"medium, a file by name", 5, file, Counts{}, 0, 0, 938, 750, true},
		{"medium, program and sub-command", 5, Trigger{Commands: []Spec{{Program: "go", Sub: []string{"test"}}}}, Counts{}, 0, 0, 900, 720, true},
		{"medium, a program", 5, Trigger{Commands: []Spec{{Program: "go"}}}, Counts{}, 0, 0, 800, 640, false},
		{"high, a program", 7, Trigger{Commands: []Spec{{Program: "go"}}}, Counts{}, 0, 0, 800, 960, true},
		{"critical, an extension", 9, goFiles, Counts{}, 0, 0, 500, 800, true},
		{"critical, an extension that a fifth of calls has", 9, goFiles, fifth, 0, 0, 553, 884, true},
		{"high, an extension that a fifth of calls has", 7, goFiles, fifth, 0, 0, 553, 663, false},
		{"high, a command on 0.2 % of calls", 7, command, Counts{Calls: 100_000, Matched: 200, Failed: 2}, 0, 0, 956, 1147, true},
		{"medium, always matched and always failed", 5, goFiles, Counts{Calls: 200, Matched: 200, Failed: 200}, 0, 0, 969, 775, true},
		{"medium, a tool with all its words", 5, Trigger{Tools: []string{"Bash"}}, Counts{}, 2, 3, 368, 494, false},
	} {
		s := ScoreEvidence(&Lesson{Priority: c.priority, Trigger: c.trigger, Counts: c.counts}, c.keywords, c.context)
		if s.Worth != c.worth || s.Final != c.final || s.Eligible != c.eligible {
			t.Errorf("%s: %s; want worth %d, %d, %v", c.name, s.String(), c.worth, c.final, c.eligible)
		}
	}
	s := ScoreEvidence(&Lesson{Priority: 7, Trigger: command, Counts: Counts{Calls: 350, Matched: 5, Failed: 2, OK: 1}}, 1, 0)
	const want = "matched 5 of 350 calls, failed 2, ok 1; rate (5 + 50 × 1/256) / (350 + 50) = 0.012988; worth max(1 − √rate = 0.887, Wilson 10% bound of 3 in 7 = 0.225) = 0.887; " +
		"0.887 × 0.8 + keywords 0.500 × 0.1 + context 0.000 × 0.1 = 0.759; × 1.500 = 1.139, reaches 0.700"
	if s.String() != want {
		t.Errorf("got  %s\nwant %s", s.String(), want)
	}
}

func TestPriorIsThatOfTheNarrowestSlot(t *testing.T) {
	for want, trigger := range map[string]Trigger{
		"1/1":   {},
		"2/5":   {Tools: []string{"Edit"}},
		"1/4":   {Tools: []string{"Edit"}, Paths: []string{"a/b.go", "*.go"}},
		"1/25":  {Paths: []string{"checkout/**"}},
		"1/256": {Paths: []string{"**"}, Commands: []Spec{{Program: "go", Flags: []string{"-x"}}}},
		"1/100": {Commands: []Spec{{Program: "go", Flags: []string{"-x"}}, {Program: "go", Sub: []string{"vet"}}}},
	} {
		if got := PriorOf(&trigger).String(); got != want {
			t.Errorf("%+v: %s, want %s", trigger, got, want)
		}
	}
}

func TestWholeNumbersAgreeWithTheFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n") >> 1
		if r := uint64(root(n)); r*r > n || (r+1)*(r+1) <= n {
			t.Fatalf("root of %d is not %d", n, r)
		}
		total := rapid.IntRange(2, 2*maxCount).Draw(t, "t")
		k := rapid.IntRange(1, total-1).Draw(t, "k")
		const z2 = 1.642374
		a, b := float64(k), float64(total)
		want := 1000 * (a + z2/2 - math.Sqrt(z2*a*(b-a)/b+z2*z2/4)) / (b + z2)
		if got := lowerBound(k, total); math.Abs(float64(got)-want) > 1.01 {
			t.Fatalf("bound of %d in %d is %d, want %f", k, total, got, want)
		}
	})
}

func drawCounts(t *rapid.T) Counts {
	c := Counts{Failed: rapid.IntRange(0, 5000).Draw(t, "failed"), OK: rapid.IntRange(0, 5000).Draw(t, "ok")}
	c.Matched = c.Failed + c.OK + rapid.IntRange(0, 100).Draw(t, "unclear")
	c.Calls = c.Matched + rapid.IntRange(0, 100_000).Draw(t, "others")
	return c
}

func TestEvidenceGrowsWithFailuresAndShrinksWithBreadth(t *testing.T) {
	triggers := []Trigger{{Paths: []string{"*.go"}}, {Paths: []string{"go.mod"}}, {Commands: []Spec{{Program: "go"}}}, {Tools: []string{"Bash"}}}
	rapid.Check(t, func(t *rapid.T) {
		l := Lesson{Priority: rapid.IntRange(1, 10).Draw(t, "priority"), Trigger: rapid.SampledFrom(triggers).Draw(t, "trigger"), Counts: drawCounts(t)}
		words := rapid.IntRange(0, 3).Draw(t, "words")
		before := ScoreEvidence(&l, words, 0)
		if more := ScoreEvidence(&l, words+1, 0); more.exact < before.exact {
			t.Fatalf("a further word lowers\n%s\n%s", &before, &more)
		}

		failing := l
		if failing.Counts.OK > 0 { // one of the calls failed instead
			failing.Counts.OK--
			failing.Counts.Failed++
		}
		if after := ScoreEvidence(&failing, words, 0); after.exact < before.exact {
			t.Fatalf("a failure lowers\n%s\n%s", &before, &after)
		}
		unclear := l // one that nobody could judge turns out to have failed
		unclear.Counts.Matched++
		judged := unclear
		judged.Counts.Failed++
		if a, b := ScoreEvidence(&unclear, words, 0), ScoreEvidence(&judged, words, 0); b.exact < a.exact {
			t.Fatalf("a judged failure lowers\n%s\n%s", &a, &b)
		}

		broader := l
		broader.Counts.Matched, broader.Counts.OK = l.Counts.Matched+1, l.Counts.OK+1
		broader.Counts.Calls++
		if after := ScoreEvidence(&broader, words, 0); after.exact > before.exact {
			t.Fatalf("a needless match raises\n%s\n%s", &before, &after)
		}
	})
}

// A trigger that fires on more than 1.6 % (medium) or 17.4 % (high) of calls and
// never met its mistake drops out, whatever its prior was.
func TestBroadTriggersDropOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := rapid.IntRange(20_000, maxCount).Draw(t, "calls")
		for priority, share := range map[int]float64{3: 0.016, 5: 0.017, 7: 0.18, 9: 0.33} {
			matches := int(math.Ceil(float64(calls) * share * 1.01))
			l := Lesson{Priority: priority, Trigger: Trigger{Paths: []string{"go.mod"}}, Counts: Counts{Calls: calls, Matched: matches, OK: matches}}
			if s := ScoreEvidence(&l, 0, 0); s.Eligible {
				t.Fatalf("priority %d: %s", priority, &s)
			}
		}
	})
}

func TestEvidenceChoosesAndRanks(t *testing.T) {
	paths := Trigger{Paths: []string{"*.go"}}
	often := Counts{Calls: 1000, Matched: 400, OK: 400}
	lessons := []Lesson{
		{ID: "broad", Priority: 5, Trigger: paths, Counts: often},
		{ID: "guard", Priority: 5, Trigger: paths, Counts: often, Extra: "{}", Text: "longer"},
		{ID: "critical", Priority: 9, Trigger: paths, Counts: often},
		{ID: "rare", Priority: 5, Trigger: Trigger{Paths: []string{"a.go"}}},
		{ID: "failing", Priority: 5, Trigger: paths, Counts: Counts{Calls: 1000, Matched: 400, Failed: 400}},
		{ID: "elsewhere", Priority: 9, Trigger: Trigger{Paths: []string{"b.go"}}},
	}
	x, err := Open(Encode(lessons, Header{Settings: Settings{Scoring: ScoringEvidence}}))
	if err != nil {
		t.Fatal(err)
	}
	call := Call{Tool: "Edit", Paths: []string{"a.go"}}
	got := ""
	for _, m := range x.Match(call, Options{}) {
		got += m.Lesson.ID + " "
	}
	if got != "failing rare critical guard " {
		t.Errorf("told %s", got)
	}
	if n := len(x.Triggered(call, Options{})); n != 5 {
		t.Errorf("%d triggers matched, want 5", n)
	}
	for _, m := range x.Explain(call, Options{}) {
		if want := strings.Contains(got, m.Lesson.ID); m.OK != want || (m.Arithmetic() == "") != (m.Lesson.ID == "elsewhere") {
			t.Errorf("%s: %v, %s; %s", m.Lesson.ID, m.OK, why(m), m.Arithmetic())
		}
		if m.Lesson.ID == "broad" && why(m) != "evidence did not match: 0.299 is below 0.700" {
			t.Error(why(m))
		}
	}
}

func TestTallyCountsCallsAndNothingElse(t *testing.T) {
	git := t.TempDir()
	l := Lesson{ID: "../01A", Trigger: Trigger{Paths: []string{"*.go"}}}
	late := Lesson{ID: "01B"}
	tally := OpenTally(git)
	if err := tally.Count([]Lesson{l}, OK); err == nil {
		t.Error("counted where lessons keeps nothing")
	}
	if err := os.Mkdir(filepath.Join(git, "lessons"), 0o700); err != nil {
		t.Fatal(err)
	}
	count := func(outcome Outcome, lessons ...Lesson) {
		if err := tally.Count(lessons, outcome); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(lessons ...Lesson) {
		if err := tally.Begin(lessons); err != nil {
			t.Fatal(err)
		}
	}
	begin(l)
	count(Failed, l)
	count(OK, l)
	count(Unclear, l)
	count(OK)
	begin(l, late)
	count(OK, l, late)
	if got, want := tally.Of(&l), (Counts{Calls: 5, Matched: 4, Failed: 1, OK: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := tally.Of(&late), (Counts{Calls: 1, Matched: 1, OK: 1}); got != want {
		t.Errorf("what came before a lesson counts against it: %+v, want %+v", got, want)
	}
	changed := l
	changed.Trigger.Paths = []string{"*.rs"}
	if got := tally.Of(&changed); got != (Counts{}) {
		t.Errorf("another trigger has the counts of the old one: %+v", got)
	}
	files, err := filepath.Glob(filepath.Join(git, "lessons", "evidence", "*"))
	if err != nil || len(files) != 7 {
		t.Errorf("%v %v", files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if text := strings.Trim(string(data), ".\x00"); err != nil || text != "" {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
}

func TestTallyFollowsNoLink(t *testing.T) {
	git, other := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(git, "lessons"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(git, "lessons", "evidence")); err != nil {
		t.Skip(err)
	}
	tally := OpenTally(git)
	l := Lesson{ID: "01A"}
	if tally.Count([]Lesson{l}, OK) == nil || tally.Begin([]Lesson{l}) == nil || tally.Of(&l) != (Counts{}) {
		t.Error("the link was followed")
	}
	if entries, err := os.ReadDir(other); err != nil || len(entries) > 0 {
		t.Error(fmt.Sprint(entries, err))
	}
}

// why is the first reason that speaks against a match, else all of them.
func why(m Match) string {
	var all []string
	for _, r := range m.Reasons {
		if !r.OK {
			return r.String()
		}
		all = append(all, r.String())
	}
	return strings.Join(all, "; ")
}
