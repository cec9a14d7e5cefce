package main

import (
	"context"
	"fmt"

	"github.com/lessons-cli/lessons/internal/project"
)

type statuslineCommand struct{ jsonOutput }

// Run prints one line; nothing where lessons is not set up, or where something is wrong: the
// line is another program's.
func (c *statuslineCommand) Run(ctx context.Context, inv *invocation) error {
	p, err := inv.project(ctx)
	if err != nil || !p.SetUp() {
		return nil
	}
	s, err := p.Store.Load()
	if err != nil {
		return nil
	}
	g := p.Glance(ctx, s)
	if c.JSON {
		return inv.printJSON(g)
	}
	inv.printf("%s\n", glance(g))
	return nil
}

func glance(g project.Glance) string {
	line := fmt.Sprintf("lessons: %d active", g.Lessons)
	if g.Entries > 0 {
		line += " · " + count(g.Entries, "entry", "entries")
	}
	if g.Ready > 0 {
		line += fmt.Sprintf(" · %d ready to write", g.Ready)
	}
	if g.Review > 0 {
		line += " · " + count(g.Review, "draft", "drafts")
	}
	return line
}
