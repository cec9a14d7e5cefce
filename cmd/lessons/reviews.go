package main

import (
	"context"

	"github.com/lessons-cli/lessons/migrate"
)

// reviews makes drafts of what reviewers state as rules: an import of the comments, whose
// drafts hold nobody to anything before a person promotes them.
func (c *scanCommand) reviews(ctx context.Context, inv *invocation) error {
	p, err := inv.project(ctx)
	if err != nil {
		return err
	}
	in := importCommand{jsonOutput: c.jsonOutput, Format: migrate.Reviews, Paths: c.Reviews, DryRun: c.DryRun, Quiet: c.Quiet}
	in.Yes = true
	return in.Run(ctx, inv, p)
}
