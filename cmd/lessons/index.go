package main

import (
	"context"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

type indexCommand struct {
	jsonOutput
}

// Run prints the index. It reads the knowledge files only.
func (c *indexCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	if !c.JSON {
		text, problems, err := p.IndexText(ctx)
		inv.warn(problems)
		inv.block(text)
		return err
	}
	in, problems, err := p.IndexInput(ctx)
	inv.warn(problems)
	if err != nil {
		return err
	}
	return printLines(inv, entry.IndexEntries(in))
}
