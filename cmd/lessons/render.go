package main

import (
	"context"
	"fmt"

	"github.com/lessons-cli/lessons/internal/project"
)

type renderCommand struct {
	jsonOutput
	IDs    []string `arg:"" optional:"" name:"ID" help:"Of observations; default: all that are ready."`
	DryRun bool     `help:"Show the diff and write nothing."`
}

// Run plans, shows or writes, and says what to do next.
func (c *renderCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	plan, err := p.Render(ctx, project.RenderOptions{Only: c.IDs, DryRun: c.DryRun})
	inv.warn(besides(err, plan.Problems))
	if err != nil {
		return err
	}
	if c.JSON {
		rendered := plan.Rendered
		if rendered == nil {
			rendered = []string{}
		}
		notices := append([]string{}, plan.Notices...)
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
	if len(plan.Rendered) == 0 && len(c.IDs) > 0 {
		return fmt.Errorf("nothing was written: lessons show %s says what is missing; lessons promote %s writes it all the same", c.IDs[0], c.IDs[0])
	}
	if len(plan.Rendered) == 0 {
		inv.printf("nothing is ready; lessons list --observations shows what is gathering\n")
		return nil
	}
	if c.DryRun {
		return nil
	}
	for _, r := range plan.Rendered {
		inv.printf("wrote %s\n", r)
	}
	inv.printf("\nReview with git diff and git status, edit or delete what you like, and commit.\n")
	return nil
}
