package render

import (
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// refusal says why an artifact that is due is not written, or nothing. row is
// that of an artifact which people removed; its zero value is no row.
func (p *planner) refusal(m material, kind knowledge.Kind, row manifest.Row) string {
	o := m.o
	switch {
	case p.requested(o): // a person wants it now, whatever they removed before
	case verdict.Rejected(o, p.old, p.ledger, kind) == verdict.Blocked, row.Path != "" && verdict.Rejected(o, p.old, p.ledger, kind) != verdict.Returned && o.Observations < 2*max(row.N, 1):
		return "people removed it; it comes back on twice the evidence"
	case kind == knowledge.KindADR && o.Recorded != observe.RecordedManual && !givesReason(m):
		return "the decision gives no reason; lessons promote " + o.ID + " writes it all the same"
	}
	shelf, ok := p.shelves[kind]
	if !ok {
		return p.obstacle(folderOf(kind))
	}
	if shelf.broken != "" {
		return shelf.broken
	}
	if why := p.obstacle(shelf.folder()); why != "" {
		return why
	}
	active := shelf.active()
	if p.config.Ceiling > 0 && active >= p.config.Ceiling {
		o.SoftCapExceeded, o.NeedsReview = true, true
		p.notice(fmt.Sprintf("%d active %s are the most that are kept: nothing is lost, what is ready waits until some are deprecated", active, shelf.noun()))
		return fmt.Sprintf("there are %d active %s already", active, shelf.noun())
	}
	return ""
}

// obstacle says why nothing can be written below a folder, or nothing.
func (p *planner) obstacle(folder string) string {
	name := p.files.obstacle(folder)
	if name == "" {
		return ""
	}
	return name + " is in the way: it must be a folder of this repository, not a file or a link"
}

// requested says whether a person has just asked for exactly this observation.
func (p *planner) requested(o *observe.Observation) bool {
	return o.Recorded == observe.RecordedManual && slices.ContainsFunc(names(o), func(id string) bool { return slices.Contains(p.options.Only, id) })
}

// markCrowded marks an entry that is written although many are there already.
func (p *planner) markCrowded(o *observe.Observation, s *shelf) {
	active := s.active()
	if p.config.SoftStart <= 0 || active < p.config.SoftStart {
		return
	}
	o.SoftCapExceeded, o.NeedsReview = true, true
	p.notices(s, active)
}

// notices says once a kind how crowded it is.
func (p *planner) notices(s *shelf, active int) {
	text := fmt.Sprintf("%d or more active %s: an index this long is read less; lessons deprecate those that no longer hold (%d are the most)", p.config.SoftStart, s.noun(), p.config.Ceiling)
	if active >= p.config.SoftStart {
		p.notice(text)
	}
}
