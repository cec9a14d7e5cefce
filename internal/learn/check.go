package learn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// maxReason is the length of a reason in bytes.
const maxReason = 200

// Verdict is what became of one episode.
type Verdict struct {
	Observation string           `json:"observation"`
	Outcome     Outcome          `json:"outcome"`
	Into        string           `json:"into,omitempty"`   // of what was joined
	Reason      string           `json:"reason,omitempty"` // of what was rejected or dropped
	Phrasing    observe.Phrasing `json:"phrasing,omitzero"`
}

// Outcome of one episode.
type Outcome string

const (
	Phrased  Outcome = "phrased"
	Joined   Outcome = "joined"   // with another observation: they say the same
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
	count := map[string]int{}
	for _, it := range items {
		for _, id := range it.Episodes {
			count[id]++
		}
	}
	for n, it := range items {
		group, err := b.group(it)
		if err != nil { // its episodes will lack an item then
			a.reasons = append(a.reasons, r.Text(fmt.Sprintf("item %d: %v", n+1, err)).Cut(maxReason).String())
			continue
		}
		verdicts, err := b.judge(group, it, model, r)
		for i, e := range group {
			switch {
			case count[e.ID] > 1:
				err = errors.New("has more than one item")
				fallthrough
			case err != nil:
				refuse(e.ID, err.Error())
			default:
				a.held[e.ID] = verdicts[i]
			}
		}
	}
	for _, e := range b.Episodes {
		if _, ok := a.held[e.ID]; !ok && a.refused[e.ID] == "" {
			refuse(e.ID, "no item names it")
		}
	}
	return a
}

// group finds the episodes that an item is about.
func (b Batch) group(it Item) ([]Episode, error) {
	var group []Episode
	for _, id := range it.Episodes {
		e := b.episode(id)
		if e == nil {
			return nil, fmt.Errorf("there is no episode %.40q", id)
		}
		group = append(group, *e)
	}
	return group, nil
}

// judge checks one item against its episodes, and says what becomes of each. The error
// says, for the model, what is wrong.
func (b Batch) judge(group []Episode, it Item, model string, r *redact.Redactor) ([]Verdict, error) {
	if it.None != "" || worthless[it.Nature] {
		return reject(group, it, model, r)
	}
	if err := quoted(group, it.Quotes); err != nil {
		return nil, err
	}
	if it.Known != "" {
		return b.alreadyKnown(group, it, model, r)
	}
	p, err := phrase(group, it, model, r)
	if err != nil {
		return nil, err
	}
	lead := group[0]
	verdicts := []Verdict{{Observation: lead.ID, Outcome: Phrased, Phrasing: p}}
	for _, e := range group[1:] {
		if err := observe.Unitable(lead.found, e.found); err != nil {
			return nil, fmt.Errorf("they cannot be one: %w", err)
		}
		verdicts = append(verdicts, Verdict{Observation: e.ID, Outcome: Joined, Into: lead.ID})
	}
	return verdicts, nil
}

// worthless are natures of what is not to be known.
var worthless = map[string]bool{"once": true, "work": true, "passing": true}

func reject(group []Episode, it Item, model string, r *redact.Redactor) ([]Verdict, error) {
	why := plainWords(it.None, r)
	switch {
	case why == "":
		return nil, fmt.Errorf("nature is %s without a reason in none", it.Nature)
	case it.Title != "" || it.Known != "":
		return nil, errors.New("none stands beside title or known")
	}
	var verdicts []Verdict
	for _, e := range group {
		p := observe.Phrasing{Of: observe.PhrasingKey(e.found), Model: model, Rejected: why}
		verdicts = append(verdicts, Verdict{Observation: e.ID, Outcome: Rejected, Reason: why, Phrasing: p})
	}
	return verdicts, nil
}

// alreadyKnown joins episodes to what says the same. What people wrote takes no evidence.
func (b Batch) alreadyKnown(group []Episode, it Item, model string, r *redact.Redactor) ([]Verdict, error) {
	i := slices.IndexFunc(b.known(), func(k Known) bool { return k.ID == it.Known })
	if i < 0 {
		return nil, fmt.Errorf("known is %.60q, which does not stand there", it.Known)
	}
	known := b.known()[i]
	if known.Found == nil {
		it.None, it.Title, it.Known = known.ID+" says it", "", ""
		return reject(group, it, model, r)
	}
	var verdicts []Verdict
	for _, e := range group {
		if err := observe.Unitable(known.Found, e.found); err != nil {
			return nil, fmt.Errorf("it cannot be joined to what is known: %w", err)
		}
		verdicts = append(verdicts, Verdict{Observation: e.ID, Outcome: Joined, Into: known.ID})
	}
	return verdicts, nil
}

