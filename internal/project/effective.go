package project

import (
	"context"
	"slices"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/state"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// effective are the lessons of the work tree in the state in which agents meet
// them: files that tell of one lesson are one, and evidence and people's words
// have been weighed. Nothing is written.
func (p *Project) effective(ctx context.Context, s *store.Snapshot) provenance.List[*lesson.Lesson] {
	g := p.gate(ctx)
	trusted := func(l *lesson.Lesson) bool { return g.lesson(l, s.Before(l.Path)) }
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
	return provenance.Sort(all, trusted)
}

// inForce are the entries as agents meet them, those among them that wait for a
// person's render.
func (g *gate) inForce(s *store.Snapshot) (decisions, pitfalls provenance.List[entry.Entry]) {
	return withWaiting(g.decided(s), g.together(s.Pitfalls), s.Waiting)
}

// similar names what others wrote down that may be about what a trusted entry or skill is
// about.
func (g *gate) similar(s *store.Snapshot, decisions, pitfalls provenance.List[entry.Entry]) []knowledge.Problem {
	skills := provenance.Sort(lists.Filter(s.Artifacts, func(a artifact.Artifact) bool { return isSkill(a.Path) }), func(a artifact.Artifact) bool { return g.skill(a.Path, a.Text) })
	return slices.Concat(
		check.Alike(check.OfEntries(decisions.Unreviewed()), check.OfEntries(decisions.Trusted())),
		check.Alike(check.OfEntries(pitfalls.Unreviewed()), check.OfEntries(pitfalls.Trusted())),
		check.Alike(check.OfSkills(skills.Unreviewed()), check.OfSkills(skills.Trusted())),
	)
}

func withWaiting(decisions, pitfalls provenance.List[entry.Entry], waiting []entry.Entry) (_, _ provenance.List[entry.Entry]) {
	of := func(list provenance.List[entry.Entry], kind knowledge.Kind) provenance.List[entry.Entry] {
		own := lists.Filter(waiting, func(e entry.Entry) bool { return e.Kind == kind })
		return provenance.Parted(slices.Concat(list.Trusted(), own), list.Unreviewed())
	}
	return of(decisions, knowledge.KindADR), of(pitfalls, knowledge.KindPF)
}

// together are entries as agents meet them: those that two clones made of one thing are
// one, and what nobody here reviewed takes no trusted one's place.
func (g *gate) together(entries []entry.Entry) provenance.List[entry.Entry] {
	parted := g.entries(entries)
	own := entry.Together(parted.Trusted())
	theirs := lists.Filter(entry.Together(parted.Unreviewed()), func(e entry.Entry) bool {
		return e.Source == "" || !slices.ContainsFunc(own, func(o entry.Entry) bool { return o.Source == e.Source })
	})
	return provenance.Parted(own, theirs)
}

// decided are the decisions of the work tree in the status in which agents meet them: a
// trusted proposal that enough sessions stand behind is accepted while there is room. Nothing
// is written.
func (g *gate) decided(s *store.Snapshot) provenance.List[entry.Entry] {
	met := g.together(s.Decisions)
	all := slices.Clone(met.Trusted())
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
	return provenance.Parted(all, met.Unreviewed())
}
