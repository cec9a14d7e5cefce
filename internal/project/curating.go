package project

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/render"
)

// Verb is what a person does with an item.
type Verb string

// The verbs.
const (
	Promote   Verb = "promote"
	Archive   Verb = "archive"
	Deprecate Verb = "deprecate"
)

// Done is what a person's word changed.
type Done struct {
	Said     []string `json:"said"`
	Rendered []string `json:"rendered,omitempty"`
	Diff     string   `json:"-"`

	changes []store.Change // what was written
}

// Curate carries out a verb on an item of the snapshot.
func (p *Project) Curate(ctx context.Context, s *store.Snapshot, item catalog.Item, verb Verb, dryRun bool) (Done, error) {
	var t store.Transaction
	var said string
	var err error
	named := item
	item = catalog.Artifact(s, item)
	switch verb {
	case Promote:
		if named.Kind == catalog.KindObservation && !registered(s, item) { // or a kill came before its row
			return p.promoteObservation(ctx, s, named, dryRun)
		}
		t, said, err = catalog.Promote(s, item, p.reviewer(ctx))
	case Archive:
		t, said, err = catalog.ArchiveLesson(s, item, p.reviewer(ctx))
	case Deprecate:
		t, said, err = catalog.DeprecateItem(s, item, p.reviewer(ctx))
	}
	if err != nil {
		return Done{}, err
	}
	done := Done{Said: []string{said}, Diff: render.Diff(t.Changes), changes: t.Changes}
	if dryRun {
		done.Said[0] = wouldBe + said
		return done, nil
	}
	return done, p.writeNamed(ctx, t)
}

// registered says whether the manifest has a row of an artifact.
func registered(s *store.Snapshot, item catalog.Item) bool {
	_, ok := s.Manifest.Row(knowledge.Key{Observation: item.Observation, Kind: knowledge.Kind(item.Kind)})
	return ok
}

func (p *Project) reviewer(ctx context.Context) catalog.Reviewer {
	return catalog.Reviewer{Name: p.person(ctx), At: p.Now()}
}

// person is the name by which git knows who works here, as for a commit; empty where it
// knows none. The system's user names an account and nobody.
func (p *Project) person(ctx context.Context) string {
	var name, email string
	if p.identified != nil {
		name, email, _ = p.identified.Identity(ctx) // a name that cannot be told is none
	}
	return cmp.Or(p.Env("GIT_AUTHOR_NAME"), name, p.Env("GIT_AUTHOR_EMAIL"), email)
}

// promoteObservation makes an observation ready whatever its count and renders
// it at once.
func (p *Project) promoteObservation(ctx context.Context, s *store.Snapshot, item catalog.Item, dryRun bool) (Done, error) {
	o := s.Log.Get(item.ID)
	if o == nil {
		return Done{}, &catalog.NotFoundError{Name: item.ID}
	}
	observe.PromoteByHand(o)
	s.Log.Put(o)
	return p.renderOnly(ctx, &request{snapshot: s, ids: []string{o.ID}}, dryRun)
}

// RenderNamed renders what a person names, if it is due.
func (p *Project) RenderNamed(ctx context.Context, names []string, dryRun bool) (Done, error) {
	return attempt(p, func(s *store.Snapshot) (Done, error) {
		r := &request{snapshot: s, again: true}
		for _, name := range names {
			item, err := catalog.Find(catalog.Named(s, verdict.View{}, name), name)
			switch {
			case err != nil:
				return Done{}, err
			case s.Log.Get(item.Observation) == nil:
				return Done{}, fmt.Errorf("%s came of no observation in this clone: there is nothing to render it from", item.Name())
			}
			r.ids = append(r.ids, s.Log.Get(item.Observation).ID)
		}
		return p.renderOnly(ctx, r, dryRun)
	})
}

// wouldBe stands before what a dry run does not do.
const wouldBe = "would be done: "

// request is what a person asked to be rendered of a snapshot, and what else is to be
// written with it.
type request struct {
	snapshot   *store.Snapshot
	by         catalog.Reviewer
	ids        []string // of observations
	superseded []superseded
	changes    []store.Change
	said       []string
	again      bool // to write what stands is asked for in vain
}

// superseded is an item in whose place an observation's artifact comes.
type superseded struct {
	item catalog.Item
	by   string
}

