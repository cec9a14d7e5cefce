package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type layoutCommand struct {
	jsonOutput
	consent
	To     string `arg:"" optional:"" enum:"book,files," default:"" help:"book: two files; files: one file an entry, which never conflicts."`
	DryRun bool   `help:"Show what would change and change nothing."`
}

// Run converts, or says which layout there is.
func (c *layoutCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	if c.To == "" && !c.JSON {
		inv.printf("layout %s\n", s.Config.Layout)
		return nil
	}
	c.To = cmp.Or(c.To, string(s.Config.Layout))
	plan, err := p.PlanLayout(ctx, s, entry.Layout(c.To))
	if errors.Is(err, project.ErrUncommitted) {
		return withHint(err, "commit or stash them, so that the conversion is a commit of its own")
	}
	if err != nil {
		return err
	}
	if len(plan.Branches) > 0 && !c.JSON {
		inv.printf("not merged here, with changes of entries: %s\nMerging them after the conversion will conflict; merge them first if you can.\n", strings.Join(plan.Branches, ", "))
	}
	if err := c.convert(ctx, inv, p, plan); err != nil {
		return err
	}
	switch {
	case c.JSON:
		return inv.printJSON(layoutFacts(plan))
	case len(plan.Changes) == 0:
		inv.printf("layout %s\n", plan.To)
		return nil
	}
	wrote, removed := "wrote  ", "removed"
	if c.DryRun {
		wrote, removed = "would write ", "would remove"
	}
	for _, change := range plan.Changes {
		word := wrote
		if change.After == nil {
			word = removed
		}
		inv.printf("%s %s\n", word, change.Path)
	}
	if !c.DryRun {
		inv.printf("\n%d entries in layout %s. Next: git add -A .lessons .memory, and commit that alone\n", plan.Entries, plan.To)
	}
	return nil
}

func (c *layoutCommand) convert(ctx context.Context, inv *invocation, p *project.Project, plan *project.Conversion) error {
	if c.DryRun {
		return nil
	}
	if len(plan.Changes) == 0 {
		return p.Convert(plan) // a crash came between the entries and their rows
	}
	if err := c.agree(ctx, inv, fmt.Sprintf("Convert %s to layout %s?", count(plan.Entries, "entry", "entries"), plan.To)); err != nil {
		return err
	}
	return p.Convert(plan)
}

func layoutFacts(plan *project.Conversion) any {
	return struct {
		From     entry.Layout `json:"from"`
		To       entry.Layout `json:"to"`
		Entries  int          `json:"entries"`
		Branches []string     `json:"unmerged_branches"`
	}{plan.From, plan.To, plan.Entries, append([]string{}, plan.Branches...)}
}
