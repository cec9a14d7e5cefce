package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/scan"
)

// Addition is one thing that a person adds.
type Addition struct {
	Similar []Similar // what stands that is about the same
	Beside  Beside    // what is to become of it beside those

	signal   observe.Signal
	priority int // 0: as its text says
}

// Beside is what a person wants of something that is similar to what stands.
type Beside struct {
	Join string // the similar item that it is evidence of, by path or ADR-001
	Over string // the item that it supersedes; without either both are kept
}

// Typed are the additions of one command, and the secrets that were taken out of them.
type Typed struct {
	Additions []*Addition
	Secrets   []string
}

// typed is the redactor of what a person types now.
func (t *Typed) redactor() *redact.Redactor {
	return &redact.Redactor{Typed: func(secret string) {
		if !slices.Contains(t.Secrets, secret) {
			t.Secrets = append(t.Secrets, secret)
		}
	}}
}

// Type takes in a draft.
func (p *Project) Type(ctx context.Context, d Draft) (*Typed, error) {
	priority, err := d.priority()
	if err != nil {
		return nil, err
	}
	t := &Typed{}
	return t, p.take(ctx, t, []observe.Signal{d.signal(t.redactor(), p.Now().UTC())}, priority)
}

// TypeBlock takes in the blocks of a text.
func (p *Project) TypeBlock(ctx context.Context, text string) (*Typed, error) {
	t := &Typed{}
	signals, problems := scan.ParseBlocks("standard input", text, t.redactor(), p.Now().UTC())
	if len(problems) > 0 {
		return nil, fmt.Errorf("line %d: %s", problems[0].Line, problems[0].Text)
	}
	if len(signals) == 0 {
		return nil, errors.New("no #lesson, #decision or [PROCESS_KNOWLEDGE] block in the text, outside of code fences and quotations")
	}
	for i := range signals {
		signals[i].Origin = observe.OriginManual
		signals[i].Marks = append(signals[i].Marks, observe.MarkManual)
		signals[i].QualityOK = true
	}
	return t, p.take(ctx, t, signals, 0)
}

// take compares signals with what stands.
func (p *Project) take(ctx context.Context, t *Typed, signals []observe.Signal, priority int) error {
	s, err := p.Store.Load()
	if err != nil {
		return err
	}
	view := p.View(ctx, s)
	for _, signal := range signals {
		if signal.Trigger.Any(redact.Marked) {
			return &SecretError{t.Secrets}
		}
		similar, err := similarTo(s, view, signal)
		if err != nil {
			return err
		}
		t.Additions = append(t.Additions, &Addition{Similar: similar, signal: signal, priority: priority})
	}
	return nil
}

// SecretError: what calls for a lesson holds secrets of a known form. It is never
// redacted: a trigger that is matches nothing.
type SecretError struct{ Secrets []string }

func (e *SecretError) Error() string {
	return "the calls that it is about hold a secret, which no file in git must: " + strings.Join(lists.Map(e.Secrets, SecretSign), ", ")
}

// SecretSign names a secret without telling it.
func SecretSign(secret string) string {
	return fmt.Sprintf("%s… (%d characters)", secret[:min(4, len(secret)/4)], len(secret))
}

// Add stores what a person typed as observations of this person and renders them at
// once.
func (p *Project) Add(ctx context.Context, t *Typed, dryRun bool) (Done, error) {
	done, err := attempt(p, func(s *store.Snapshot) (Done, error) { return p.addOnce(ctx, s, t.Additions, dryRun) })
	if err == nil && !dryRun {
		said, failed := p.readings(ctx, done.Rendered)
		done.Said, err = append(done.Said, said...), failed
	}
	for _, secret := range t.Secrets {
		done.Said = append(done.Said, "taken out, because it has the form of a secret: "+SecretSign(secret))
	}
	return done, err
}

