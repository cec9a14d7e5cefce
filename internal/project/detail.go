package project

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// evidenceOfCalls is the call log, read when the first item is shown, and what it says of
// lessons.
type evidenceOfCalls struct {
	read     bool
	log      []calls.Session
	problems []*problem.Problem
}

func (e *evidenceOfCalls) load(p *Project) error {
	if e.read {
		return nil
	}
	log, _, err := p.Calls()
	if err != nil {
		return err
	}
	e.read, e.log, e.problems = true, log, problem.Gather(log)
	return nil
}

// details are what a person reads to decide about items, whose files text reads.
func (d *Desk) details(items []review.Item, text func(path string) ([]byte, error)) ([]review.Detail, error) {
	if err := d.calls.load(d.p); err != nil {
		return nil, err
	}
	all := make([]review.Detail, len(items))
	var claims []tally.Claim
	var at []int
	for n, i := range items {
		detail, l, err := d.read(i, text)
		if err != nil {
			return nil, err
		}
		if all[n] = detail; l != nil {
			claims, at = append(claims, d.p.claim(d.s, l)), append(at, n)
		}
	}
	known := countCalls(d.calls.log)
	for n, v := range tally.Judge(claims, d.calls.log, d.calls.problems) {
		all[at[n]].History = historyOf(v, known)
	}
	return all, nil
}

// read is what the files and the log say of an item, and its lesson where it is one.
func (d *Desk) read(i review.Item, read func(path string) ([]byte, error)) (detail review.Detail, l *lesson.Lesson, err error) {
	o := d.s.Log.Get(i.Observation)
	var text []byte
	if i.Kind != catalog.KindObservation {
		if text, err = read(i.Path); err != nil {
			return detail, nil, err
		}
	}
	if isLesson(i.Path) && text != nil {
		if l, err = d.lesson(i.Path, text); err != nil {
			return detail, nil, err
		}
		detail = ofLesson(l)
	} else {
		detail = ofEntry(i, text)
	}
	if o != nil {
		detail = withObservation(detail, i, o)
	}
	if detail.Other == "" && o != nil && i.Kind != catalog.KindObservation {
		detail.Other, detail.OtherName = d.rendered(i, text), "as it was written first"
	}
	return detail, l, nil
}

// lesson parses what changed since the last look.
func (d *Desk) lesson(path string, text []byte) (*lesson.Lesson, error) {
	if l := d.s.Lesson(path); l != nil && bytes.Equal(text, d.s.Before(path)) {
		return l, nil
	}
	return lesson.Parse(path, text)
}

func anchorOf(place string) string {
	_, anchor := knowledge.CutPlace(place)
	return anchor
}

// ofLesson is what an agent reads of a lesson, when, and what happens then.
func ofLesson(l *lesson.Lesson) review.Detail {
	d := review.Detail{Agent: l.Shown(), Text: strings.TrimSpace(l.Body), Then: l.Action, Quotes: l.Quotes}
	if lesson.CanonicalTrigger(&l.Triggers) != "" {
		d.When = l.Triggers.Reading()
	}
	switch {
	case check.Holds(l):
		d.Then = "such a call is held back or changed"
	case whatActionsDo[l.Action] != "":
		d.Then = whatActionsDo[l.Action]
	case l.Statement():
		d.Then = "it is told when a session starts"
	default:
		d.Then = "the first such call of a session is stopped where history supports that; else the agent is told"
	}
	if l.Seen.Sessions > 0 {
		d.Seen = l.Seen.String()
	}
	return d
}

// ofEntry is what an agent reads of an entry: its title when a session starts, the text
// where it looks. Of what is no entry it is the file.
func ofEntry(i review.Item, text []byte) review.Detail {
	d := review.Detail{Agent: i.Title, Text: strings.TrimSpace(string(text))}
	book, _ := entry.ParseBook(i.Path, text)
	for _, e := range book.Entries {
		if e.ID() != anchorOf(i.Place) {
			continue
		}
		d.Agent, d.Text = e.ID()+"  "+e.Title, strings.TrimSpace(string(e.Text))
		for _, f := range e.Fields {
			switch f.Name {
			case entry.FieldQuote:
				d.Quotes = append(d.Quotes, f.Value)
			case entry.FieldSeen:
				if seen, ok := lesson.ParseSeen(f.Value); ok {
					d.Seen = seen.String()
				}
			}
		}
	}
	return d
}

