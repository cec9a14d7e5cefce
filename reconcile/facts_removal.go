package reconcile

import (
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
)

func (f *facts) gatherBranch(rows []*evidence) error {
	since := rows[0].row.RenderedAt
	for _, e := range rows {
		if e.row.RenderedAt.Before(since) {
			since = e.row.RenderedAt
		}
	}
	if since.IsZero() {
		return f.gatherBranchAll(rows)
	}
	return f.removals(rows, gitstate.Walk{Since: since.Add(-24 * time.Hour)})
}

func (f *facts) gatherBranchAll(rows []*evidence) error { return f.removals(rows, gitstate.Walk{}) }

// removals looks for the newest removal of each row's artifact in a walk.
func (f *facts) removals(rows []*evidence, w gitstate.Walk) error {
	events, err := f.events(rows, w)
	if err != nil {
		return err
	}
	return f.versions(rows, events, func(e *evidence, es []event, all bool) bool {
		fact := f.newestRemoval(e, es, all)
		fact.unbounded = w.Since.IsZero()
		e.branch = &fact
		return fact.found != nil
	})
}

// step is one event seen by one row.
type step struct {
	*event
	before, after hold
}

func (s step) removes(h hold) bool { return s.before == h && s.after == absent }

// steps classifies the versions of each event for a row.
func (f *facts) steps(e *evidence, events []event) []step {
	steps := make([]step, len(events))
	for i := range events {
		s := step{&events[i], f.holds(e, events[i].change.OldOID), f.holds(e, events[i].change.NewOID)}
		if s.change.Status == "D" {
			s.after = absent
		}
		if s.before == unread && s.after == absent && !inBook(e.row, e.path) {
			s.before = mine // the path alone says enough of a file
		}
		steps[i] = s
	}
	return steps
}

// newestRemoval finds the newest event that took this row's artifact away. Each
// pair of versions is checked for its marker, else a reused name or a second
// generation takes an older deletion for its own. A version without any marker
// counts only if an older one had the marker. A merge that took the removal
// over from one of its parents is named only if no plain commit is found.
func (f *facts) newestRemoval(e *evidence, events []event, all bool) removalFact {
	steps := f.steps(e, events)
	against := map[string]int{} // parents against which a commit removes it
	for _, s := range steps {
		if s.removes(mine) || s.removes(bare) {
			against[s.commit.OID]++
		}
	}
	var fact removalFact
	var unmarked, carried *event
	for _, s := range steps {
		own := against[s.commit.OID] >= len(s.commit.Parents)
		switch {
		case s.before == unread || s.after == unread:
			fact.unread = true
		case unmarked != nil && (s.before == mine || s.after == mine):
			return fact.at(unmarked)
		case s.removes(mine) && own:
			return fact.at(s.event)
		case s.removes(mine) && carried == nil:
			carried = s.event
		case s.removes(bare) && own && unmarked == nil:
			unmarked = s.event
		}
	}
	if carried != nil && all {
		return fact.at(carried)
	}
	return fact
}

func (r removalFact) at(ev *event) removalFact {
	r.found = &removal{commit: ev.commit.OID, author: ev.commit.Author, at: ev.commit.Time}
	return r
}
