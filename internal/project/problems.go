package project

import (
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// Problems is what went wrong in a repository's sessions.
type Problems struct {
	Sessions int // in the call log, from the asked time on
	Calls    int
	All      []*problem.Problem // the dearest first
}

// Problems gathers what the call log knows from a time on; the zero time is the beginning.
func (p *Project) Problems(since time.Time) (Problems, []knowledge.Problem, error) {
	log, trouble, err := p.Calls()
	if err != nil {
		return Problems{}, trouble, err
	}
	recent := log[:0]
	for _, s := range log {
		if since.IsZero() || time.UnixMilli(s.Start()).After(since) {
			recent = append(recent, s)
		}
	}
	found := Problems{Sessions: len(recent), All: problem.Gather(recent)}
	for _, s := range recent {
		found.Calls += len(s.Calls)
	}
	return found, trouble, nil
}

// Telling are the problems that a person would want to know of: no work, nothing that
// passed by itself, and nothing that one session alone met without a mend.
func (ps Problems) Telling() []*problem.Problem {
	var out []*problem.Problem
	for _, p := range ps.All {
		_, mended := p.Best()
		switch {
		case p.Nature == problem.Work, p.Nature == problem.Passing, len(p.Sessions) < 2 && !mended:
		default:
			out = append(out, p)
		}
	}
	return out
}
