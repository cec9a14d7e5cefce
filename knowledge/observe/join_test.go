package observe

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// observationOf is what one session alone contributes.
func observationOf(s Signal) *Observation { return observed(s).Observation }

func text(s string) redact.Text {
	var r redact.Redactor
	return r.Text(s)
}

// signal is a pitfall as the n-th session reports it.
func signal(n int) Signal {
	return Signal{
		Type: knowledge.Pitfall, Origin: OriginErrorFix, Session: knowledge.SessionHash(fmt.Sprint("session", n)), At: kit.Day(n),
		Title: text("gh pr diff has no --stat"), Mistake: text("gh pr diff --stat"), Fix: text("use `gh pr diff --name-only`"),
		Evidence:  []redact.Text{text(fmt.Sprintf("unknown flag: --stat (%d)", n))},
		Trigger:   &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff --stat"}},
		Marks:     []Mark{MarkErrorFix, MarkFixConfirmed},
		QualityOK: true,
	}
}

func TestAddCountsSessionsAndPromotes(t *testing.T) {
	var l Log
	first := l.Add(signal(1), DefaultThresholds())
	if first.Observations != 1 || first.Confidence != 0.50 || first.Status != Observing {
		t.Errorf("after one session: %+v", first)
	}
	l.Add(signal(1), DefaultThresholds())
	if o := l.Get(first.ID); o.Observations != 1 {
		t.Errorf("the same session counts %d times", o.Observations)
	}
	second := l.Add(signal(2), DefaultThresholds())
	if second.Observations != 2 || second.Confidence != 0.95 || second.Status != Ready {
		t.Errorf("after two sessions: %+v", second)
	}
	if l.Get(first.ID) == nil || len(l.Observations()) != 1 {
		t.Errorf("the first id %s is not found in %s", first.ID, l.Bytes())
	}
	if second.ID != first.ID {
		t.Errorf("id %s became %s", first.ID, second.ID)
	}
}

func TestAddFindsDuplicates(t *testing.T) {
	base := signal(1)
	for _, c := range []struct {
		name   string
		change func(*Signal)
		same   bool
	}{
		{"same trigger and fix, other title", func(s *Signal) { s.Title = text("No stat flag") }, true},
		{"fix in other words", func(s *Signal) { s.Title, s.Fix = text("x"), text("Run gh pr diff --name-only.") }, true},
		{"same title, other punctuation and fix", func(s *Signal) { s.Title, s.Fix = text("`gh pr diff` has no --stat!"), text("y") }, true},
		{"other title and fix", func(s *Signal) { s.Title, s.Fix = text("x"), text("y") }, false},
		{"other type", func(s *Signal) { s.Type = knowledge.Decision }, false},
		{"other flag case in the fix", func(s *Signal) { s.Title, s.Fix = text("x"), text("gh pr diff --Name-only") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l Log
			l.Add(base, DefaultThresholds())
			other := signal(2)
			c.change(&other)
			l.Add(other, DefaultThresholds())
			if got := len(l.Observations()) == 1; got != c.same {
				t.Errorf("joined: %v, want %v\n%s", got, c.same, l.Bytes())
			}
		})
	}
}

func TestAddKeepsAFixedID(t *testing.T) {
	for _, fix := range []func(*Observation){
		func(o *Observation) { o.Status = Created },
		func(o *Observation) { o.ArtifactPath = ".lessons/x.md" },
		func(o *Observation) { o.ID = "obs_a1b2c3" },
		func(o *Observation) { o.ID = "manual_7" },
	} {
		var l Log
		o := l.Add(signal(1), DefaultThresholds())
		l.Remove(o.ID)
		fix(o)
		l.Put(o)
		for n := range 20 {
			if got := l.Add(signal(n), DefaultThresholds()); got.ID != o.ID {
				t.Fatalf("id %s became %s", o.ID, got.ID)
			}
		}
		member := observationOf(signal(19)).ID
		if got := l.Get(member); got == nil || got.ID != o.ID {
			t.Errorf("member id %s is no alias of %s", member, o.ID)
		}
	}
}

func TestImportedCountIsABase(t *testing.T) {
	l, _ := ParseLog("log", []byte(earlierToolLine+"\n"))
	s := Signal{Type: knowledge.Workflow, Session: "s1", At: kit.Day(60), Title: text("squash & MERGE")}
	for range 3 {
		if o := l.Add(s, DefaultThresholds()); o.ID != "obs_a1b2c3" || o.Observations != 3 {
			t.Fatalf("got %s with %d, want obs_a1b2c3 with 3", o.ID, o.Observations)
		}
	}
	if !bytes.Contains(l.Bytes(), []byte(`"x_tool":{"b":1, "a":[2,3]}`)) {
		t.Errorf("the unknown field changed: %s", l.Bytes())
	}
}

