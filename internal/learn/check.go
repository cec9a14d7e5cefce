package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// maxReason is the length of a reason in bytes.
const maxReason = 200

// Verdict is what became of one episode.
type Verdict struct {
	Observation string           `json:"observation"`
	Outcome     Outcome          `json:"outcome"`
	Reason      string           `json:"reason,omitempty"` // of what was rejected or dropped
	Phrasing    observe.Phrasing `json:"phrasing,omitzero"`
}

// Outcome of one episode.
type Outcome string

const (
	Phrased  Outcome = "phrased"
	Rejected Outcome = "rejected" // the model finds it worth nothing
	Dropped  Outcome = "dropped"  // no answer held
)

// check sorts an answer into what holds and what does not. Each episode is in
// one of the two.
func (b Batch) check(items []Item, model string, r *redact.Redactor) answered {
	a := answered{held: map[string]Verdict{}, refused: map[string]string{}}
	refuse := func(id, why string) {
		delete(a.held, id)
		a.refused[id] = r.Text(why).Cut(maxReason).String() // it may repeat what the model wrote
		a.reasons = append(a.reasons, id+": "+a.refused[id])
	}
	for n, it := range items {
		e, err := b.episodeOf(it)
		if err != nil { // it belongs to none, which will lack an item then
			a.reasons = append(a.reasons, r.Text(fmt.Sprintf("item %d: %v", n+1, err)).Cut(maxReason).String())
			continue
		}
		if _, twice := a.held[e.ID]; twice {
			refuse(e.ID, "has more than one item")
			continue
		}
		if a.refused[e.ID] != "" {
			continue
		}
		v, err := e.judge(it, model, r)
		if err != nil {
			refuse(e.ID, err.Error())
			continue
		}
		a.held[e.ID] = v
	}
	for _, e := range b.Episodes {
		if _, ok := a.held[e.ID]; !ok && a.refused[e.ID] == "" {
			refuse(e.ID, "no item names its evidence")
		}
	}
	return a
}

// episodeOf finds the one episode that an item's evidence belongs to.
func (b Batch) episodeOf(it Item) (Episode, error) {
	owner := map[string]int{}
	for i, e := range b.Episodes {
		for _, q := range e.Evidence {
			owner[q.ID] = i
		}
	}
	at := -1
	for _, id := range it.EvidenceIDs {
		i, ok := owner[id]
		switch {
		case !ok:
			return Episode{}, fmt.Errorf("there is no evidence %.40q", id)
		case at >= 0 && at != i:
			return Episode{}, fmt.Errorf("evidence_ids belong to two episodes, %s and %s", b.Episodes[at].ID, b.Episodes[i].ID)
		}
		at = i
	}
	if at < 0 {
		return Episode{}, fmt.Errorf("evidence_ids is empty")
	}
	return b.Episodes[at], nil
}

// judge checks one item against its episode. The error says, for the model, what
// is wrong.
func (e Episode) judge(it Item, model string, r *redact.Redactor) (Verdict, error) {
	if it.Type != e.Type {
		return Verdict{}, fmt.Errorf("type is %q, the episode's is %q", it.Type, e.Type)
	}
	if err := e.quoted(it); err != nil {
		return Verdict{}, err
	}
	p := observe.Phrasing{Of: e.words, Model: model, QualityOK: it.QualityOK}
	if !it.QualityOK {
		if p.Rejected = plain(it.Rejected, r); p.Rejected == "" {
			return Verdict{}, fmt.Errorf("quality_ok is false without a reject_reason")
		}
		return Verdict{Observation: e.ID, Outcome: Rejected, Reason: p.Rejected, Phrasing: p}, nil
	}
	if len(it.Quotes) == 0 {
		return Verdict{}, fmt.Errorf("there is no quote")
	}
	if err := e.checkTrigger(it.proposed()); err != nil {
		return Verdict{}, err
	}
	parts := []struct {
		name  string
		text  string
		found redact.Text // that it stands for
		into  *string
	}{
		{"title", it.Title, redact.Stored("-"), &p.Title}, // every episode has a title
		{"mistake", it.Mistake, e.Mistake, &p.Mistake},
		{"fix", it.Fix, e.Fix, &p.Fix},
		{"why", it.Why, redact.Stored("-"), &p.Why},
	}
	for _, t := range parts {
		if t.found.IsZero() {
			continue // it has none, and gets none
		}
		text, err := e.accepted(t.text, r)
		if err != nil {
			return Verdict{}, fmt.Errorf("%s %w", t.name, err)
		}
		*t.into = text
	}
	if p.Title == "" {
		return Verdict{}, fmt.Errorf("title is empty")
	}
	if missing := lost(e.Fix.String(), p.Fix); missing != "" {
		p.Fix = "" // the found words are better than a fix that lacks a part
	}
	for _, q := range it.Quotes {
		p.Quotes = append(p.Quotes, spaced(q))
	}
	slices.Sort(p.Quotes)
	p.Quotes = slices.Compact(p.Quotes)
	return Verdict{Observation: e.ID, Outcome: Phrased, Phrasing: p}, nil
}

// quoted checks that every quote stands in the evidence that the item names.
func (e Episode) quoted(it Item) error {
	for _, q := range it.Quotes {
		found := slices.ContainsFunc(e.Evidence, func(ev Evidence) bool {
			return slices.Contains(it.EvidenceIDs, ev.ID) && strings.Contains(spaced(ev.Text.String()), spaced(q))
		})
		if spaced(q) == "" || !found {
			return fmt.Errorf("the quote %.60q does not stand in %s", q, strings.Join(it.EvidenceIDs, ", "))
		}
	}
	return nil
}

// accepted returns a text of the model as it may be stored.
func (e Episode) accepted(text string, r *redact.Redactor) (string, error) {
	text = spaced(text)
	switch {
	case prose.Invisible(text) >= 0:
		return "", fmt.Errorf("holds characters that nobody sees")
	case forbidden(text) != "":
		return "", fmt.Errorf("holds %q, which means something to a program", forbidden(text))
	}
	known := e.fullText()
	for _, name := range names(text) {
		if !strings.Contains(spaced(known), name) {
			return "", fmt.Errorf("names %.60q, which the episode does not", name)
		}
	}
	return plain(text, r), nil
}

// plain is a text of the model on one line, redacted and without what nobody
// sees.
func plain(text string, r *redact.Redactor) string {
	return r.Text(spaced(prose.Visible(text))).String()
}

// forbidden finds what would be read as more than text: by the scanner of
// sessions, by hooks, or in Markdown that a person reviews.
func forbidden(text string) string {
	low := strings.ToLower(text)
	for _, mark := range []string{"#lesson", "#/lesson", "process_knowledge]", "[lessons", "<!--", "-->", "self-learning:", "<episodes>", "</episodes>", "$arguments", "!`"} {
		if strings.Contains(low, mark) {
			return mark
		}
	}
	return ""
}

// spaced puts a text on one line, with single spaces.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// lost returns the first name that a text has and its rewording does not.
func lost(text, rewording string) string {
	if rewording == "" {
		return ""
	}
	for _, name := range names(text) {
		if !strings.Contains(rewording, name) {
			return name
		}
	}
	return ""
}
