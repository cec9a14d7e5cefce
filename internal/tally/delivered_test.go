package tally

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/pattern"
)

// What came of a delivery is told by the next five calls of the agent that got it.
func TestWhatCameOfDeliveries(t *testing.T) {
	told := func(moment inject.Moment, call int) inject.Trace {
		return inject.Trace{Act: inject.ActTold, Lesson: "l", Session: "s", Moment: moment, Call: fmt.Sprint(call), Bytes: 10}
	}
	for _, c := range []struct {
		name     string
		delivery inject.Trace
		calls    []string
		want     Delivered
	}{
		{"stopped, and the better call worked", told(inject.AtCall, 0), []string{"x --all stop", "x --some +"}, Delivered{Followed: 1, Heeded: 1}},
		{"stopped, and repeated", told(inject.AtCall, 0), []string{"x --all stop", "x --all !"}, Delivered{Followed: 1, Repeated: 1}},
		{"told of a failure, and repeated", told(inject.AfterFailure, 0), []string{"x --all !", "x --all !"}, Delivered{Followed: 1, Repeated: 1}},
		{"told of a failure, and heeded", told(inject.AfterFailure, 0), []string{"x --all !", "x --some +"}, Delivered{Followed: 1, Heeded: 1}},
		{"told at a call that worked, and nothing followed", told(inject.AtCall, 0), []string{"x --all +"}, Delivered{Followed: 1}},
		{"the agent does not name its calls", inject.Trace{Act: inject.ActTold, Lesson: "l", Session: "s", Moment: inject.AtPrompt, At: 1001, Bytes: 10}, []string{"ls +", "x --all !"}, Delivered{Followed: 1, Repeated: 1}},
		{"the session is not in the log", inject.Trace{Act: inject.ActTold, Lesson: "l", Session: "another", Bytes: 10}, nil, Delivered{}},
	} {
		got := Follow([]*lesson.Lesson{lessonOf("l")}, []calls.Session{session("s", 1, c.calls...)}, []inject.Trace{c.delivery})[0]
		c.want.Told, c.want.Bytes, c.want.Mistakes = 1, 10, got.Mistakes
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A mistake is a call that failed from the first delivery of a session on; one that a
// stop prevented is none.
func TestMistakesOfTheHoldout(t *testing.T) {
	log := []calls.Session{
		session("told", 1, "x --all stop", "x --some +"), session("repeated", 2, "x --all stop", "x --all !"),
		session("withheld", 3, "x --all !", "x --all !"), session("before", 4, "x --all !", "ls +", "x --some +"),
	}
	var deliveries []inject.Trace
	for _, s := range []string{"told", "repeated", "withheld", "before"} {
		d := inject.Trace{Act: inject.ActTold, Lesson: "l", Session: s, Moment: inject.AtCall, Call: "0"}
		if s == "withheld" {
			d.Act = inject.ActWithheld
		}
		if s == "before" {
			d.Moment = inject.AfterFailure
		}
		deliveries = append(deliveries, d, d)
	}
	got := Follow([]*lesson.Lesson{lessonOf("l")}, log, deliveries)[0]
	if got.Mistakes != (pattern.Table{WithOK: 1, With: 1, WithoutOK: 1, Without: 3}) || got.Withheld != 2 || got.Told != 6 {
		t.Errorf("got %+v", got)
	}
}

// experiment is a history with a holdout: an agent that makes a mistake in a share of the
// sessions, less often where it was told.
func experiment(r *rand.Rand, without, told float64) Delivered {
	var lessons []*lesson.Lesson
	for i := range 5 {
		l := lessonOf(fmt.Sprint("l", i))
		l.Triggers.Commands = []string{fmt.Sprintf("x%d --all", i)}
		lessons = append(lessons, l)
	}
	var log []calls.Session
	var deliveries []inject.Trace
	for n := range 60 {
		s := calls.Session{Name: fmt.Sprint("s", n, r.Uint32())}
		for i, l := range lessons {
			d := inject.Trace{Act: inject.ActTold, Lesson: l.ID, Session: s.Name, Moment: inject.AtPrompt, At: int64(1000*n + 2*i + 1)}
			c := calls.Call{ID: fmt.Sprint(i), Tool: "Bash", Input: fmt.Sprintf("x%d --all", i), Outcome: calls.OK, At: d.At + 1, Line: i + 1}
			mistake := told
			if inject.Withheld(s.Name, l.ID, 30) {
				d.Act, mistake = inject.ActWithheld, without
			}
			if r.Float64() < mistake+0.1*float64(i-2) { // some are made more often than others
				c.Outcome = calls.Failed
			}
			s.Calls, deliveries = append(s.Calls, c), append(deliveries, d)
		}
		log = append(log, s)
	}
	var all Delivered
	for _, one := range Follow(lessons, log, deliveries) {
		all.Add(one)
	}
	return all
}

// The interval of the holdout's estimate holds the effect that was planted in at least 90
// of 100 histories, and nothing is found where none was.
func TestTheHoldoutFindsWhatLessonsPrevent(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, told := range []float64{0.3, 0.6} {
		covered, found := 0, 0
		for range 100 {
			_, low, high := experiment(r, 0.6, told).Mistakes.Difference()
			if planted := 0.6 - told; low <= planted && planted <= high {
				covered++
			}
			if low > 0 {
				found++
			}
		}
		t.Logf("planted %.1f: the interval holds it in %d of 100, an effect is found in %d", 0.6-told, covered, found)
		if covered < 90 || told == 0.6 && found > 5 {
			t.Errorf("planted %.1f: the interval holds it in %d of 100, an effect is found in %d", 0.6-told, covered, found)
		}
	}
}
