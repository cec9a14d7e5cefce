package render

import (
	"cmp"
	"slices"
	"strings"
	"unique"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Waiting says of every observation that a plan of all that is due leaves unwritten what is
// missing, by its id.
func Waiting(s *store.Snapshot, view verdict.View, plan Plan) map[string]string {
	skipped := map[string]string{}
	for _, k := range slices.Backward(plan.Skipped) { // the first reason counts
		skipped[k.Observation] = k.Reason
	}
	missing := map[string]string{}
	for obs := range s.Log.All() {
		if obs.Observations == 0 || obs.Status != observe.Observing && obs.Status != observe.Ready {
			continue
		}
		if why := why(s, view, plan.Manifest, obs, skipped); why != "" { // nothing keeps its line in memory
			missing[strings.Clone(obs.ID)] = unique.Make(why).Value()
		}
	}
	return missing
}

// why says what is missing of an observation that is not written; empty: it is.
func why(s *store.Snapshot, view verdict.View, planned *manifest.Manifest, obs *observe.Observation, skipped map[string]string) string {
	row, registered := rowOf(s.Manifest, obs)
	_, due := rowOf(planned, obs)
	switch {
	case registered && view.Gone[row.Key()]:
		return removedByPeople
	case registered && !view.Lost[row.Key()]:
		return ""
	case due:
		return "it is ready: lessons render writes it, or the end of a session"
	}
	return cmp.Or(skipped[obs.ID], lacks(obs, s.Config.Thresholds))
}

// rowOf returns a row of an observation.
func rowOf(m *manifest.Manifest, o *observe.Observation) (manifest.Row, bool) {
	return lists.Find(m.Rows, func(r manifest.Row) bool { return slices.Contains(o.Names(), r.ObservationID) })
}

// lacks says what an observation lacks that is not due.
func lacks(o *observe.Observation, t observe.Thresholds) string {
	if o.Type == knowledge.Decision && o.Lacks() == "" && !givesReason(prepare(o)) {
		return "no reason is given"
	}
	if why := observe.Missing(o, t); why != "" {
		return why
	}
	return "what was written is not in this work tree"
}