func TestEvidenceIsTenQuotesAtMost(t *testing.T) {
	var l Log
	for n := range 30 {
		l.Add(signal(n), DefaultThresholds())
	}
	o := l.Observations()[0]
	if len(o.Evidence) != 10 || o.Observations != 30 || len(o.Sessions) != 30 {
		t.Errorf("%d quotes, %d observations, %d sessions", len(o.Evidence), o.Observations, len(o.Sessions))
	}
}

func TestDeprecatedStaysDeprecated(t *testing.T) {
	var l Log
	o := l.Add(signal(1), DefaultThresholds())
	Deprecate(o, kit.Day(1))
	l.Put(o)
	for n := range 5 {
		o = l.Add(signal(n), DefaultThresholds())
	}
	if o.Status != Deprecated || o.Confidence != 0.95 {
		t.Errorf("status %s, confidence %v: want deprecated, without a penalty", o.Status, o.Confidence)
	}
}

// someSignal draws from few titles, triggers and sessions, so that clusters,
// bridges between clusters and repetitions are frequent.
func someSignal(t *rapid.T) Signal {
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	s := Signal{
		Type:    rapid.SampledFrom([]knowledge.Type{knowledge.Pitfall, knowledge.Decision}).Draw(t, "type"),
		Origin:  rapid.SampledFrom([]Origin{OriginErrorFix, OriginSelfReport, OriginManual, OriginBlock, OriginHang}).Draw(t, "origin"),
		Session: pick("session", "", "s1", "s2", "s3", "s4"),
		At:      kit.Day(rapid.IntRange(0, 9).Draw(t, "day")),
		Title: text(pick("title", "A title", "a title.", "another", "third", "", "a sentence of the person that has 88 words in it",
			"A sentence of the person that has 104 words in it", "a sentence of the person that has 104 letters in it")),
		Details:   text(pick("details", "", "area: x", "area: y; issue: z")),
		Mistake:   text(pick("mistake", "", "m1", "m2")),
		Fix:       text(pick("fix", "", "f1", "`F1`", "f2")),
		QualityOK: rapid.Bool().Draw(t, "quality"),
		Projects:  rapid.IntRange(0, 3).Draw(t, "projects"),
		Level:     rapid.SampledFrom([]lesson.Level{"", lesson.Low, lesson.Critical}).Draw(t, "level"),
	}
	if !s.QualityOK {
		s.Unfit = pick("unfit", "", "it is too short", "no fix is known")
	}
	for _, quote := range rapid.SliceOfN(rapid.IntRange(0, 30), 0, 4).Draw(t, "evidence") {
		s.Evidence = append(s.Evidence, text(fmt.Sprint("quote ", quote)))
	}
	if command := pick("command", "", "go test", "git push"); command != "" {
		s.Trigger = &lesson.Trigger{Commands: []string{command}, Unless: []string{pick("unless", "-a", "-b")}}
	}
	for _, line := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3).Draw(t, "match") {
		s.Examples.Match = append(s.Examples.Match, fmt.Sprint("git push ", line))
	}
	for _, line := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3).Draw(t, "miss") {
		s.Examples.Miss = append(s.Examples.Miss, fmt.Sprint("git push -a ", line))
	}
	if text := pick("failure", "", "unknown flag: --stat", "one two three four five six seven eight nine ten eleven twelve",
		"one two three four five six seven eight nine ten eleven zwölf", "one two three four five six seven eight nine ten elf zwölf",
		"No module named 'a'", "No module named 'b'", "open /a/b/c.go: no such file", "open /d/c.go: no such file"); text != "" {
		s.Failure = &fingerprint.Failure{Tool: "shell", Command: pick("program", "go test", "git"), Class: pick("class", "usage", "other"), Text: text}
	}
	s.TakenBack = s.Session != "" && s.Origin == OriginSelfReport && rapid.IntRange(0, 2).Draw(t, "takenBack") == 0
	s.Tags = rapid.SliceOfN(rapid.SampledFrom([]string{"lang:go", "tool:git"}), 0, 2).Draw(t, "tags")
	s.Marks = rapid.SliceOfN(rapid.SampledFrom([]Mark{MarkHang, MarkCausal, MarkErrorFix, MarkApart}), 0, 2).Draw(t, "marks")
	return s
}

func logOf(signals []Signal) *Log {
	l := &Log{}
	for _, s := range signals {
		l.Add(s, DefaultThresholds())
	}
	return l
}

