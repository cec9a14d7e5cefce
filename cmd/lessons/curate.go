package main

import (
	"context"
	"errors"
	"strings"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type promoteCommand struct {
	jsonOutput
	ID     string `arg:"" help:"A draft lesson, a proposed decision (ADR-001) or an observation."`
	User   bool   `help:"Copy the lesson to those for all your repositories."`
	DryRun bool   `help:"Show the diff and write nothing."`
}

// Run carries out the person's word.
func (c *promoteCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	if !c.User {
		return inv.curate(ctx, p, s, c.ID, project.Promote, c.DryRun, c.JSON)
	}
	item, err := find(catalog.Named(s, p.View(ctx, s), c.ID), c.ID)
	if err != nil {
		return err
	}
	done, err := p.PromoteToUser(ctx, s, item, c.DryRun)
	if errors.Is(err, project.ErrNotActive) {
		return withHint(err, "accept it here first: lessons promote %s", item.Name())
	}
	return inv.printDone(done, err, c.DryRun, c.JSON)
}

type deprecateCommand struct {
	jsonOutput
	ID     string `arg:"" help:"An entry (ADR-001) or an observation."`
	DryRun bool   `help:"Show the diff and write nothing."`
}

// Run carries out the person's word.
func (c *deprecateCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	return inv.curate(ctx, p, s, c.ID, project.Deprecate, c.DryRun, c.JSON)
}

func (inv *invocation) curate(ctx context.Context, p *project.Project, s *store.Snapshot, id string, verb project.Verb, dryRun, asJSON bool) error {
	at, err := inv.locate(ctx, p, s, id)
	if err != nil {
		return err
	}
	done, err := at.p.Curate(ctx, at.s, at.item, verb, dryRun)
	for i, line := range done.Said {
		done.Said[i] = strings.ReplaceAll(line, at.item.Path, at.shown())
	}
	return inv.printDone(done, err, dryRun, asJSON)
}

// printDone tells what a person's word changed, also where not all of it was done.
func (inv *invocation) printDone(done project.Done, err error, dryRun, asJSON bool) error {
	if asJSON {
		if err != nil {
			return err
		}
		return inv.printJSON(done)
	}
	if dryRun {
		inv.block(done.Diff)
	}
	inv.lines(done.Said)
	return err
}

type clearCommand struct {
	consent
	Invalid bool `help:"Only drop log lines that cannot be read, after a backup."`
	DryRun  bool `help:"Say what would be dropped and drop nothing."`
}

// Run forgets, after asking.
func (c *clearCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	plan, err := p.PlanClear(c.Invalid)
	if err != nil {
		return err
	}
	if plan.Lines == 0 {
		inv.printf("nothing to drop\n")
		return nil
	}
	inv.printf("%s\n", plan.Words)
	if c.DryRun {
		return nil
	}
	if err := c.agree(ctx, inv, "Do it?"); err != nil {
		return err
	}
	if err := p.Clear(plan); err != nil {
		return err
	}
	inv.printf("done; a copy is in %s\n", plan.Backup)
	return nil
}
