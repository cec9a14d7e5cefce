package main

import (
	"context"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/knowledge/store"

	"github.com/aymanbagabas/go-udiff"
)

type diffCommand struct {
	ID        string `arg:"" help:"An item, as in blame."`
	Committed bool   `help:"Against the last commit instead of what was rendered."`
	Words     bool   `help:"Show changed words instead of lines."`
}

// Run compares two versions of the item.
func (c *diffCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	t, err := traced(ctx, p, s, c.ID)
	if err != nil {
		return err
	}
	v := t.Versions()
	from, name := v.Rendered, "rendered"
	if c.Committed {
		from, name = v.Committed, "committed"
	}
	if from == "" && !c.Committed {
		return withHint(errNoRendered, "lessons diff --committed %s shows what is not committed", c.ID)
	}
	switch {
	case from == v.Current:
		inv.printf("as %s\n", name)
	case c.Words:
		inv.block(review.Marked(review.Words(from, v.Current)))
	default:
		inv.block(udiff.Unified(name+" "+t.ID, "current "+t.ID, from, v.Current))
	}
	return nil
}
