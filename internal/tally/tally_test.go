package tally

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// The mistake of these tests is "x --all": it met the problem p1:x, which the words
// "Use it" mend.
func lessonOf(id string) *lesson.Lesson {
	return &lesson.Lesson{
		ID: id, Kind: lesson.Warning, Source: "obs_1", Priority: 5, Confidence: 0.6, Body: "**Fix**: Use it\n",
		Triggers: lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"x --all"}},
	}
}

// session reads calls: "x --all !" failed with the problem, "!!" with another one, "!shell"
// because the shell refused the line, "+"
// worked, "+mend" mended the call before it, "+named" the same with a failure that names
// what is wrong, "+other" by another program, "stop" was stopped by the lesson l, and
// the other outcomes are the log's.
func session(name string, at int64, lines ...string) calls.Session {
	s := calls.Session{Name: name}
	for i, line := range lines {
		cut := strings.LastIndexByte(line, ' ')
		c := calls.Call{ID: fmt.Sprint(i), Line: i + 1, At: at*1000 + int64(i), Tool: "Bash", Input: line[:cut]}
		mend := calls.Mend{Call: fmt.Sprint(i - 1), How: calls.ByArguments, Fix: "Use it"}
		switch how := line[cut+1:]; how {
		case "!":
			c.Outcome, c.Failure = calls.Failed, &calls.Failure{Problem: "p1:x", Program: "x", Line: "no"}
		case "!!":
			c.Outcome, c.Failure = calls.Failed, &calls.Failure{Problem: "p1:y", Program: "x", Line: "another no"}
		case "!shell":
			c.Outcome, c.Failure = calls.Failed, &calls.Failure{Problem: "p1:x", Class: "shell-syntax", Line: "no matches found"}
		case "+":
			c.Outcome = calls.OK
		case "+mend", "+named", "+other":
			c.Outcome = calls.OK
			mend.Named = how == "+named"
			if how == "+other" {
				mend.How = calls.ByOther
			}
			c.Mends = []calls.Mend{mend}
		case "stop":
			c.Outcome, c.Fired = calls.Stopped, []string{"l"}
		default:
			c.Outcome = calls.Outcome(how)
		}
		s.Calls = append(s.Calls, c)
	}
	return s
}

func judged(c Claim, log ...calls.Session) Verdict {
	calls.Sort(log)
	return Judge([]Claim{c}, log, problem.Gather(log))[0]
}

// shape are sessions after which a lesson of this nature stops.
func shape() []calls.Session {
	return []calls.Session{session("a", 1, "x --all !", "x --some +mend"), session("b", 2, "x --all 2 !", "x --some +mend")}
}

func named() []calls.Session {
	return []calls.Session{session("a", 1, "x --all !", "x +named")}
}

func TestVerdicts(t *testing.T) {
	past := func(log []calls.Session, more ...calls.Session) []calls.Session { return append(log, more...) }
	for _, c := range []struct {
		name string
		log  []calls.Session
		want Standing
		says string
	}{
		{"nothing is known", nil, Untried, ""},
		{"named, from the first session", named(), Stops, "names what is wrong"},
		{"shape, one session", shape()[:1], Waits, "two sessions met it and the mend worked twice (now 1 and 1)"},
		{"shape, two sessions", shape(), Stops, "failed in 2 sessions, and the mend worked 2 times"},
		{"another way, twice", []calls.Session{session("a", 1, "x --all !", "y +other"), session("b", 2, "x --all !", "y +other")}, Waits, "(now 2 in 2)"},
		{"a line that the shell refuses", []calls.Session{session("a", 1, "x --all !shell", "y +other"), session("b", 2, "x --all !shell", "y +other"), session("c", 3, "x --all !shell", "y +other")}, Informs, "the shell refuses such a line by the files that are there"},
		{"another way, three times", []calls.Session{session("a", 1, "x --all !", "y +other", "x --all 3 !", "y 3 +other"), session("b", 2, "x --all !", "y +other")}, Stops, "another way worked 3 times in 2 sessions"},
		{"not mended", []calls.Session{session("a", 1, "x --all !"), session("b", 2, "x --all !")}, Informs, "unmended"},
		{"failed of other causes only", past(shape(), session("c", 3, "x --all 3 !!", "x --all 4 !!", "x --all 5 !!")), Stops, ""},
		{"one success", past(shape(), session("c", 3, "x --all 3 +")), Withdrawn, "1 call worked"},
		{"the very call that failed in both sessions works once", []calls.Session{
			session("a", 1, "x --all !", "x --some +mend"), session("b", 2, "x --all !", "x --some +mend"), session("c", 3, "x --all +"),
		}, Withdrawn, "1 call worked"},
		{"two successes", past(shape(), session("c", 3, "x --all 3 +", "x --all 4 +")), Withdrawn, "2 calls worked"},
		{"three successes", past(shape(), session("c", 3, "x --all 3 +", "x --all 4 +", "x --all 5 +")), Shadow, "3 calls worked"},
		{"named, one success", past(named(), session("c", 3, "x --all 3 +")), Stops, ""},
		{"named, two successes", past(named(), session("c", 3, "x --all 3 +", "x --all 4 +")), Withdrawn, ""},
		{"named, three successes", past(named(), session("c", 3, "x --all 3 +", "x --all 4 +", "x --all 5 +")), Shadow, ""},
		{"named, and a success before it", past(named(), session("0", 0, "x --all 3 +")), Withdrawn, ""},
		{"later failures change nothing", past(shape(), session("c", 3, "x --all 3 +"), session("d", 4, "x --all !", "x --some +mend"), session("e", 5, "x --all !", "x --some +mend")), Withdrawn, ""},
		{"masked, refused, interrupted, unknown", past(shape(), session("c", 3, "x --all masked", "x --all refused", "x --all interrupted", "x --all unknown")), Stops, ""},
		{"a stop that was repeated and worked", past(shape(), session("c", 3, "x --all stop", "x --all +")), Withdrawn, ""},
		{"a stop that was repeated and failed", past(shape(), session("c", 3, "x --all stop", "x --all !")), Stops, ""},
	} {
		v := judged(Claim{Lesson: lessonOf("l")}, c.log...)
		if v.Standing != c.want || !strings.Contains(v.Why, c.says) {
			t.Errorf("%s: %s", c.name, v.Account())
		}
	}
}

