package render

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/state"
)

// status is that of an entry which is written now: a decision is accepted by enough
// sessions or a person, else proposed. What people removed is proposed when it comes back.
func (p *planner) status(m material, kind knowledge.Kind) string {
	decision := kind == knowledge.KindADR
	switch {
	case p.removal(m.o, kind) != "", decision && !p.requested(m.o) && !state.Suffices(m.o, p.config.Thresholds):
		return entry.StatusProposed
	case decision:
		return entry.StatusAccepted
	}
	return entry.StatusActive
}

// proposed says whether an artifact written now is a proposal.
func (p *planner) proposed(m material, kind knowledge.Kind) bool {
	return (kind == knowledge.KindADR || kind == knowledge.KindPF) && p.status(m, kind) == entry.StatusProposed
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
	if p.options.Hook && edited || !p.mayChange(row.Path) || p.full(m.o, shelf) != "" {
		return
	}
	accepted := acceptedWith(e, m.seen)
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
	p.rendered(now.Place())
}

// acceptedWith is a proposal that holds, with further evidence. Nothing else of it changes,
// so that it merges with what other clones make of it.
func acceptedWith(e entry.Entry, more lesson.Seen) entry.Entry {
	a := e.WithStatus(entry.StatusAccepted)
	for i, f := range a.Fields {
		if seen, ok := lesson.ParseSeen(f.Value); ok && strings.EqualFold(f.Name, entry.FieldSeen) {
			a.Fields[i].Value = seen.Join(more).Field()
		}
	}
	a.Fields = slices.DeleteFunc(a.Fields, func(f entry.Field) bool { return strings.EqualFold(f.Name, entry.FieldSource) })
	return a
}
