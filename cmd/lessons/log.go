package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/lessons-cli/lessons/internal/history"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type logCommand struct {
	jsonOutput
	ID string `arg:"" optional:"" help:"An item, as in blame; without one: everything."`
	N  int    `short:"n" default:"50" help:"At most this many, newest first; 0: all."`
}

// logLine is an event and what it was done to.
type logLine struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	history.Event
}

// Run lists the events.
func (c *logCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	lines, err := c.lines(ctx, p, s)
	if err != nil {
		return err
	}
	slices.SortStableFunc(lines, func(a, b logLine) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(a.ID, b.ID))
	})
	if c.N > 0 {
		lines = lines[:min(c.N, len(lines))]
	}
	columns := []plain.Column{{Name: "NAME", Shrinks: true}, {Name: "COMMIT"}, {Name: "WHEN"}, {Name: "WHAT HAPPENED", Shrinks: true}, {Name: "COMMITTED", Shrinks: true}}
	return printListed(inv, c.JSON, lines, "nothing is committed yet", columns, func(l logLine) plain.Row {
		what, who := eventWords(l.Event)
		return plain.Row{Cells: []string{lessonName(l.ID), shortID(l.Commit), inv.day(l.Time), what, who}}
	})
}

func (c *logCommand) lines(ctx context.Context, p *project.Project, s *store.Snapshot) ([]logLine, error) {
	var all []*project.Trace
	if c.ID == "" {
		var err error
		if all, err = p.Chronicle(ctx, s); err != nil {
			return nil, err
		}
	} else {
		t, err := traced(ctx, p, s, c.ID)
		if err != nil {
			return nil, err
		}
		all = []*project.Trace{t}
	}
	var lines []logLine
	for _, t := range all {
		for _, e := range slices.Backward(t.Events) {
			lines = append(lines, logLine{t.ID, t.Title, e})
		}
	}
	return lines, nil
}
