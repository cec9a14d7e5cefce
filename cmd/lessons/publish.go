package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/publish"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

type publishCommand struct {
	jsonOutput
	consent
	To     []string `sep:"," placeholder:"TARGET" help:"Publish there from now on: agents-md, claude, cursor, copilot; none takes out what was published."`
	DryRun bool     `help:"Show what would change and change nothing."`
}

// Run plans, shows, and writes when the person agrees.
func (c *publishCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	chosen := len(c.To) > 0
	c.To = slices.DeleteFunc(c.To, func(name string) bool { return name == "none" || name == "" })
	for _, name := range c.To {
		if _, ok := publish.Named(name); !ok {
			return usageError{withHint(fmt.Errorf("no target %q", name), "known: %s, none", targetNames())}
		}
	}
	plan, err := p.PlanPublish(ctx, c.To, chosen)
	if err != nil {
		return err
	}
	if len(plan.Changes) > 0 && !c.DryRun {
		if !c.JSON && !c.Yes {
			inv.block(render.Diff(plan.Changes))
		}
		if err := c.agree(ctx, inv, "Write these changes?"); err != nil {
			return err
		}
		if err := p.Publish(ctx, plan); err != nil {
			return err
		}
	}
	if c.JSON {
		err = inv.printJSON(publishFacts(plan))
	} else {
		c.words(inv, plan)
	}
	if err == nil && len(plan.Kept) > 0 {
		err = errors.New("not everything was published: see above")
	}
	return err
}

func (c *publishCommand) words(inv *invocation, plan *project.Publication) {
	if c.DryRun {
		inv.block(render.Diff(plan.Changes))
	}
	for _, change := range plan.Changes {
		switch {
		case c.DryRun:
		case change.After == nil:
			inv.printf("removed %s: it is published there no more\n", change.Path)
		default:
			inv.printf("wrote   %s\n", change.Path)
		}
	}
	inv.lines(plan.Kept)
	inv.lines(plan.Notes)
	switch {
	case len(plan.Targets) == 0:
		inv.printf("nothing is published here. Choose where: lessons publish --to agents-md (known: %s)\n", targetNames())
	case plan.Unreviewed > 0:
		inv.printf("%s of others left out until somebody here reviewed them: lessons trust\n", count(plan.Unreviewed, "active lesson", "active lessons"))
	case len(plan.Changes) == 0 && len(plan.Kept) == 0:
		inv.printf("everything is published as it is\n")
	}
}

func targetNames() string {
	return strings.Join(lists.Map(publish.All, func(t publish.Target) string { return t.Name }), ", ")
}

func publishFacts(plan *project.Publication) any {
	type change struct {
		Path    string `json:"path"`
		Removed bool   `json:"removed,omitempty"`
	}
	facts := struct {
		Targets    []string `json:"targets"`
		Changes    []change `json:"changes"`
		Kept       []string `json:"kept"`
		Notes      []string `json:"notes"`
		Unreviewed int      `json:"unreviewed"`
	}{append([]string{}, plan.Targets...), []change{}, append([]string{}, plan.Kept...), append([]string{}, plan.Notes...), plan.Unreviewed}
	facts.Changes = append(facts.Changes, lists.Map(plan.Changes, func(c store.Change) change { return change{c.Path, c.After == nil} })...)
	return facts
}
