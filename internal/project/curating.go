package project

import (
	"context"
	"fmt"

	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// Verb is what a person does with an item.
type Verb string

// The verbs (rulings 23, 24).
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
}

// Curate carries out a verb on an item of the snapshot.
func (p *Project) Curate(ctx context.Context, s *store.Snapshot, item catalog.Item, verb Verb, dryRun bool) (Done, error) {
	by := catalog.Reviewer{Name: p.User, At: p.Now()}
	var t store.Transaction
	var said string
	var err error
	switch verb {
	case Promote:
		if item.Kind == catalog.KindObservation {
			return p.promoteObservation(ctx, s, item, dryRun)
		}
		t, said, err = catalog.Promote(s, item, by)
	case Archive:
		t, said, err = catalog.ArchiveLesson(s, item, by)
	case Deprecate:
		t, said, err = catalog.DeprecateItem(s, item, by)
	}
	if err != nil {
		return Done{}, err
	}
	done := Done{Said: []string{said}, Diff: render.Diff(t.Changes)}
	if dryRun {
		return done, nil
	}
	return done, p.write(ctx, t, t.Changes, false)
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
	return p.renderOnly(ctx, s, []string{o.ID}, dryRun)
}

// renderOnly renders some observations of a changed snapshot and stores both.
func (p *Project) renderOnly(ctx context.Context, s *store.Snapshot, ids []string, dryRun bool) (Done, error) {
	plan, err := p.planRender(ctx, s, RenderOptions{Only: ids, Watched: true})
	if err != nil {
		return Done{}, err
	}
	done := Done{Rendered: plan.Rendered, Diff: plan.Diff()}
	for _, r := range plan.Rendered {
		done.Said = append(done.Said, "wrote "+r)
	}
	for _, skipped := range plan.Skipped {
		done.Said = append(done.Said, fmt.Sprintf("%s was not written: %s", skipped.Observation, skipped.Reason))
	}
	if dryRun {
		return done, nil
	}
	return done, p.apply(ctx, plan, true)
}
