package render

import (
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/score"
)

// drafts counts what is written for a person to review: draft lessons and proposed
// decisions. Where only some may be written, all candidates are known before the first.
type drafts struct {
	most    int // 0: any number
	written int
	chosen  bool                   // the waiting ones come best first now
	waiting []*observe.Observation // for their turn, or for room
}

// room says whether one more may be written; if not, it waits.
func (d *drafts) room(o *observe.Observation) bool {
	if d.most == 0 || d.chosen && d.written < d.most {
		d.written++
		return true
	}
	d.waiting = append(d.waiting, o)
	return false
}

// isDraft says whether what would be written is for a person to review first.
func (p *planner) isDraft(m material, kind knowledge.Kind) bool {
	switch kind {
	case knowledge.KindADR, knowledge.KindPF:
		return p.proposed(m, kind)
	case knowledge.KindLesson:
		l := p.newLesson(m)
		return l.Status == lesson.Draft || p.removal(m.o, kind) != "" || p.contradicted(l)
	}
	return false
}

// writeBest writes the best of the drafts: what was said outright first, then what most
// sessions met, what is surest, and what is newest. The others wait.
func (p *planner) writeBest() {
	all := p.drafts.waiting
	p.drafts.waiting, p.drafts.chosen = nil, true
	confidence := lists.Table(all, func(o *observe.Observation) (string, float64) { return o.ID, score.Of(o, p.config.Weights).Confidence })
	slices.SortStableFunc(all, func(a, b *observe.Observation) int {
		return cmp.Or(
			cmp.Compare(outright(b), outright(a)), cmp.Compare(b.Observations, a.Observations),
			cmp.Compare(confidence[b.ID], confidence[a.ID]), b.LastSeen.Compare(a.LastSeen), cmp.Compare(a.ID, b.ID),
		)
	})
	p.observations(slices.CompactFunc(all, func(a, b *observe.Observation) bool { return a.ID == b.ID }))
}

// outright is 1 for what a person or the agent declared.
func outright(o *observe.Observation) int {
	for _, mark := range o.Marks {
		switch mark {
		case observe.MarkStated, observe.MarkSelfReport, observe.MarkBlock, observe.MarkManual:
			return 1
		}
	}
	return 0
}
