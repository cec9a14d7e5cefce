package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/report"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Desk is where a person decides about what waits: a [review.Desk]. It writes files and the
// log, and commits nothing.
type Desk struct {
	mutex sync.Mutex // one thing at a time: what shows it may ask for several
	p     *Project
	ctx   context.Context
	s     *store.Snapshot // as of the last look
	calls evidenceOfCalls
	undo  []undo
}

var _ review.Desk = (*Desk)(nil)

// Desk opens the desk of a repository.
func (p *Project) Desk(ctx context.Context) *Desk { return &Desk{p: p, ctx: ctx} }

// Queue reads what waits.
func (d *Desk) Queue() ([]review.Item, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	s, err := d.snapshot(d.ctx)
	if err != nil {
		return nil, err
	}
	return d.p.Queue(d.ctx, s)
}

// Report gathers what there is to tell.
func (d *Desk) Report() (report.Report, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	s, err := d.snapshot(d.ctx)
	if err != nil {
		return report.Report{}, err
	}
	r, _, err := d.p.Report(d.ctx, s)
	return r, err
}

// Detail is what a person reads to decide about an item.
func (d *Desk) Detail(i review.Item) (review.Detail, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	all, err := d.details([]review.Item{i}, d.p.Read)
	if err != nil {
		return review.Detail{}, err
	}
	return all[0], nil
}

// Details are those of many items, as they were at the last look.
func (d *Desk) Details(items []review.Item) ([]review.Detail, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.details(items, func(path string) ([]byte, error) { return d.s.Before(path), nil })
}

// Text is the file of an item as it is now.
func (d *Desk) Text(i review.Item) ([]byte, int, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	text, err := d.p.Read(i.Path)
	if err == nil && text == nil {
		err = &catalog.NotFoundError{Name: i.Path}
	}
	return text, i.Line, err
}

// undo is what takes a decision back: the files, rows and observations as they were.
type undo struct {
	item         review.Item
	changes      []store.Change
	rows         map[knowledge.Key]*manifest.Row // nil: there was none
	observations []*observe.Observation
	ledger       []verdict.Event
	trusted      []string // hashes of what is trusted since
}

// ErrNoReason: a removal says why, so that others can follow it.
var ErrNoReason = errors.New("a removal needs a reason")

// Decide carries out what a person decides. What it says ends in the next command where
// there is one.
func (d *Desk) Decide(decision review.Decision) (review.Done, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return retry(func() (review.Done, error) {
		s, err := d.snapshot(d.ctx)
		if err != nil {
			return review.Done{}, err
		}
		item, err := itemAt(s, decision.Item)
		if err != nil {
			return review.Done{}, err
		}
		back := undo{item: decision.Item, rows: map[knowledge.Key]*manifest.Row{}}
		back.keep(s, item)
		before := d.p.trustedHashes()
		done, err := d.decide(decision, item, &back)
		if err != nil {
			return review.Done{}, err
		}
		back.trusted = lists.Filter(d.p.trustedHashes(), func(h string) bool { return !slices.Contains(before, h) })
		back.reverse(done.changes)
		d.undo = append(d.undo, back)
		return review.Done{Said: done.Said}, nil
	})
}

// itemAt is the item of the queue as it stands now.
func itemAt(s *store.Snapshot, i review.Item) (catalog.Item, error) {
	if i.Kind == catalog.KindObservation {
		return catalog.Find(catalog.Named(s, verdict.View{}, i.Observation), i.Observation)
	}
	for _, item := range catalog.Artifacts(s) {
		if item.Place() == i.Place {
			return item, nil
		}
	}
	return catalog.Item{}, fmt.Errorf("%s is not there any more: somebody removed or renamed it meanwhile", i.Place)
}

// decide writes. The verbs are those of the commands, on the same functions.
func (d *Desk) decide(decision review.Decision, item catalog.Item, back *undo) (Done, error) {
	p, s := d.p, d.s
	switch decision.Verb {
	case review.Accept:
		return d.accept(decision.Item, item)
	case review.Archive:
		if item.Kind == string(knowledge.KindLesson) {
			return p.Curate(d.ctx, s, item, Archive, false)
		}
		return p.Curate(d.ctx, s, item, Deprecate, false)
	case review.Edit:
		err := p.Rewrite(d.ctx, item, decision.Before, decision.After)
		return Done{Said: []string{item.Name() + " is changed"}, changes: []store.Change{{Path: item.Path, Before: decision.Before, After: decision.After}}}, err
	case review.Merge:
		into, err := catalog.Find(catalog.Artifacts(s), decision.Into)
		if err != nil {
			return Done{}, err
		}
		back.keep(s, into)
		t, said, err := catalog.MergeInto(s, item, into, p.reviewer(d.ctx))
		return d.store(t, said, err)
	case review.Delete:
		return d.remove(decision, item, back)
	}
	return Done{}, fmt.Errorf("nobody can %s %s", decision.Verb, item.Name())
}

func (d *Desk) store(t store.Transaction, said string, err error) (Done, error) {
	if err != nil {
		return Done{}, err
	}
	return Done{Said: []string{said}, changes: t.Changes}, d.p.writeNamed(d.ctx, t)
}