func TestAnyOrderRepetitionAndSplitGivesTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signals := rapid.SliceOfN(rapid.Custom(someSignal), 1, 9).Draw(t, "signals")
		want := string(logOf(signals).Bytes())

		shuffled := rapid.Permutation(signals).Draw(t, "order")
		repeated := append(slices.Clone(shuffled), rapid.SliceOf(rapid.SampledFrom(signals)).Draw(t, "repeated")...)
		if got := string(logOf(repeated).Bytes()); got != want {
			t.Fatalf("order or repetition matters:\n%s", cmp.Diff(want, got))
		}

		cut := rapid.IntRange(0, len(shuffled)).Draw(t, "cut")
		left, right := logOf(shuffled[:cut]), logOf(shuffled[cut:])
		both := reread(left)
		both.Join(reread(right))
		both.Settle(DefaultThresholds())
		if got := string(both.Bytes()); got != want {
			t.Fatalf("a split matters:\n%s", cmp.Diff(want, got))
		}
		if got := string(merged(right, left)); got != want {
			t.Fatalf("the merge of a split differs:\n%s", cmp.Diff(want, got))
		}

		// Scans in several runs, each from the file of the one before.
		l := &Log{}
		for _, s := range shuffled {
			l.Add(s, DefaultThresholds())
			l = reread(l)
		}
		if got := string(l.Bytes()); got != want {
			t.Fatalf("runs matter:\n%s", cmp.Diff(want, got))
		}
	})
}

// merged is what a merge of two logs without a base writes.
func merged(a, b *Log) []byte {
	return mergeLogFiles(nil, a.Bytes(), b.Bytes(), DefaultThresholds())
}

func reread(l *Log) *Log { return logOfText(l.Bytes()) }

func logOfText(text []byte) *Log {
	again, problems := ParseLog("log", text)
	if len(problems) > 0 {
		panic(fmt.Sprint("a log we wrote has problems: ", problems))
	}
	return again
}

func TestJoinIsASemilattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var logs []*Log
		for i := range 3 {
			l := logOf(rapid.SliceOfN(rapid.Custom(someSignal), 0, 5).Draw(t, fmt.Sprint("signals", i)))
			for _, o := range l.Observations() {
				if rapid.IntRange(0, 3).Draw(t, "rendered") == 0 {
					o.Status, o.ArtifactPath = Created, ".lessons/"+o.ID+".md"
					o.Against = []string{rapid.SampledFrom([]string{"s1", "s9"}).Draw(t, "against")}
					l.Put(o)
				}
				if title := rapid.SampledFrom([]string{"", "", "one", "other"}).Draw(t, "phrased"); title != "" {
					o.AddPhrasing(Phrasing{Of: PhrasingKey(o), Title: title, QualityOK: title == "one" || rapid.Bool().Draw(t, "good")})
					l.Put(o)
				}
			}
			logs = append(logs, l)
		}
		merge := func(a, b *Log) *Log { return logOfText(merged(a, b)) }
		a, b, c := logs[0], logs[1], logs[2]
		if x, y := merge(a, b).Bytes(), merge(b, a).Bytes(); !bytes.Equal(x, y) {
			t.Fatalf("not commutative:\n%s", cmp.Diff(string(x), string(y)))
		}
		if x, y := merge(merge(a, b), c).Bytes(), merge(a, merge(b, c)).Bytes(); !bytes.Equal(x, y) {
			t.Fatalf("not associative:\n%s", cmp.Diff(string(x), string(y)))
		}
		if x, y := merge(a, b).Bytes(), merge(merge(a, b), a).Bytes(); !bytes.Equal(x, y) {
			t.Fatalf("not idempotent:\n%s", cmp.Diff(string(x), string(y)))
		}
	})
}

// What a line remembers of its observation is what the observation says.
func TestLinesRememberWhatTheyHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Log
		for _, s := range rapid.SliceOfN(rapid.Custom(someSignal), 1, 8).Draw(t, "signals") {
			l.Add(s, DefaultThresholds())
		}
		for _, line := range l.lines {
			got, want := line.member(), memberOf(line.o())
			if !slices.Equal(got.own, want.own) || !slices.Equal(got.keys, want.keys) {
				t.Errorf("remembered %+v, want %+v", got, want)
			}
			for name := range want.names {
				if !slices.Contains(l.named(name), line) {
					t.Errorf("%s is not found by %q", line.id(), name)
				}
			}
			for _, shape := range want.Shapes {
				other := strings.Replace(shape, foundScope, toldScope, 1)
				if !slices.Contains(l.meets(other), met{line, shape}) {
					t.Errorf("%s does not meet %q", line.id(), other)
				}
			}
		}
	})
}

