package render

import (
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Waiting says of every observation that is not written what is missing, by its id. The
// rules are those of [NewPlan].
func Waiting(s *store.Snapshot, o Options) (map[string]string, error) {
	o.Only, o.MostDrafts = nil, 0
	plan, err := NewPlan(s, o)
	if err != nil {
		return nil, err
	}
	missing := map[string]string{}
	for obs := range s.Log.All() {
		if obs.Observations == 0 || obs.Status != observe.Observing && obs.Status != observe.Ready {
			continue
		}
		row, registered := rowOf(s.Manifest, obs)
		_, planned := rowOf(plan.Manifest, obs)
		skipped := slices.IndexFunc(plan.Skipped, func(k Skipped) bool { return k.Observation == obs.ID })
		switch {
		case registered && o.View.Gone[row.Key()]:
			missing[obs.ID] = removedByPeople
		case registered && !o.View.Lost[row.Key()]:
		case planned:
			missing[obs.ID] = "nothing but its turn: a session's end writes the best drafts, lessons render all of them"
		case skipped >= 0:
			missing[obs.ID] = plan.Skipped[skipped].Reason
		default:
			missing[obs.ID] = lacks(obs, s.Config.Thresholds)
		}
	}
	return missing, nil
}

// rowOf returns a row of an observation.
func rowOf(m *manifest.Manifest, o *observe.Observation) (manifest.Row, bool) {
	i := slices.IndexFunc(m.Rows, func(r manifest.Row) bool { return slices.Contains(names(o), r.ObservationID) })
	if i < 0 {
		return manifest.Row{}, false
	}
	return m.Rows[i], true
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
