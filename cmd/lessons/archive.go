package main

import (
	"context"
	"errors"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type archiveCommand struct {
	jsonOutput
	consent
	ID     string `arg:"" optional:"" help:"A lesson."`
	Unused bool   `help:"Archive every lesson that nobody uses, after asking: drafts that nobody touched for 30 days, and machine-made lessons that no call matched in 90 days although their program ran."`
	DryRun bool   `help:"Show the diff and write nothing."`
}

// Run carries out the person's word.
func (c *archiveCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	switch {
	case c.Unused == (c.ID != ""):
		return usageError{withHint(errors.New("archive takes a lesson or --unused"), "see: lessons help archive")}
	case c.Unused:
		return c.unused(ctx, inv, p, s)
	}
	return inv.curate(ctx, p, s, c.ID, project.Archive, c.DryRun, c.JSON)
}

func (c *archiveCommand) unused(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	found, err := p.Unused(ctx, s)
	if err != nil {
		return err
	}
	if !c.JSON {
		c.list(inv, s, found)
	}
	if len(found) > 0 && !c.DryRun {
		if err := c.agree(ctx, inv, "Archive "+count(len(found), "lesson", "lessons")+"?"); err != nil {
			return err
		}
	}
	done, err := p.ArchiveAll(ctx, lists.Map(found, func(f review.Finding) string { return f.Place }), c.DryRun)
	return inv.printDone(done, err, c.DryRun, c.JSON)
}

// list says what is unused, and why.
func (c *archiveCommand) list(inv *invocation, s *store.Snapshot, found []review.Finding) {
	if len(found) == 0 {
		inv.printf("nothing is unused\n")
	}
	for _, f := range found {
		title := ""
		if l := s.Lesson(f.Place); l != nil {
			title = l.Title
		}
		inv.printf("%s: %s (%s)\n", f.Place, title, f.Reason.Text)
	}
}