func TestMergeLogsKeepsUnknownFieldsAndBadLinesOfBothSides(t *testing.T) {
	a, _ := ParseLog("a", []byte(`{"id":"obs_1","type":"pitfall","pattern":"p","zz":1,"both":"x"}`+"\nbad a\n"))
	b, _ := ParseLog("b", []byte("bad b\nbad a\n"+`{"yy":2,"both":"y","id":"obs_1","type":"pitfall","pattern":"p"}`+"\n"))
	got := string(merged(a, b))
	if other := string(merged(b, a)); other != got {
		t.Errorf("the sides matter:\n%s", cmp.Diff(got, other))
	}
	for _, want := range []string{`"zz":1`, `"yy":2`, `"both":"y"`, "\nbad a\nbad b\n"} {
		if !bytes.Contains([]byte(got), []byte(want)) {
			t.Errorf("%q is lost in\n%s", want, got)
		}
	}
}

// Many observations joined at once lie where each would lie that came alone.
func TestManyAreJoinedAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var some, more Log
		for range rapid.IntRange(0, 12).Draw(t, "some") {
			some.Add(someSignal(t), DefaultThresholds())
		}
		for range rapid.IntRange(0, 12).Draw(t, "more") {
			more.Add(someSignal(t), DefaultThresholds())
		}
		atOnce, _ := ParseLog("", some.Bytes())
		oneByOne, looked := atOnce.Clone(), atOnce.Clone()
		if looked.seek(&more); rapid.Bool().Draw(t, "sought") {
			atOnce = looked
		}
		atOnce.Join(&more)
		for _, line := range more.lines {
			oneByOne.join(&logLine{obs: line.copy(), unknown: line.unknown, place: line.place})
		}
		if !bytes.Equal(atOnce.Bytes(), oneByOne.Bytes()) {
			t.Fatalf("at once\n%s\none by one\n%s", atOnce.Bytes(), oneByOne.Bytes())
		}
	})
}

// A log of 200,000 observations is joined with a small one whenever both places hold one:
// what is kept in mind meanwhile is as much as the small one can meet.
func TestASmallLogIsSoughtByItself(t *testing.T) {
	line := func(i int) string {
		return fmt.Sprintf(`{"id":"obs_%d","type":"pitfall","pattern":"p%d","observations":1,"status":"observing","shapes":["a%d b%d c%d d%d e%d"]}`+"\n", i, i, i, i, i, i, i)
	}
	var lines strings.Builder
	for i := range 100 {
		lines.WriteString(line(i))
	}
	large, _ := ParseLog("large", []byte(lines.String()))
	small, _ := ParseLog("small", []byte(line(7)+line(1000)))
	done := large.seek(small)
	large.keyed("a key")
	large.meets("a shape")
	large.Join(small)
	if len(large.keys) > 4 || len(large.near.shapes) > 10 {
		t.Errorf("%d keys and %d shapes are kept", len(large.keys), len(large.near.shapes))
	}
	done()
	if n := len(large.Observations()); n != 101 || large.keys != nil || large.near != nil {
		t.Errorf("%d observations, want 101; %d keys are left", n, len(large.keys))
	}
}

// A log that looks only for what it expects learns the same.
func TestWhatIsExpectedIsLearnedAlike(t *testing.T) {
	var others strings.Builder
	for i := range 100 {
		fmt.Fprintf(&others, `{"id":"obs_%d","type":"pitfall","pattern":"p%d","observations":1,"status":"observing","shapes":["a%d b%d c%d d%d e%d"]}`+"\n", i, i, i, i, i, i, i)
	}
	rapid.Check(t, func(t *rapid.T) {
		var known Log
		for _, s := range rapid.SliceOfN(rapid.Custom(someSignal), 0, 8).Draw(t, "known") {
			known.Add(s, DefaultThresholds())
		}
		text := append(known.Bytes(), others.String()...)
		signals := rapid.SliceOfN(rapid.Custom(someSignal), 1, 8).Draw(t, "signals")
		learned := func(expect bool) string {
			l, _ := ParseLog("log", text)
			if expect {
				done := l.Expect(signals)
				if l.sought == nil {
					t.Fatal("it looks for everything")
				}
				defer done()
			}
			for _, s := range signals {
				l.Learn(s, DefaultThresholds())
			}
			return string(l.Bytes())
		}
		if got, want := learned(true), learned(false); got != want {
			t.Fatalf("-without +with\n%s", cmp.Diff(want, got))
		}
	})
}

func TestWalkingALogThatChanges(t *testing.T) {
	l, _ := ParseLog("a", []byte(`{"id":"obs_1","type":"pitfall","pattern":"p"}`+"\n"+`{"id":"obs_2","type":"pitfall","pattern":"q"}`+"\n"+`{"id":"obs_3","type":"pitfall","pattern":"r"}`+"\n"))
	walked := 0
	for o := range l.All() {
		l.Remove(o.ID)
		walked++
	}
	if left := l.Observations(); walked != 3 || len(left) != 0 {
		t.Errorf("%d walked, %d left", walked, len(left))
	}
}