func TestAPersonsWordOutranksCounts(t *testing.T) {
	worked := session("c", 3, "x --all 3 +", "x --all 4 +", "x --all 5 +")
	if v := judged(Claim{Lesson: lessonOf("l"), Typed: true}, append(shape(), worked)...); v.Standing != Contradicted || v.Standing.State() != compile.Untried || len(v.Account().Against) != 3 {
		t.Errorf("a typed lesson: %s", v.Account())
	}
	if v := judged(Claim{Lesson: lessonOf("l"), Typed: true}, shape()...); v.Standing != Typed {
		t.Errorf("a typed lesson that nothing contradicts: %s", v.Account())
	}
	if v := judged(Claim{Lesson: lessonOf("l"), Vouched: true}, shape()[:1]...); v.Standing != Stops {
		t.Errorf("a promoted lesson stops from the first session: %s", v.Account())
	}
	if v := judged(Claim{Lesson: lessonOf("l"), Vouched: true}, append(shape(), session("c", 3, "x --all 3 +"))...); v.Standing != Withdrawn {
		t.Errorf("a promoted lesson is withdrawn as others are: %s", v.Account())
	}
}

func TestWhatCameOfStops(t *testing.T) {
	for _, c := range []struct {
		name                                        string
		calls                                       []string
		fired, heeded, repeatedFailed, repeatedDone int
	}{
		{"another call worked at once", []string{"x --all stop", "x +"}, 1, 1, 0, 0},
		{"the fifth call worked", []string{"x --all stop", "a !!", "b !!", "c !!", "d !!", "x +"}, 1, 1, 0, 0},
		{"the sixth call worked", []string{"x --all stop", "a !!", "b !!", "c !!", "d !!", "e !!", "x +"}, 1, 0, 0, 0},
		{"nothing followed", []string{"x --all stop"}, 1, 0, 0, 0},
		{"repeated, and it worked", []string{"x --all stop", "ls +", "x --all +"}, 1, 0, 0, 1},
		{"repeated in other words, and it worked", []string{"x --all stop", "x --all --quick +"}, 1, 0, 0, 1},
		{"repeated, and it failed", []string{"x --all stop", "x --all !", "x +"}, 1, 0, 1, 0},
		{"repeated behind a pipe", []string{"x --all stop", "x --all masked", "ls +"}, 1, 0, 0, 0},
	} {
		v := judged(Claim{Lesson: lessonOf("l")}, append(shape(), session("c", 3, c.calls...))...)
		if a := v.Account(); a.Fired != c.fired || a.Heeded != c.heeded || a.RepeatedFailed != c.repeatedFailed || a.RepeatedSucceeded != c.repeatedDone {
			t.Errorf("%s: %s", c.name, a)
		}
	}
	other := session("c", 3, "x --all stop", "x +")
	other.Calls[0].Fired = []string{"another"}
	if a := judged(Claim{Lesson: lessonOf("l")}, append(shape(), other)...).Account(); a.Fired != 0 || a.Heeded != 0 {
		t.Errorf("another lesson's stop is counted: %s", a)
	}
	beside := session("c", 3, "x --all stop", "ls +", "x --all !")
	beside.Calls[1].Agent = "sub" // works at something else meanwhile
	if a := judged(Claim{Lesson: lessonOf("l")}, append(shape(), beside)...).Account(); a.Heeded != 0 || a.RepeatedFailed != 1 {
		t.Errorf("another agent's call is counted: %s", a)
	}
}

func TestTwoHundredHeededStopsKeepALesson(t *testing.T) {
	log := shape()
	for i := range 200 {
		log = append(log, session(fmt.Sprintf("s%03d", i), int64(10+i), "x --all stop", "x --some +"))
	}
	v := judged(Claim{Lesson: lessonOf("l")}, log...)
	if v.Standing != Stops || v.Account().Heeded != 200 || v.Account().Sessions != 202 {
		t.Error(v.Account())
	}
}