// phrase is a model's words for episodes. What was found has no place that the first of
// them lacks, but for a problem without a mend.
func phrase(group []Episode, it Item, model string, r *redact.Redactor) (observe.Phrasing, error) {
	lead := group[0]
	p := observe.Phrasing{Of: observe.PhrasingKey(lead.found), Model: model, QualityOK: true, Nature: it.Nature}
	if it.Nature == "" {
		return p, errors.New("nature is missing")
	}
	for _, t := range []struct {
		name, text string
		has        bool
		names      func(Episode) string // what it may name
		into       *string
	}{
		{"title", it.Title, true, Episode.saidAndDone, &p.Title},
		{"mistake", it.Mistake, lead.found.Mistake != "", Episode.fullText, &p.Mistake},
		{"fix", it.Fix, lead.found.Fix != "" || lead.found.Origin == observe.OriginLLM, Episode.saidAndDone, &p.Fix},
		{"why", it.Why, true, Episode.fullText, &p.Why},
	} {
		text, err := accepted(group, t.text, t.names, r)
		switch {
		case !t.has:
		case err != nil:
			return p, fmt.Errorf("%s %w", t.name, err)
		default:
			*t.into = text
		}
	}
	if p.Title == "" {
		return p, errors.New("title is empty")
	}
	if lead.Type == knowledge.Decision && !grounded(group, p.Why) {
		p.Why = "" // an entry would stand on a reason that nobody gave
	}
	for _, e := range group {
		if lost(e.Fix.String(), p.Fix) != "" {
			p.Fix = "" // the found words are better than a fix that lacks a part
		}
	}
	trigger, err := lead.chosen(it.Trigger)
	p.Trigger = trigger
	p.Quotes = lists.SortedUnique(lists.Map(it.Quotes, spaced))
	return p, err
}

// chosen is the trigger that an item chose of those that history allows.
func (e Episode) chosen(id string) (*lesson.Trigger, error) {
	if id == "" {
		return nil, nil
	}
	i := slices.IndexFunc(e.Triggers, func(c Choice) bool { return c.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("trigger is %.60q, which is none of those of %s: choose one of them, or leave it out", id, e.ID)
	}
	return e.Triggers[i].trigger, nil
}

// quoted checks that every quote stands in one of the episodes, and each episode is
// quoted.
func quoted(group []Episode, quotes []string) error {
	in := func(e Episode, q string) bool {
		return slices.ContainsFunc(e.passages(), func(text string) bool { return strings.Contains(spaced(text), q) })
	}
	for _, q := range quotes {
		if q := spaced(q); q == "" || !slices.ContainsFunc(group, func(e Episode) bool { return in(e, q) }) {
			return fmt.Errorf("the quote %.60q does not stand in the episode", q)
		}
	}
	for _, e := range group {
		if !slices.ContainsFunc(quotes, func(q string) bool { return in(e, spaced(q)) }) {
			return fmt.Errorf("there is no quote of %s", e.ID)
		}
	}
	return nil
}

// accepted returns a text of the model as it may be stored.
func accepted(group []Episode, text string, known func(Episode) string, r *redact.Redactor) (string, error) {
	text = spaced(text)
	switch {
	case plain.Invisible(text) >= 0:
		return "", errors.New("holds characters that nobody sees")
	case forbidden(text) != "":
		return "", fmt.Errorf("holds %q, which means something to a program", forbidden(text))
	}
	for _, name := range names(text) {
		if !slices.ContainsFunc(group, func(e Episode) bool { return strings.Contains(known(e), name) }) {
			return "", fmt.Errorf("names %.60q, which the episode does not, or only what a call printed", name)
		}
	}
	return plainWords(text, r), nil
}

// grounded says whether the episodes have most of the longer words of a reason.
func grounded(group []Episode, why string) bool {
	have, lack := 0, 0
	for _, w := range prose.Words(why) {
		if len(w) <= 3 {
			continue
		}
		if slices.ContainsFunc(group, func(e Episode) bool { return strings.Contains(strings.ToLower(e.fullText()), w) }) {
			have++
		} else {
			lack++
		}
	}
	return have > 0 && have >= lack
}

// plain is a text of the model on one line, redacted and without what nobody
// sees.
func plainWords(text string, r *redact.Redactor) string {
	return r.Text(spaced(plain.Visible(text))).String()
}

// forbidden finds what would be read as more than text: by the scanner of
// sessions, by hooks, or in Markdown that a person reviews.
func forbidden(text string) string {
	low := strings.ToLower(text)
	mark, _ := lists.Find([]string{"#lesson", "#/lesson", "#decision", "#/decision", "process_knowledge]", "[lessons", "<!--", "-->", "self-learning:", "<episodes>", "</episodes>", "<known>", "</known>", "$arguments", "!`", "](", "```"}, func(mark string) bool {
		return strings.Contains(low, mark)
	})
	return mark
}

// spaced puts a text on one line, with single spaces.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// lost returns the first name that a text has and its rewording does not.
func lost(text, rewording string) string {
	if rewording == "" {
		return ""
	}
	name, _ := lists.Find(names(text), func(name string) bool { return !strings.Contains(rewording, name) })
	return name
}
