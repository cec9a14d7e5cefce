package render

import (
	"cmp"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// formatDecision fills an ADR entry (seed self-learning). What the details do
// not name falls back as it always did: context to the whole text, decision to
// the title.
func formatDecision(m material, number int) entry.Entry {
	e := entry.Entry{Kind: knowledge.KindADR, Number: number, Title: m.title, Source: m.o.ID}
	context := m.part("context", "")
	if prose.NormaliseTitle(context) == prose.NormaliseTitle(m.title) {
		context = "" // says nothing that the heading does not
	}
	e.Fields = m.fields(
		entry.FieldDate, day(m.o.LastSeen),
		entry.FieldStatus, "Accepted",
		entry.FieldContext, context,
		entry.FieldDecision, cmp.Or(m.part("decision"), m.title),
		entry.FieldConsequences, m.part("rationale", "consequences"),
	)
	return e
}

// formatPitfall fills a PF entry.
func formatPitfall(m material, number int) entry.Entry {
	e := entry.Entry{Kind: knowledge.KindPF, Number: number, Title: m.title, Source: m.o.ID}
	e.Fields = m.fields(
		entry.FieldArea, m.area(),
		entry.FieldIssue, m.issue(),
		entry.FieldImpact, m.part("impact"),
		entry.FieldResolution, cmp.Or(m.part("resolution"), m.fix),
		entry.FieldStatus, "Active",
	)
	return e
}

// area names where in the repository a pitfall is.
func (m material) area() string {
	if area := m.part("area"); area != "" {
		return area
	}
	if m.trigger != nil {
		return strings.Join(sortedUnique(m.trigger.Paths), ", ")
	}
	return ""
}

func (m material) issue() string {
	for _, text := range []string{m.part("issue"), m.mistake, m.part(""), m.title} {
		if text != "" {
			return text
		}
	}
	return ""
}

// fields pairs names and values and adds evidence and marker. Empty ones are
// left out.
func (m material) fields(namesAndValues ...string) []entry.Field {
	namesAndValues = append(namesAndValues, entry.FieldSeen, m.seen.String())
	for _, q := range m.quotes {
		namesAndValues = append(namesAndValues, entry.FieldQuote, q)
	}
	namesAndValues = append(namesAndValues, entry.FieldSource, m.marker())
	var fields []entry.Field
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		if value := oneLine(namesAndValues[i+1]); value != "" {
			fields = append(fields, entry.Field{Name: namesAndValues[i], Value: value})
		}
	}
	return fields
}
