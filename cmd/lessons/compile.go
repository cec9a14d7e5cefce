package main

import (
	"context"

	"github.com/lessons-cli/lessons/internal/project"
)

type compileCommand struct{}

func (compileCommand) Help() string {
	return `Makes the index of active lessons that hooks read at every tool call. Hooks and the commands that change lessons do
this by themselves.

Example:
  lessons compile

Exit status: 0, also when some lesson never applies (named on standard error); 1 when the index cannot be written.`
}

// Run compiles and tells what keeps a lesson from applying.
func (c *compileCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	problems, err := p.Compile(ctx)
	inv.warn(problems)
	return err
}
