package state

import (
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Suffices says whether enough sessions, or a person, stand behind an observation for
// its main artifact to hold. One that was rendered already is asked as if it were not.
func Suffices(o *observe.Observation, t observe.Thresholds) bool {
	if o.Status != observe.Created {
		return o.Status == observe.Ready && (o.Worthy() || o.Recorded == observe.RecordedManual)
	}
	again := o.Clone()
	again.Status = observe.Observing
	observe.Promote(again, t)
	return again.Status == observe.Ready
}

// OfEntry is the status in which agents meet an entry. A proposal that enough sessions
// stand behind is accepted without a write: those that the entry names, which may come
// of several clones, and this clone's. What a person set holds, and one that came back
// after a removal waits for a person. row is what was rendered, o this clone's
// evidence; nil: none.
func OfEntry(e entry.Entry, row *manifest.Row, o *observe.Observation, t observe.Thresholds) string {
	written := e.Status()
	if row == nil || row.Status != written || !entry.IsProposed(written) || e.Field(entry.FieldReturned) != "" {
		return written
	}
	seen, _ := lesson.ParseSeen(e.Field(entry.FieldSeen))
	all := &observe.Observation{Type: knowledge.Decision, QualityOK: true}
	if o != nil {
		all, seen = o.Clone(), seen.Join(o.Seen())
	}
	all.Observations = max(all.Observations, seen.Sessions)
	if all.Status != observe.Deprecated {
		all.Status = observe.Created // asked as if it were not rendered
	}
	if Suffices(all, t) {
		return entry.StatusAccepted
	}
	return written
}
