package flow

import (
	"fmt"
	"slices"
	"time"
)

// statusIn is the status of a feature in the states to which a hand-off may lead back.
var statusIn = map[string]Status{"init": Pending, "coding": InProgress, "testing": Completed}

// Overdue is what to do where the agent of the last hand-off had the time that this gave,
// and its feature still waits for it; false: it is not so. The words are the same however
// late it is.
func Overdue(features []Feature, s State, now time.Time) (Action, bool) {
	if len(s.Handoffs) == 0 {
		return Action{}, false
	}
	last := s.Handoffs[len(s.Handoffs)-1]
	at := slices.IndexFunc(features, func(f Feature) bool { return f.ID == last.Feature && !f.over() })
	until := last.At.Add(time.Duration(last.Timeout * float64(time.Second)))
	if at < 0 || last.At.IsZero() || last.Timeout == 0 || !now.After(until) {
		return Action{}, false
	}
	f := features[at]
	a := f.next()
	if a.Agent != last.Agent {
		return Action{}, false // it finished, or the list says that something else is to be done
	}
	a.Step = Rollback
	a.Says = fmt.Sprintf("%s was given %v seconds for %s, until %s, and has not finished. Stop it if it still runs", last.Agent, last.Timeout, f.ID, until.UTC().Format(time.DateTime+" UTC"))
	if status := statusIn[last.Rollback]; status != "" && status != f.Status {
		a.Says += fmt.Sprintf(`, and go back to %s: set the status of %s to %q in %s`, last.Rollback, f.ID, status, ListPath)
	}
	a.Says += ". Then hand it over again, with an idempotency_key of its own."
	return a, true
}
