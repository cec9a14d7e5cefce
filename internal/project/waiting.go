package project

import (
	"context"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// Waiting says what is missing, by ids: of every observation that is no file yet, and of
// drafts and proposals that hold without saying so.
func (p *Project) Waiting(ctx context.Context, s *store.Snapshot) (map[string]string, error) {
	options := render.Options{View: p.View(ctx, s)}
	plan, err := p.planWithPast(s, &options)
	if err != nil {
		return nil, err
	}
	missing := render.Waiting(s, options.View, plan)
	const holds = "agents follow it already, because of its evidence; lessons render writes that it is active"
	for _, l := range p.effective(ctx, s).All() {
		if l.Status == lesson.Active {
			missing[l.ID] = holds
		}
	}
	for _, e := range p.gate(ctx).decided(s).All() {
		if e.Active() {
			missing[e.ID()] = holds
		}
	}
	return missing, nil
}