// withObservation adds what this clone's log knows: more quotes, and other words.
func withObservation(d review.Detail, i review.Item, o *observe.Observation) review.Detail {
	for _, quote := range o.Evidence {
		if !slices.ContainsFunc(d.Quotes, func(q string) bool { return strings.Contains(quote, q) || strings.Contains(q, quote) }) {
			d.Quotes = append(d.Quotes, quote)
		}
	}
	if seen := o.Seen(); d.Seen == "" && seen.Sessions > 0 {
		d.Seen = seen.String()
	}
	if i.Kind == catalog.KindObservation && d.Text == "" {
		d.Text = strings.Join(lists.Filter([]string{o.Details, o.Mistake, o.Fix}, func(s string) bool { return s != "" }), "\n")
	}
	if other := otherWay(o); other != "" {
		d.Text, d.Other, d.OtherName = o.Fix, other, "what other sessions say"
	}
	return d
}

// rendered is the text of an item as the tool wrote it, where a person changed it since and
// history has it.
func (d *Desk) rendered(i review.Item, text []byte) string {
	row, ok := d.s.Manifest.Row(knowledge.Key{Observation: i.Observation, Kind: knowledge.Kind(i.Kind)})
	if !ok || i.Kind == string(knowledge.KindLesson) && !reworded(row, lessonOf(i.Path, text), text) {
		return ""
	}
	t, err := d.p.Trace(d.ctx, d.s, i.Name)
	if err != nil {
		return ""
	}
	v := t.Versions()
	if v.Rendered == "" || sameText(v.Rendered, v.Current) {
		return ""
	}
	return strings.TrimSpace(withoutMatter(v.Rendered))
}

func lessonOf(path string, text []byte) *lesson.Lesson {
	l, err := lesson.Parse(path, text)
	if err != nil {
		return &lesson.Lesson{}
	}
	return l
}

// withoutMatter is a lesson's text without the front matter, which is no prose to compare.
func withoutMatter(text string) string {
	if l, err := lesson.Parse(".lessons/x.md", []byte(text)); err == nil && strings.HasPrefix(text, "---") {
		return l.Body
	}
	return text
}

// Others are the items that an item can be merged into, the most similar first.
func (d *Desk) Others(i review.Item) ([]review.Choice, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	wanted := func(o catalog.Item) bool {
		return o.Place() != i.Place && o.Kind != catalog.KindObservation && (o.Kind == i.Kind || i.Kind == catalog.KindObservation) &&
			o.Status != lesson.Archived && !strings.HasPrefix(o.Status, "Superseded")
	}
	all := catalog.Artifacts(d.s)
	best := catalog.Search(slices.Values(all), wanted, strings.Fields(i.Title), maxChoices)
	for _, o := range all { // and what shares no word, where there is room
		if wanted(o) && len(best) < maxChoices && !slices.ContainsFunc(best, func(b catalog.Item) bool { return b.Place() == o.Place() }) {
			best = append(best, o)
		}
	}
	return lists.Map(best, func(o catalog.Item) review.Choice {
		return review.Choice{Name: o.Name(), Title: o.Title, Text: strings.TrimSpace(strings.TrimPrefix(o.Text(), o.Title+"\n"))}
	}), nil
}

// maxChoices is how many items a person is offered to merge with.
const maxChoices = 9

// snapshot reads what is known anew.
func (d *Desk) snapshot(ctx context.Context) (*store.Snapshot, error) {
	s, err := d.p.Store.Load()
	if err != nil {
		return nil, fmt.Errorf("what is known cannot be read: %w", err)
	}
	d.ctx, d.s = ctx, s
	return s, nil
}
