package state

import (
	"github.com/lessons-cli/lessons/knowledge/entry"
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
// stand behind is accepted without a write. What a person set holds, and one that came
// back after a removal waits for a person. row is what was rendered, o this clone's
// evidence; nil: none.
func OfEntry(e entry.Entry, row *manifest.Row, o *observe.Observation, t observe.Thresholds) string {
	written := e.Status()
	if row == nil || row.Status != written || !entry.IsProposed(written) || e.Field(entry.FieldReturned) != "" {
		return written
	}
	if o != nil && Suffices(o, t) {
		return entry.StatusAccepted
	}
	return written
}
