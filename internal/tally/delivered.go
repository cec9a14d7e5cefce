package tally

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/pattern"
)

// Delivered is what came of the deliveries of a lesson.
type Delivered struct {
	Told     int // deliveries
	Withheld int // that a holdout left out
	Bytes    int
	Followed int // deliveries of which the call log has what came next
	Heeded   int // of them: another call worked
	Repeated int // of them: the mistake was made all the same
	// Mistakes are the sessions in which such a call failed from the first delivery on: "with"
	// are those from which the lesson was withheld, "ok" is a mistake.
	Mistakes pattern.Table
}

// Follow says what came of deliveries, for lessons in their order.
func Follow(lessons []*lesson.Lesson, log []calls.Session, deliveries []inject.Trace) []Delivered {
	all := make([]Delivered, len(lessons))
	index, err := newTriggers(lessons)
	if err != nil || len(deliveries) == 0 {
		return all
	}
	place, sessions := map[string]int{}, map[string]*followed{}
	for i, l := range lessons {
		place[l.ID] = i
	}
	for i := range log {
		sessions[log[i].Name] = &followed{Session: &log[i]}
	}
	type exposure struct{ session, lesson string }
	exposed := map[exposure]bool{}
	for _, d := range deliveries {
		i, known := place[d.Lesson]
		if !known {
			continue
		}
		all[i].count(d)
		s := sessions[d.Session]
		if s == nil || d.Moment == inject.AtStart {
			continue // no call in particular follows a start
		}
		at, matched := s.place(d), s.matched(index)[i]
		if key := (exposure{d.Session, d.Lesson}); !exposed[key] {
			exposed[key] = true
			all[i].Mistakes.Count(d.Act == inject.ActWithheld, s.failed(matched, at, d.Moment))
		}
		if d.Act == inject.ActTold {
			all[i].follow(after(s.Session, at, s.agent(at, d), matched))
		}
	}
	return all
}

func (t *Delivered) count(d inject.Trace) {
	if d.Act == inject.ActWithheld {
		t.Withheld++
		return
	}
	t.Told, t.Bytes = t.Told+1, t.Bytes+d.Bytes
}

func (t *Delivered) follow(e end) {
	t.Followed++
	switch e {
	case heeded:
		t.Heeded++
	case repeatedFailed:
		t.Repeated++
	}
}

// followed is a session with the calls that triggers match, by the lesson's place.
type followed struct {
	*calls.Session
	hits map[int][]int
}

func (s *followed) matched(index *triggers) map[int][]int {
	if s.hits == nil {
		s.hits = index.hits(s.Session)
	}
	return s.hits
}

// place is the call of a delivery, or the last one before it; -1: there is none.
func (s *followed) place(d inject.Trace) int {
	if at := slices.IndexFunc(s.Calls, func(c calls.Call) bool { return d.Call != "" && c.ID == d.Call }); at >= 0 {
		return at
	}
	at := slices.IndexFunc(s.Calls, func(c calls.Call) bool { return c.At >= d.At })
	switch {
	case at < 0:
		return len(s.Calls) - 1
	case d.Moment == inject.AtCall:
		return at // its result came later than the hook before it
	}
	return at - 1
}

func (s *followed) agent(at int, d inject.Trace) string {
	if at < 0 || d.Sub == "" {
		return ""
	}
	return s.Calls[at].Agent
}

// failed says whether a call failed that a lesson is about, from its delivery on.
func (s *followed) failed(matched []int, at int, moment inject.Moment) bool {
	if moment == inject.AtCall {
		at-- // the call itself is what a stop prevents
	}
	return slices.ContainsFunc(matched, func(i int) bool { return i > at && s.Calls[i].Outcome == calls.Failed })
}

// Add adds up what came of deliveries of several lessons.
func (t *Delivered) Add(o Delivered) {
	t.Told, t.Withheld, t.Bytes = t.Told+o.Told, t.Withheld+o.Withheld, t.Bytes+o.Bytes
	t.Followed, t.Heeded, t.Repeated = t.Followed+o.Followed, t.Heeded+o.Heeded, t.Repeated+o.Repeated
	t.Mistakes.Add(o.Mistakes)
}
