package project

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// Problems is what went wrong in a repository's sessions.
type Problems struct {
	Sessions int // in the call log, from the asked time on
	Calls    int
	All      []*problem.Problem // the dearest first
	Covers   map[string]Cover   // by the problem's id
}

// Cover is the lesson or the pitfall that covers a problem.
type Cover struct {
	Lesson  *lesson.Lesson
	Stopped int    // calls that the lesson stopped
	Entry   string // the pitfall's id; empty where a lesson covers it
}

// covers says what covers which problem: of several lessons the one that stopped most, and
// the pitfall about a rule.
func (e *Evidence) covers(lessons []*lesson.Lesson, pitfalls []entry.Entry) map[string]Cover {
	all := map[string]Cover{}
	titled, about := map[string]string{}, map[string]string{} // the first active pitfall whose title begins with a rule, or has a word
	for _, f := range slices.Backward(pitfalls) {
		if !f.Active() {
			continue
		}
		rule, _, _ := strings.Cut(f.Title, ": ")
		titled[rule] = f.ID()
		for _, word := range strings.Fields(f.Title) {
			about[word] = f.ID()
		}
	}
	for _, p := range e.Problems {
		if id := cmp.Or(titled[p.Rule], about[p.Rule]); id != "" {
			all[p.ID] = Cover{Entry: id}
		}
	}
	for _, l := range lessons {
		v := e.verdicts[l.ID]
		if v.Problem == "" || v.Standing == tally.Shadow {
			continue
		}
		c := Cover{Lesson: l, Stopped: v.Tally.Fired}
		if best := all[v.Problem]; best.Lesson == nil || c.Stopped > best.Stopped {
			all[v.Problem] = c
		}
	}
	return all
}

// Problems gathers what the call log knows from a time on; the zero time is the beginning.
func (p *Project) Problems(ctx context.Context, since time.Time) (Problems, []knowledge.Problem, error) {
	log, trouble, err := p.Calls()
	if err != nil {
		return Problems{}, trouble, err
	}
	recent := lists.Filter(log, func(s calls.Session) bool { return since.IsZero() || time.UnixMilli(s.Start()).After(since) })
	found := Problems{Sessions: len(recent), Calls: countCalls(recent), All: problem.Gather(recent)}
	s, err := p.Store.Load()
	if err != nil {
		return found, trouble, err
	}
	evidence, lessons, _, err := p.heldEvidence(ctx, s)
	if err == nil {
		found.Covers = evidence.covers(lessons.All(), s.Pitfalls)
	}
	return found, trouble, err
}

// Telling are the problems that a person would want to know of: no work, nothing that
// passed by itself, and nothing that one session alone met without a mend. Of rules that
// one sweep of a linter reported, and no edit is known that mends them, it is the dearest.
func (ps Problems) Telling() []*problem.Problem {
	var out, swept []*problem.Problem
	for _, p := range ps.All {
		_, mended := p.Best()
		bare := p.Rule != "" && p.Advice() == ""
		switch {
		case p.Nature == problem.Work, p.Nature == problem.Passing, len(p.Sessions) < 2 && !mended:
		case bare && slices.ContainsFunc(swept, func(o *problem.Problem) bool { return within(p.Sessions, o.Sessions) }):
		case bare:
			swept, out = append(swept, p), append(out, p)
		default:
			out = append(out, p)
		}
	}
	return out
}

// within says whether all of some sessions are among others.
func within(sessions, others []string) bool {
	return !slices.ContainsFunc(sessions, func(s string) bool { return !slices.Contains(others, s) })
}
