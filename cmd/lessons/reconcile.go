package main

import (
	"context"
	"strings"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/reconcile"
)

type reconcileCommand struct {
	jsonOutput
	Write bool `help:"Also record it in the manifest (a tracked file), for every clone."`
}

// Run asks git and reports.
func (c *reconcileCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	r, err := p.Reconcile(ctx, c.Write)
	if err := inv.warnBesides(err, r.Problems); err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(r.Report)
	}
	for _, item := range r.Items {
		if item.Answer != reconcile.Unchanged && item.Answer != reconcile.NoRow {
			inv.printf("%-10s %s%s\n", item.Answer, knowledge.Place(item.Path, item.Anchor), because(item))
		}
	}
	inv.printf("%s\n", r.Summary())
	return nil
}

func because(i reconcile.Item) string {
	words := i.Reason
	if i.By != "" {
		words += " by " + i.By
	}
	if i.To != "" {
		words = "now " + i.To
	}
	if words == "" {
		return ""
	}
	return "  (" + strings.TrimSpace(words) + ")"
}
