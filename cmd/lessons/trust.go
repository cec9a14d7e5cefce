package main

import (
	"context"
	"fmt"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type trustCommand struct {
	jsonOutput
	consent
	Revoke bool `help:"Take all trust in this clone back."`
}

// Run shows what wants to act, and trusts it when the person agrees.
func (c *trustCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	if c.Revoke {
		return p.Distrust(ctx)
	}
	state := p.TrustState(ctx, s)
	if c.JSON {
		return inv.printJSON(state)
	}
	open := 0
	for _, l := range state.Lessons {
		word := "trusted"
		if !l.Trusted {
			word = "not trusted"
			open++
		}
		what := l.Action
		if l.Guard {
			what += ", guard"
		}
		inv.printf("%-12s %s  (%s)\n", word, l.Path, what)
	}
	if open == 0 {
		inv.printf("all active lessons are trusted here\n")
		return nil
	}
	if err := c.agree(ctx, inv, fmt.Sprintf("Read them first. Trust these %d? They may hold an agent's calls back.", open)); err != nil {
		return err
	}
	return p.Trust(ctx, s)
}
