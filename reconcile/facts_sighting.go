package reconcile

import (
	"github.com/lessons-cli/lessons/internal/gitstate"
)

func (f *facts) gatherRefs(rows []*evidence) error {
	return f.sightings(rows, gitstate.Walk{All: true}, func(e *evidence, s sightingFact) { e.refs = &s })
}

func (f *facts) gatherReflog(rows []*evidence) error {
	return f.sightings(rows, gitstate.Walk{Reflog: true}, func(e *evidence, s sightingFact) { e.reflog = &s })
}

// sightings looks for any version with the row's marker in a walk.
func (f *facts) sightings(rows []*evidence, w gitstate.Walk, set func(*evidence, sightingFact)) error {
	events, err := f.events(rows, w)
	if err != nil {
		return err
	}
	return f.versions(rows, events, func(e *evidence, es []event, _ bool) bool {
		s := f.sighting(e, es)
		set(e, s)
		return s.commit != ""
	})
}

func (f *facts) sighting(e *evidence, events []event) sightingFact {
	var s sightingFact
	for _, ev := range events {
		for _, id := range []string{ev.change.NewOID, ev.change.OldOID} {
			switch h := f.holds(e, id); {
			case h == mine, h == unread && !inBook(e.row, e.path):
				s.commit = ev.commit.OID
				return s
			case h == unread:
				s.unread = true
			}
		}
	}
	return s
}