// NotWrittenError says why something that a person asked for was not written.
type NotWrittenError struct{ Reasons []string }

func (e *NotWrittenError) Error() string {
	return "not written: " + strings.Join(e.Reasons, "; ")
}

// renderOnly renders what was asked for and stores it with the log. What is not written
// is an error; what else there was to write is written all the same.
func (p *Project) renderOnly(ctx context.Context, r *request, dryRun bool) (Done, error) {
	plan := render.Plan{Log: r.snapshot.Log}
	if len(r.ids) > 0 {
		var err error
		if plan, err = p.planRender(ctx, r.snapshot, RenderOptions{Only: r.ids}); err != nil {
			return Done{}, err
		}
	}
	for _, old := range r.superseded {
		if err := r.supersede(&plan, old); err != nil {
			return Done{}, err
		}
	}
	plan.Changes = append(plan.Changes, r.changes...)
	done := Done{Said: r.said, Rendered: plan.Rendered, Diff: plan.Diff(), changes: plan.Changes}
	wrote, updated := "wrote", "updated"
	if dryRun {
		wrote, updated = "would write", "would update"
		for i, line := range done.Said {
			done.Said[i] = wouldBe + line
		}
	}
	done.Said = append(done.Said, Wrote(plan, wrote, updated)...)
	reasons := r.unwritten(plan, &done)
	if !dryRun {
		if err := p.apply(ctx, plan, true); err != nil {
			return Done{}, err
		}
	}
	if len(reasons) > 0 {
		return done, &NotWrittenError{reasons}
	}
	return done, nil
}

// unwritten says why a plan writes nothing of what was asked for. What stands already
// is said.
func (r *request) unwritten(plan render.Plan, done *Done) []string {
	var reasons []string
	for _, id := range r.ids {
		o := plan.Log.Get(id)
		why := cmp.Or(observe.Missing(o, r.snapshot.Config.Thresholds), "there is nothing to write")
		if o.Status == observe.Deprecated {
			why = "a person retired it"
		}
		for _, skipped := range plan.Skipped {
			if skipped.Observation == id {
				why = skipped.Reason
			}
		}
		for _, row := range plan.Manifest.Rows {
			switch place := row.Place(); {
			case row.ObservationID != id && !slices.Contains(o.Aliases, row.ObservationID):
			case slices.Contains(plan.Rendered, place):
				why = ""
			case why != "" && r.again:
				why = place + " stands already"
			case why != "":
				why = ""
				done.Said = append(done.Said, "known already: "+place)
			}
		}
		if why != "" && len(r.ids) > 1 {
			why = o.Title() + ": " + why
		}
		if why != "" {
			reasons = append(reasons, why)
		}
	}
	return reasons
}

// supersede plans that an item says what came in its place.
func (r *request) supersede(plan *render.Plan, old superseded) error {
	written, _ := cmp.Or(plan.Manifest, r.snapshot.Manifest).Row(knowledge.Key{Observation: old.by, Kind: knowledge.Kind(old.item.Kind)})
	if written.Path == "" {
		return fmt.Errorf("%s is %s, and what was added becomes something else: one kind supersedes its own", old.item.Name(), old.item.Kind)
	}
	at := slices.IndexFunc(plan.Changes, func(c store.Change) bool { return c.Path == old.item.Path })
	if at < 0 { // else both are in one book
		at = len(plan.Changes)
		data := r.snapshot.Before(old.item.Path)
		plan.Changes = append(plan.Changes, store.Change{Path: old.item.Path, Before: data, After: data})
	}
	by, says := written.Anchor, r.snapshot.Before(written.Path)
	for _, c := range plan.Changes {
		if c.Path == written.Path {
			says = c.After
		}
	}
	if l, err := lesson.Parse(written.Path, says); err == nil && isLesson(written.Path) {
		by = l.ID
	}
	text, err := catalog.Superseded(old.item, plan.Changes[at].After, by)
	if err != nil {
		return err
	}
	plan.Changes[at].After = text
	r.said = append(r.said, old.item.Name()+" is superseded by "+written.Place())
	if o := plan.Log.Get(old.item.Observation); o != nil {
		plan.Log = plan.Log.Clone()
		observe.Deprecate(o, r.by.At)
		plan.Log.Put(o)
	}
	return nil
}
