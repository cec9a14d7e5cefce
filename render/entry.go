package render

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

// Fields that carry the evidence of an entry (rulings 4).
const (
	fieldSeen  = "Seen"
	fieldQuote = "Quote"
)

// formatDecision fills an ADR entry (seed self-learning). What the details do
// not name falls back as it always did: context to the whole text, decision to
// the title.
func formatDecision(m material, number int) knowledge.Entry {
	e := knowledge.Entry{Kind: knowledge.KindADR, Number: number, Title: m.title, Source: m.o.ID}
	context := m.part("context", "")
	if knowledge.NormaliseTitle(context) == knowledge.NormaliseTitle(m.title) {
		context = "" // says nothing that the heading does not
	}
	e.Fields = m.fields(
		knowledge.FieldDate, day(m.o.LastSeen),
		knowledge.FieldStatus, "Accepted",
		knowledge.FieldContext, context,
		knowledge.FieldDecision, orElse(m.part("decision"), m.title),
		knowledge.FieldConsequences, m.part("rationale", "consequences"),
	)
	return e
}

// formatPitfall fills a PF entry.
func formatPitfall(m material, number int) knowledge.Entry {
	e := knowledge.Entry{Kind: knowledge.KindPF, Number: number, Title: m.title, Source: m.o.ID}
	e.Fields = m.fields(
		knowledge.FieldArea, m.area(),
		knowledge.FieldIssue, m.issue(),
		knowledge.FieldImpact, m.part("impact"),
		knowledge.FieldResolution, orElse(m.part("resolution"), m.fix),
		knowledge.FieldStatus, "Active",
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
func (m material) fields(namesAndValues ...string) []knowledge.EntryField {
	namesAndValues = append(namesAndValues, fieldSeen, m.seenText())
	for _, q := range m.quotes {
		namesAndValues = append(namesAndValues, fieldQuote, q)
	}
	namesAndValues = append(namesAndValues, knowledge.FieldSource, m.marker())
	var fields []knowledge.EntryField
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		if value := oneLine(namesAndValues[i+1]); value != "" {
			fields = append(fields, knowledge.EntryField{Name: namesAndValues[i], Value: value})
		}
	}
	return fields
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
