package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/edits"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// formatDecision fills an ADR entry (seed self-learning; MADR's names). What the
// details do not name falls back: context to the whole text, decision to the title.
func formatDecision(m material, number int, status string) entry.Entry {
	e := entry.Entry{Kind: knowledge.KindADR, Number: number, Title: m.title, Source: m.o.ID}
	context := m.part("context", "")
	if prose.NormaliseTitle(context) == prose.NormaliseTitle(m.title) {
		context = "" // says nothing that the heading does not
	}
	e.Fields = m.fields(
		entry.FieldDate, lesson.Day(m.o.LastSeen),
		entry.FieldStatus, status,
		entry.FieldReturned, m.returned,
		entry.FieldContext, context,
		entry.FieldDecision, cmp.Or(m.part("decision"), m.title),
		entry.FieldBecause, because(m.part("rationale")),
		entry.FieldConsequences, m.part("consequences"),
	)
	return e
}

// because is a reason without the word that its field's name says, and without what only
// asks to heed it.
func because(reason string) string {
	if word, rest, ok := strings.Cut(reason, " "); ok && strings.EqualFold(word, "because") {
		reason = strings.TrimSpace(rest)
	}
	return statement.Reason(reason)
}

// formatPitfall fills a PF entry.
func formatPitfall(m material, number int, status string) entry.Entry {
	e := entry.Entry{Kind: knowledge.KindPF, Number: number, Title: m.title, Source: m.o.ID}
	issue, resolution := m.issue(), cmp.Or(m.part("resolution"), m.fix)
	if m.o.IsRule() {
		issue = m.ruleSays()
		resolution = cmp.Or(stored.text(edits.Tell(m.o.Fixes(), maxExamples)), m.fix)
	}
	fields := []string{
		entry.FieldArea, m.area(),
		entry.FieldIssue, issue,
		entry.FieldImpact, m.part("impact"),
		entry.FieldResolution, resolution,
		"Description", m.part("description"),
	}
	for further := m.further(); len(further) > 0; further = further[2:] {
		if further[0] != entry.FieldImpact {
			fields = append(fields, further[:2]...)
		}
	}
	e.Fields = m.fields(append(fields, entry.FieldStatus, status, entry.FieldReturned, m.returned)...)
	return e
}

// area names where in the repository a pitfall is, or else what it is about.
func (m material) area() string {
	if area := m.part("area"); area != "" {
		return area
	}
	if m.o.IsRule() {
		return "" // what its message names is about one place
	}
	if places := placesIn(m.title + " " + m.issue()); len(places) > 0 {
		return strings.Join(lists.SortedUnique(places), ", ")
	}
	return strings.Join(tagged(m.o.Tags, "tool", "lang"), ", ")
}

// placesIn are the paths that a text names, less those of a command that it quotes: one call
// met them.
func placesIn(text string) []string {
	var prose, quoted []string
	for len(text) > 0 {
		end := strings.IndexByte(text, '`')
		if end == 0 {
			end = markdown.CodeSpanEnd(text, 0)
		}
		if end <= 0 { // there is no span, or it is not closed
			end = len(text)
		}
		words := strings.Fields(strings.Trim(text[:end], "`"))
		if text[0] != '`' || len(words) == 1 {
			prose = append(prose, words...)
		} else {
			quoted = append(quoted, words...)
		}
		text = text[end:]
	}
	var places []string
	for _, word := range prose {
		word = strings.TrimRight(strings.Trim(word, "\"'(),;:"), ".")
		if pathLike(word) && !slices.Contains(quoted, word) {
			places = append(places, word)
		}
	}
	return places
}

// tagged are the values of the tags of some categories.
func tagged(tags []string, categories ...string) []string {
	var values []string
	for _, tag := range stored.all(slices.Clone(tags)) {
		if category, value, ok := strings.Cut(tag, ":"); ok && slices.Contains(categories, category) && value != "" {
			values = append(values, value)
		}
	}
	return lists.SortedUnique(values)
}

// says is what an entry of a kind decides, or what is wrong.
func (m material) says(kind knowledge.Kind) string {
	if kind == knowledge.KindADR {
		return cmp.Or(m.part("decision"), m.title)
	}
	return m.issue()
}

func (m material) issue() string {
	return cmp.Or(m.part("issue"), m.mistake, m.part(""), m.title)
}

// fields pairs names and values and adds evidence and marker. Empty ones are
// left out.
func (m material) fields(namesAndValues ...string) []entry.Field {
	if m.seen.Sessions > 0 {
		namesAndValues = append(namesAndValues, entry.FieldSeen, m.seen.Field())
	}
	for _, q := range m.quotes {
		namesAndValues = append(namesAndValues, entry.FieldQuote, q)
	}
	namesAndValues = append(namesAndValues, entry.FieldSource, m.marker())
	var fields []entry.Field
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		if value := prose.OneLine(namesAndValues[i+1]); value != "" {
			fields = append(fields, entry.Field{Name: namesAndValues[i], Value: value})
		}
	}
	return fields
}