func TestNarrowing(t *testing.T) {
	for _, c := range []struct {
		name   string
		calls  []string
		unless string
		want   Standing
	}{
		{"one word parts them", []string{"x --all --dry-run +", "x --dry-run --all 2 +"}, "--dry-run", Stops},
		{"a setting parts them", []string{"CI=1 x --all +"}, "CI=1", Stops},
		{"two words part them", []string{"x --all --dry-run +", "x --all --list +"}, "--dry-run --list", Stops},
		{"three words would be chance", []string{"x --all --dry-run +", "x --all --list +", "x --all --plan +"}, "--dry-run --list", Withdrawn},
		{"one call has no such word", []string{"x --all --dry-run +", "x --all 3 +"}, "--dry-run", Withdrawn},
		{"the word is one of calls that failed, too", []string{"x --all --verbose +"}, "", Withdrawn},
		{"a word of another program", []string{"x --all && ls --color +"}, "", Withdrawn},
	} {
		log := append(shape(), session("v", 2, "x --all --verbose !", "x --some +mend"), session("z", 3, c.calls...))
		v := judged(Claim{Lesson: lessonOf("l")}, log...)
		if got := strings.Join(v.Unless, " "); got != c.unless || v.Standing != c.want {
			t.Errorf("%s: %q, %s", c.name, got, v.Account())
		}
	}
}

// A file that comes from another clone carries what was seen there.
func TestOtherClonesCount(t *testing.T) {
	with := func(change func(*lesson.Lesson)) Claim {
		l := lessonOf("l")
		change(l)
		return Claim{Lesson: l}
	}
	there := func(l *lesson.Lesson) { l.Seen = lesson.Seen{Sessions: 1, Hashes: []string{"there"}} }
	for _, c := range []struct {
		name   string
		change func(*lesson.Lesson)
		log    []calls.Session
		want   Standing
	}{
		{"nothing is known there", func(*lesson.Lesson) {}, nil, Untried},
		{"named there", func(l *lesson.Lesson) { there(l); l.Nature = "named" }, nil, Stops},
		{"shape, met there once", func(l *lesson.Lesson) { there(l); l.Nature = "shape" }, nil, Waits},
		{"shape, met there twice", func(l *lesson.Lesson) { l.Seen.Sessions, l.Nature = 2, "shape" }, nil, Stops},
		{"met here and there", there, shape()[:1], Stops},
		{"the same session in both", func(l *lesson.Lesson) { l.Seen = lesson.Seen{Sessions: 1, Hashes: []string{"a"}} }, shape()[:1], Waits},
		{"it worked there", func(l *lesson.Lesson) { l.Seen.Against = []string{"there"} }, shape(), Withdrawn},
		{"it worked there in three sessions", func(l *lesson.Lesson) { l.Seen.Against = []string{"t1", "t2", "t3"} }, nil, Shadow},
		{"named, and it worked there once", func(l *lesson.Lesson) { l.Nature, l.Seen.Against = "named", []string{"there"} }, nil, Stops},
	} {
		if v := judged(with(c.change), c.log...); v.Standing != c.want {
			t.Errorf("%s: %s", c.name, v.Account())
		}
	}
}

// The verdict depends on what happened, and not on the order or the pieces in which
// scans find it.
func TestVerdictsDependOnNoOrder(t *testing.T) {
	lines := []string{"x --all !", "x --all !!", "x --some +mend", "x +named", "x --all +", "x --all --dry-run +", "x --all stop", "ls +", "x --all masked"}
	rapid.Check(t, func(t *rapid.T) {
		var log []calls.Session
		for i := range rapid.IntRange(0, 6).Draw(t, "sessions") {
			made := rapid.SliceOfN(rapid.SampledFrom(lines), 1, 6).Draw(t, "calls")
			log = append(log, session(fmt.Sprint("s", i), int64(rapid.IntRange(1, 4).Draw(t, "day")), made...))
		}
		claim := Claim{Lesson: lessonOf("l")}
		want := judged(claim, slices.Clone(log)...).Account().String()
		var found []calls.Session
		for _, s := range rapid.Permutation(log).Draw(t, "order") {
			cut := rapid.IntRange(0, len(s.Calls)).Draw(t, "cut")
			halves := rapid.Permutation([][]calls.Call{s.Calls[:cut], s.Calls[cut:]}).Draw(t, "halves")
			read, _ := calls.Parse(s.Name, calls.Unite(linesOf(halves[0]), linesOf(slices.Concat(halves[1], halves[0]))))
			found = append(found, read)
		}
		if got := judged(claim, found...).Account().String(); got != want {
			t.Fatalf("%s\nand in another order\n%s", want, got)
		}
	})
}

func linesOf(all []calls.Call) []byte {
	var lines []byte
	for i := range all {
		lines = calls.AppendLine(lines, &all[i])
	}
	return lines
}
