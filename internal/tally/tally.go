// Package tally holds triggers against the history of calls: what failed, what worked,
// and what may therefore be stopped. Everything is derived of the call log when it is read.
package tally

import (
	"fmt"
	"path"
	"slices"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Tally is what the calls say that a trigger matches, in the order of the log. Calls
// that were masked, refused or interrupted say nothing.
type Tally struct {
	Failed    []Match // with the problem that the lesson is about
	Otherwise []Match // with another one
	OK        []Match
	Heeded    []Match // stops after which another call worked: failures avoided
	Fired     int     // stops
	// Stops after which such a call was made all the same; it counts above by itself.
	RepeatedFailed, RepeatedOK int
}

// Match is one call that a trigger matches.
type Match struct {
	Session string
	Call    *calls.Call
}

// Empty says whether history knows no such call.
func (t Tally) Empty() bool {
	return len(t.Failed)+len(t.Otherwise)+len(t.OK)+len(t.Heeded) == 0
}

// root stands for the work tree: the log's paths are relative to it.
const root = "/repository"

// Of holds the triggers of lessons against a log, as the hooks do. The log is in the
// order in which the sessions began. A trigger that asks for what the log does not keep,
// as the content of an edit, has an empty tally.
func Of(lessons []*lesson.Lesson, log []calls.Session) []Tally {
	all := make([]Tally, len(lessons))
	if len(lessons) == 0 || len(log) == 0 {
		return all
	}
	index, err := newTriggers(lessons)
	if err != nil {
		return all // nothing can be matched: the compiler reports why
	}
	for i := range log {
		for at, matched := range index.hits(&log[i]) {
			all[at].take(&log[i], matched, lessons[at].ID)
		}
	}
	return all
}

// take counts the calls of a session that the trigger of the lesson id matches.
func (t *Tally) take(s *calls.Session, matched []int, id string) {
	for _, at := range matched {
		c := &s.Calls[at]
		switch c.Outcome {
		case calls.Failed:
			t.Failed = append(t.Failed, Match{s.Name, c})
		case calls.OK:
			t.OK = append(t.OK, Match{s.Name, c})
		case calls.Stopped:
			if len(c.Fired) == 0 || slices.Contains(c.Fired, id) {
				t.stop(s, at, matched)
			}
		}
	}
}

// heedWithin is how many calls after a stop are looked at for what became of it.
const heedWithin = 5

// end is what came of a stop or a delivery.
type end string

const (
	nothing        end = ""
	heeded         end = "heeded"          // another call worked
	repeatedFailed end = "repeated failed" // such a call was made all the same, and failed
	repeatedOK     end = "repeated ok"     // likewise, and it worked
)

// after says what an agent did next. A call that the trigger matches too repeats the
// mistake; else one that worked was the better way.
func after(s *calls.Session, at int, agent string, matched []int) end {
	worked, looked := nothing, 0
	for i := at + 1; i < len(s.Calls) && looked < heedWithin; i++ {
		next := &s.Calls[i]
		if next.Agent != agent {
			continue
		}
		looked++
		switch again := slices.Contains(matched, i); {
		case again && next.Outcome == calls.Failed:
			return repeatedFailed
		case again && next.Outcome == calls.OK:
			return repeatedOK
		case again:
			return nothing
		case next.Outcome == calls.OK:
			worked = heeded
		}
	}
	return worked
}

// stop counts a stop by what the same agent did next.
func (t *Tally) stop(s *calls.Session, at int, matched []int) {
	t.Fired++
	switch after(s, at, s.Calls[at].Agent, matched) {
	case heeded:
		t.Heeded = append(t.Heeded, Match{s.Name, &s.Calls[at]})
	case repeatedFailed:
		t.RepeatedFailed++
	case repeatedOK:
		t.RepeatedOK++
	}
}

// triggers are those of lessons, as hooks have them, and the places of the lessons.
type triggers struct {
	index   *inject.Index
	lessons []inject.Lesson // by rank in the index
	places  []int           // likewise
}

// newTriggers compiles the triggers.
func newTriggers(lessons []*lesson.Lesson) (*triggers, error) {
	t := &triggers{lessons: make([]inject.Lesson, 0, len(lessons))}
	for i, l := range lessons {
		if len(l.Triggers.Content) > 0 {
			continue
		}
		trigger, _ := compile.Trigger(&l.Triggers)
		t.lessons = append(t.lessons, inject.Lesson{ID: fmt.Sprintf("%09d", i), Trigger: trigger}) // ranked by id
		t.places = append(t.places, i)
	}
	index, err := inject.Open(inject.Encode(t.lessons, inject.Header{}))
	t.index = index
	return t, err
}

// hits are the calls of a session that triggers match, by the lesson's place.
func (t *triggers) hits(s *calls.Session) map[int][]int {
	hits := map[int][]int{}
	for j := range s.Calls {
		for _, at := range t.on(&s.Calls[j]) {
			hits[at] = append(hits[at], j)
		}
	}
	return hits
}

// on returns the places of the lessons whose triggers match a call.
func (t *triggers) on(c *calls.Call) []int {
	call := inject.Hold(callOf(c))
	var places []int
	for _, rank := range t.index.Candidates(call) {
		if t.lessons[rank].Trigger.FiresOn(call) {
			places = append(places, t.places[rank])
		}
	}
	return places
}

// callOf is a logged call as the hooks see it.
func callOf(c *calls.Call) inject.Call {
	call := inject.Call{Tool: c.Tool, Root: root, Dir: path.Join(root, c.Dir)}
	switch {
	case c.Tool == "Bash" || c.Tool == "PowerShell":
		call.Command = c.Input
	case c.Input != "":
		call.Paths = []string{c.Input}
	}
	return call
}
