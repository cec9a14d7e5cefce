package project

import (
	"context"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/state"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// effective are the lessons of the work tree in the state in which agents meet
// them: files that tell of one lesson are one, and evidence and people's words
// have been weighed. Nothing is written.
func (p *Project) effective(ctx context.Context, s *store.Snapshot) []*lesson.Lesson {
	limit := p.trust(ctx, s)
	trusted := func(l *lesson.Lesson) bool { return limit(l) == "" }
	rows := map[string]*manifest.Row{} // of lessons, by observation
	for i, r := range s.Manifest.Rows {
		if r.Key().Kind == knowledge.KindLesson {
			rows[r.ObservationID] = &s.Manifest.Rows[i]
		}
	}
	var all []*lesson.Lesson
	for _, l := range lesson.Together(s.Lessons, trusted) {
		row := rows[l.Source]
		if l.Source == "" || row == nil {
			all = append(all, l)
			continue
		}
		is := state.Of(state.Case{
			Lesson: l, Row: row, Observation: s.Log.Find(l.Source, row.ContentKey),
			Trusted: func() bool { return trusted(l) }, Config: s.Config,
		})
		met := *l
		met.Status, met.Priority, met.Confidence, met.Seen = is.Status, is.Priority, is.Confidence, is.Seen
		all = append(all, &met)
	}
	return all
}

// inForce are the entries as agents meet them, those among them that wait for a
// person's render.
func inForce(s *store.Snapshot) (decisions, pitfalls []entry.Entry) {
	return withWaiting(decided(s), entry.Together(s.Pitfalls), s.Waiting)
}

func withWaiting(decisions, pitfalls, waiting []entry.Entry) (_, _ []entry.Entry) {
	for _, e := range waiting {
		if e.Kind == knowledge.KindADR {
			decisions = append(decisions, e)
		} else {
			pitfalls = append(pitfalls, e)
		}
	}
	return decisions, pitfalls
}

// decided are the decisions of the work tree in the status in which agents meet them:
// entries that two clones made of one decision are one, and a proposal that enough
// sessions stand behind is accepted while there is room. Nothing is written.
func decided(s *store.Snapshot) []entry.Entry {
	all := entry.Together(s.Decisions)
	active := entry.CountActive(all)
	for i, e := range all {
		row, ok := s.Manifest.Row(knowledge.Key{Observation: e.Source, Kind: knowledge.KindADR})
		if !ok || s.Config.Ceiling > 0 && active >= s.Config.Ceiling {
			continue
		}
		status := state.OfEntry(e, &row, s.Log.Find(e.Source, row.ContentKey), s.Config.Thresholds)
		if status != e.Status() {
			all[i] = e.WithStatus(status)
			active++
		}
	}
	return all
}
