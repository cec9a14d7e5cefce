package render

import (
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/state"
)

// status is that of a decision which is written now: accepted by enough sessions or a
// person, else proposed. What people removed is proposed when it comes back.
func (p *planner) status(m material) string {
	if p.requested(m.o) || state.Suffices(m.o, p.config.Thresholds) && p.removal(m.o, knowledge.KindADR) == "" {
		return entry.StatusAccepted
	}
	return entry.StatusProposed
}

// accept writes that a proposal holds. Where no person asks for it, what git tracks and
// what a person edited stays as it is: it counts as accepted when it is read.
func (p *planner) accept(m material, row manifest.Row) {
	shelf := p.shelves[knowledge.KindADR]
	book, e, ok := shelf.open(row, p.files)
	if !ok || state.OfEntry(e, &row, m.o, p.config.Thresholds) == e.Status() {
		return
	}
	edited := !knowledge.SameHash(row.ContentHash, e.Text)
	asked := p.options.Watched || p.requested(m.o)
	if !asked && (edited || p.options.Tracked != nil && p.options.Tracked(row.Path)) || p.full(m.o, shelf) != "" {
		return
	}
	accepted := formatDecision(m, e.Number, entry.StatusAccepted)
	text := book.Replace(e, accepted)
	now := p.newRow(m, knowledge.KindADR)
	now.ObservationID, now.Path, now.Anchor = row.ObservationID, row.Path, row.Anchor
	now.ContentHash = knowledge.ContentHash(entry.Format(accepted))
	if edited { // the person's words stay, and the rendered ones remain what they differ from
		var err error
		if text, err = book.SetStatus(e.Number, entry.StatusAccepted); err != nil {
			return
		}
		now.ContentHash = row.ContentHash
	}
	shelf.rewrite(row.Path, text, p.files)
	p.manifest.PutRow(now)
	p.rendered(place(now))
}
