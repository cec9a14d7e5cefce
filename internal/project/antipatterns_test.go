package project

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/trace"
)

// The rows of the checklist of anti-patterns, each with what shows it and what does not.
func TestAntiPatternsChecklist(t *testing.T) {
	mend := func(worked ...int) []*problem.Problem {
		p := &problem.Problem{Tool: "Bash", Program: "make"}
		for _, n := range worked {
			p.Mends = append(p.Mends, problem.Mend{Worked: n})
		}
		return []*problem.Problem{p}
	}
	says := func(title string) []*lesson.Lesson { return []*lesson.Lesson{{Title: title, Path: ".lessons/a.md"}} }
	session := func(before int, edit bool) calls.Session {
		s := calls.Session{Calls: make([]calls.Call, before)}
		if edit {
			s.Calls = append(s.Calls, calls.Call{Tool: "Edit"})
		}
		return s
	}
	met := tally.Tally{Failed: []tally.Match{{Session: "s"}}}
	reports := func(all ...tally.Tally) Result {
		s, e := &store.Snapshot{Log: &observe.Log{}}, &Evidence{verdicts: map[string]tally.Verdict{}}
		var lessons []*lesson.Lesson
		for i, one := range all {
			o := &observe.Observation{ID: fmt.Sprint("obs_", i), Type: knowledge.Pitfall, Origin: observe.OriginSelfReport}
			s.Log.Put(o)
			l := &lesson.Lesson{ID: fmt.Sprint("L", i), Source: o.ID}
			e.verdicts[l.ID] = tally.Verdict{Tally: one}
			lessons = append(lessons, l)
		}
		return e.unvalidated(s, lessons)
	}
	busy, quick := session(50, true), session(5, true)
	for name, c := range map[string]struct {
		is Result
		ok bool
	}{
		"reflection without action: stored, never retrieved": {unasked(3, 0), false},
		"retrieved":      {unasked(3, 1), true},
		"nothing stored": {unasked(0, 0), true},
		"over-indexing recent failures: each time another way": {oscillation(mend(1, 1, 1, 1)), false},
		"one way helped twice":                                 {oscillation(mend(2, 1, 1)), true},
		"few failures":                                         {oscillation(mend(1, 1)), true},
		"generic reflection":                                   {generic(says("Reflect on performance"), nil), false},
		"be careful":                                           {generic(says("Be more careful with git"), nil), false},
		"a concrete one":                                       {generic(says("go test -timeout wants a unit"), nil), true},
		"a stored trace that says nothing":                     {generic(nil, []trace.Trace{{Event: trace.Event{Correct: "Pay more attention to the tests"}}}), false},
		"a stored trace that says what":                        {generic(nil, []trace.Trace{{Event: trace.Event{Correct: "Run make test first"}}}), true},
		"self-scoring: reports that no call bears out":         {reports(tally.Tally{}, tally.Tally{}, met), false},
		"half of the reports are borne out":                    {reports(tally.Tally{}, met), true},
		"no reports":                                           {reports(), true},
		"overthinking: planning, no action":                    {overthought([]calls.Session{busy, busy, session(60, false), quick}, 40), false},
		"one late session":                                     {overthought([]calls.Session{busy, quick, quick}, 40), true},
	} {
		if c.is.OK != c.ok || c.is.Text == "" || c.is.OK == (c.is.Next != "") {
			t.Errorf("%s: %+v", name, c.is)
		}
	}
}
