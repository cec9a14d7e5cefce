package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Lengths of an episode's texts in bytes; longer ones are cut, after redaction.
const (
	maxEpisodeText  = 600
	maxEpisodeQuote = 300
)

// Episode is what a model is told about one observation, redacted: its words and quotes,
// what history says, and what happened.
type Episode struct {
	ID       string          `json:"id"`
	Type     knowledge.Type  `json:"type"`
	Title    redact.Text     `json:"title,omitzero"`
	Mistake  redact.Text     `json:"mistake,omitzero"`
	Fix      redact.Text     `json:"fix,omitzero"`
	Details  redact.Text     `json:"details,omitzero"`
	Items    []redact.Text   `json:"steps,omitempty"`
	Trigger  redact.Text     `json:"trigger,omitzero"`
	Problem  redact.Text     `json:"problem,omitzero"`
	Triggers []Choice        `json:"triggers,omitempty"`
	Evidence []redact.Text   `json:"evidence"`
	Excerpts [][]redact.Text `json:"excerpts,omitempty"`

	found *observe.Observation
}

// Facts are what the caller knows of an observation beside its words.
type Facts struct {
	Excerpts []Excerpt
	Problem  string            // what the history of calls says
	Triggers []*lesson.Trigger // that history allows
	Against  string            // why history forbids to write it down
}

// Choice is a trigger that may be chosen.
type Choice struct {
	ID      string      `json:"id"`
	Means   redact.Text `json:"means"`
	trigger *lesson.Trigger
}

// NewEpisode makes the episode of an observation.
func NewEpisode(o *observe.Observation, f Facts, r *redact.Redactor) Episode {
	text := func(s string) redact.Text { return r.Text(plain.Visible(s)).Cut(maxEpisodeText) }
	e := Episode{
		ID: o.ID, Type: o.Type, Title: text(o.Pattern), Mistake: text(o.Mistake), Fix: text(o.Fix), Details: text(furtherDetails(o)),
		Trigger: text(readable(o.Delivery())), Problem: text(f.Problem), Items: lists.Map(o.Items, text), found: o,
	}
	for i, t := range f.Triggers {
		e.Triggers = append(e.Triggers, Choice{fmt.Sprintf("%s.t%d", o.ID, i+1), text(readable(t)), t})
	}
	for _, quote := range o.Evidence {
		e.Evidence = append(e.Evidence, r.Text(plain.Visible(quote)).Cut(maxEpisodeQuote))
	}
	for _, x := range f.Excerpts {
		if told := x.tell(maxExcerpt/len(f.Excerpts), o.Evidence, r); len(told) > 0 {
			e.Excerpts = append(e.Excerpts, told)
		}
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

// readable is a trigger in words.
func readable(t *lesson.Trigger) string {
	return strings.NewReplacer("\x1f", ", ", "\x1e", "; ").Replace(lesson.CanonicalTrigger(t))
}

// passages are the texts that an answer may quote.
func (e Episode) passages() []string {
	all := lists.Map(e.Evidence, redact.Text.String)
	return append(all, lists.Flat(e.Excerpts, func(excerpt []redact.Text) []string { return lists.Map(excerpt, redact.Text.String) })...)
}

// fullText is everything that the episode says, in one text: what an answer may name.
func (e Episode) fullText() string { return e.text(e.passages()) }

// saidAndDone is fullText without what calls printed: what an answer may advise. What a
// page or a file says is nobody's advice.
func (e Episode) saidAndDone() string {
	return e.text(slices.DeleteFunc(e.passages(), func(line string) bool {
		return strings.HasPrefix(line, "result: ") || strings.HasPrefix(line, "failed: ")
	}))
}

func (e Episode) text(passages []string) string {
	parts := append(passages, e.Title.String(), e.Mistake.String(), e.Fix.String(), e.Details.String(), e.Trigger.String(), e.Problem.String())
	parts = append(parts, lists.Map(e.Items, redact.Text.String)...)
	return spaced(strings.Join(parts, "\n"))
}