func (p *Project) addOnce(ctx context.Context, s *store.Snapshot, additions []*Addition, dryRun bool) (Done, error) {
	r := &request{snapshot: s, by: p.reviewer(ctx)}
	for _, a := range additions {
		if err := r.add(a); err != nil {
			return Done{}, err
		}
	}
	return p.renderOnly(ctx, r, dryRun)
}

// add puts an addition into the log of the snapshot.
func (r *request) add(a *Addition) error {
	s := r.snapshot
	for _, similar := range a.Similar {
		switch {
		case similar.Same && similar.Holds():
			r.said = append(r.said, "known already: "+similar.Place()+" says exactly this")
			return r.finish(a, similar.Item)
		case similar.Same:
			return fmt.Errorf("%s says exactly this, and is %s: lessons promote %s", similar.Place(), similar.Status, similar.Name())
		case a.Beside.Join == similar.Place():
			return r.vouch(a, similar.Item)
		}
	}
	signal := a.signal
	defer s.Log.Expect([]observe.Signal{signal, keptApart(signal)})()
	if len(a.Similar) > 0 || a.Beside.Over != "" || slices.ContainsFunc(s.Log.Related(signal), a.otherWords) {
		signal = keptApart(signal)
	}
	o := s.Log.Add(signal, s.Config.Thresholds)
	if a.priority > 0 {
		o.Priority = a.priority
	}
	observe.PromoteByHand(o)
	s.Log.Put(o)
	r.ids = append(r.ids, o.ID)
	if a.Beside.Over != "" {
		return r.put(a.Beside.Over, o.ID)
	}
	for _, similar := range a.Similar {
		if similar.Observation == o.ID {
			return fmt.Errorf("%s came of exactly these words, and was edited since: lessons edit %s", similar.Place(), similar.Name())
		}
		r.said = append(r.said, "kept beside "+similar.Place()+", which is similar")
	}
	return nil
}

// put has the artifact of an observation supersede an item.
func (r *request) put(over, by string) error {
	item, err := catalog.Find(catalog.Named(r.snapshot, verdict.View{}, over), over)
	r.superseded = append(r.superseded, superseded{item, by})
	return err
}

// finish does what an earlier run that was killed did not come to: the observation and the
// row of an item that stands, and what it supersedes.
func (r *request) finish(a *Addition, item catalog.Item) error {
	s := r.snapshot
	if !registered(s, item) {
		o := s.Log.Get(item.Observation)
		for _, signal := range []observe.Signal{a.signal, keptApart(a.signal)} {
			if o == nil && signal.Alone().ID == item.Observation && len(s.Log.Related(signal)) == 0 {
				o = s.Log.Add(signal, s.Config.Thresholds)
			}
		}
		if o != nil {
			observe.PromoteByHand(o)
			s.Log.Put(o)
			r.ids = append(r.ids, o.ID)
		}
	}
	if a.Beside.Over == "" {
		return nil
	}
	return r.put(a.Beside.Over, item.Observation)
}

// otherWords says whether a person wrote an observation in other words: an addition
// never replaces them.
func (a *Addition) otherWords(o *observe.Observation) bool {
	return o.Origin == observe.OriginManual && !observe.SameWords(o, a.signal.Alone())
}

// vouch takes an addition as this person's word for an item that stands.
func (r *request) vouch(a *Addition, item catalog.Item) error {
	s := r.snapshot
	o := s.Log.Get(item.Observation)
	if o == nil {
		o = s.Log.Add(a.signal, s.Config.Thresholds)
	}
	o.Observations++
	if !slices.Contains(o.Marks, observe.MarkManual) {
		o.Marks = append(o.Marks, observe.MarkManual)
	}
	observe.PromoteByHand(o)
	s.Log.Put(o)
	r.said = append(r.said, "counted as evidence of "+item.Place())
	if item.Status == lesson.Active || !catalog.Promotable(item) {
		return nil
	}
	t, said, err := catalog.Promote(s, item, r.by)
	r.changes, r.said = append(r.changes, t.Changes...), append(r.said, said)
	return err
}
