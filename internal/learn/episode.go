package learn

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Lengths of an episode's texts in bytes; longer ones are cut, after redaction.
const (
	maxEpisodeText  = 600
	maxEpisodeQuote = 300
)

// Episode is what a model is told about one observation: its words and quotes,
// redacted, without sessions and dates.
type Episode struct {
	ID       string         `json:"id"`
	Type     knowledge.Type `json:"type"`
	Title    redact.Text    `json:"title,omitzero"`
	Mistake  redact.Text    `json:"mistake,omitzero"`
	Fix      redact.Text    `json:"fix,omitzero"`
	Details  redact.Text    `json:"details,omitzero"`
	Items    []redact.Text  `json:"steps,omitempty"`
	Trigger  redact.Text    `json:"trigger,omitzero"`
	Evidence []Evidence     `json:"evidence"`

	examples lesson.Examples
	words    string // [observe.PhrasingKey] of the observation
}

// Evidence is one quote, with the id by which an answer names it.
type Evidence struct {
	ID   string      `json:"id"`
	Text redact.Text `json:"text"`
}

// NewEpisode makes the episode of an observation.
func NewEpisode(o *observe.Observation, r *redact.Redactor) Episode {
	text := func(s string) redact.Text { return r.Text(prose.Visible(s)).Cut(maxEpisodeText) }
	e := Episode{
		ID: o.ID, Type: o.Type, Title: text(o.Pattern), Mistake: text(o.Mistake), Fix: text(o.Fix), Details: text(furtherDetails(o)),
		Trigger: text(separators.Replace(lesson.CanonicalTrigger(o.Trigger))), words: observe.PhrasingKey(o),
	}
	if o.Trigger != nil {
		e.examples = compile.Agreeing(o.Examples, o.Trigger)
	}
	for _, item := range o.Items {
		e.Items = append(e.Items, text(item))
	}
	for i, quote := range o.Evidence {
		e.Evidence = append(e.Evidence, Evidence{fmt.Sprintf("%s.%d", o.ID, i+1), r.Text(prose.Visible(quote)).Cut(maxEpisodeQuote)})
	}
	return e
}

// furtherDetails are the details that mistake and fix do not say.
func furtherDetails(o *observe.Observation) string {
	parts := observe.ParseDetails(o.Details)
	if parts[""] != "" {
		return o.Details
	}
	var rest []string
	for _, name := range []string{"context", "decision", "rationale", "consequences", "area", "issue", "impact", "resolution"} {
		if text := parts[name]; text != "" && text != o.Mistake && text != o.Fix {
			rest = append(rest, name, text)
		}
	}
	return observe.FormatDetails(rest...)
}

// separators makes a canonical trigger readable.
var separators = strings.NewReplacer("\x1f", ", ", "\x1e", "; ")

// fullText is everything that the episode says, in one text: what an answer may
// name.
func (e Episode) fullText() string {
	parts := []string{e.Title.String(), e.Mistake.String(), e.Fix.String(), e.Details.String(), e.Trigger.String()}
	for _, item := range e.Items {
		parts = append(parts, item.String())
	}
	for _, quote := range e.Evidence {
		parts = append(parts, quote.Text.String())
	}
	return strings.Join(parts, "\n")
}
