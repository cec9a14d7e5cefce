package main

import (
	"context"

	"github.com/lessons-cli/lessons/internal/project"
)

type compileCommand struct{}

// Run compiles and tells what keeps a lesson from applying.
func (c *compileCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	problems, err := p.Compile(ctx)
	inv.warn(problems)
	return err
}
