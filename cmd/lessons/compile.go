package main

import (
	"context"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type compileCommand struct{}

// Run compiles and tells what keeps a lesson from applying.
func (c *compileCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	if _, err := p.Stale(ctx, s); err != nil {
		return err
	}
	problems, err := p.Compile(ctx)
	inv.warn(problems)
	if err == nil {
		inv.printf("compiled the index that hooks read\n")
	}
	return err
}