// accept brings an item into force: a draft or a proposal, an observation, what was lost, or
// what others wrote.
func (d *Desk) accept(i review.Item, item catalog.Item) (Done, error) {
	p, s := d.p, d.s
	switch {
	case i.Is(review.Undelivered):
		return p.renderOnly(d.ctx, &request{snapshot: s, again: true, ids: []string{i.Observation}}, false)
	case item.Status == lesson.Draft, entry.IsProposed(item.Status), item.Kind == catalog.KindObservation:
		return p.Curate(d.ctx, s, item, Promote, false)
	case i.Is(review.Guard):
		text := s.Before(item.Path)
		p.trustOwn(d.ctx, []store.Change{{Path: item.Path, After: text}}, true)
		p.Freshen(d.ctx)
		return Done{Said: []string{item.Path + " is trusted in this clone"}}, nil
	}
	t, said := catalog.Vouch(s, item)
	return d.store(t, said, nil)
}

// remove takes an item out of the work tree and remembers that a person said so, and why.
// Once it is committed, git tells everybody else.
func (d *Desk) remove(decision review.Decision, item catalog.Item, back *undo) (Done, error) {
	reason := d.p.Redactor().Text(strings.Join(strings.Fields(decision.Reason), " ")).String()
	if reason == "" {
		return Done{}, ErrNoReason
	}
	changes, err := catalog.RemoveItem(d.s, item)
	if err != nil {
		return Done{}, err
	}
	t := store.Transaction{Changes: changes}
	key := knowledge.Key{Observation: item.Observation, Kind: knowledge.Kind(item.Kind)}
	if row, ok := d.s.Manifest.Row(key); ok {
		said := verdict.Event{
			Event: verdict.EventVerdict, WorkTree: d.p.WorkTree(), ID: row.ObservationID, Type: row.Type, How: verdict.HowCommand,
			By: d.p.person(d.ctx), At: d.p.Now().UTC(), N: max(row.N, evidenceOf(d.s)(row.ObservationID)), ContentKey: row.ContentKey, Reason: reason,
		}
		t.Ledger = []verdict.Event{said}
		back.ledger = []verdict.Event{{Event: verdict.EventUndone, WorkTree: said.WorkTree, ID: said.ID, Type: said.Type, At: said.At, Verdict: said.Name()}}
	}
	return d.store(t, fmt.Sprintf("removed %s; commit it, and say why: %s", item.Place(), reason), nil)
}

// keep remembers what a decision about an item may change beside its file.
func (u *undo) keep(s *store.Snapshot, item catalog.Item) {
	o := s.Log.Get(item.Observation)
	if o == nil {
		return
	}
	u.observations = append(u.observations, o.Clone())
	for _, kind := range []knowledge.Kind{knowledge.KindLesson, knowledge.KindADR, knowledge.KindPF, knowledge.KindSkill, knowledge.KindCommand} {
		key := knowledge.Key{Observation: o.ID, Kind: kind}
		u.rows[key] = nil
		if row, ok := s.Manifest.Row(key); ok {
			u.rows[key] = &row
		}
	}
}

func (u *undo) reverse(changes []store.Change) {
	for _, c := range changes {
		u.changes = append(u.changes, store.Change{Path: c.Path, Before: c.After, After: c.Before})
	}
}

// ErrNothingToUndo: no decision of this review is left.
var ErrNothingToUndo = errors.New("nothing to undo")

// Undo takes the last decision back. Where somebody changed a file meanwhile, nothing is
// written.
func (d *Desk) Undo() (review.Item, review.Done, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if len(d.undo) == 0 {
		return review.Item{}, review.Done{}, ErrNothingToUndo
	}
	last := d.undo[len(d.undo)-1]
	_, err := retry(func() (struct{}, error) { return struct{}{}, d.takeBack(last) })
	if err != nil {
		return last.item, review.Done{}, fmt.Errorf("not undone: %w", err)
	}
	d.undo = d.undo[:len(d.undo)-1]
	return last.item, review.Done{Said: []string{last.item.Name + " is as it was"}}, nil
}

func (d *Desk) takeBack(last undo) error {
	s, err := d.snapshot(d.ctx)
	if err != nil {
		return err
	}
	t := store.Transaction{Changes: last.changes, Ledger: last.ledger, Log: s.Log}
	for _, c := range t.Changes {
		if now, err := d.p.Read(c.Path); err != nil || string(now) != string(c.Before) {
			return errors.Join(err, fmt.Errorf("%s changed since", c.Path))
		}
	}
	for _, o := range last.observations {
		s.Log.Put(o)
	}
	rows := s.Manifest.Clone()
	for key, row := range last.rows {
		if row == nil {
			rows.DropRow(key)
		} else {
			rows.PutRow(*row)
		}
	}
	if !rows.Same(s.Manifest) {
		t.Manifest = rows
	}
	if err := d.p.distrust(last.trusted); err != nil {
		return err
	}
	return d.p.write(d.ctx, t, nil, false) // what was trusted before still is
}
