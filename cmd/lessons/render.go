package main

import (
	"context"
	"errors"

	"github.com/lessons-cli/lessons/internal/project"
)

type renderCommand struct {
	jsonOutput
	IDs    []string `arg:"" optional:"" name:"ID" help:"Observations, or what became of them; default: all that are ready."`
	DryRun bool     `help:"Show the diff and write nothing."`
}

// Run plans, shows or writes, and says what to do next.
func (c *renderCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	if len(c.IDs) > 0 {
		done, err := p.RenderNamed(ctx, c.IDs, c.DryRun)
		if _, unwritten := errors.AsType[*project.NotWrittenError](err); unwritten {
			err = withHint(err, "lessons show %s says what is known of it, and lessons promote writes it all the same", c.IDs[0])
		}
		return inv.printDone(done, err, c.DryRun, c.JSON)
	}
	plan, err := p.Render(ctx, project.RenderOptions{DryRun: c.DryRun})
	if err := inv.warnBesides(err, plan.Problems); err != nil {
		return err
	}
	if c.JSON {
		rendered, notices := append([]string{}, plan.Rendered...), append([]string{}, plan.Notices...)
		return inv.printJSON(map[string]any{"rendered": rendered, "skipped": len(plan.Skipped), "notices": notices})
	}
	if c.DryRun {
		inv.block(plan.Diff())
	}
	for _, notice := range plan.Notices {
		inv.printf("note: %s\n", notice)
	}
	for _, s := range plan.Skipped {
		inv.printf("skipped %s: %s\n", s.Observation, s.Reason)
	}
	if len(plan.Rendered) == 0 {
		inv.printf("nothing is ready; lessons list --observations shows what is gathering\n")
		return nil
	}
	if c.DryRun {
		return nil
	}
	inv.lines(project.Wrote(plan.Plan, "wrote", "updated"))
	inv.printf("\nReview with git diff and git status, edit or delete what you like, and commit.\n")
	return nil
}
