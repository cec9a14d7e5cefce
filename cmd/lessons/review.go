package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/review/terminal"
)

type reviewCommand struct {
	jsonOutput
	Only string `placeholder:"REASON" help:"Only what waits for one reason: guard, draft, proposed, divergent, withdrawn, stale, undelivered or unused."`
	ID   string `arg:"" optional:"" help:"Begin with this item."`
}

// Run walks a person through what waits. Without a terminal it is a list.
func (c *reviewCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	if c.Only != "" && !slices.Contains(review.Whys, review.Why(c.Only)) {
		return usageError{fmt.Errorf("--only %s: no such reason; there are %s", c.Only, joined(review.Whys))}
	}
	desk := p.Desk(ctx)
	queue, err := desk.Queue()
	if err != nil {
		return err
	}
	if c.Only != "" {
		queue = lists.Filter(queue, func(i review.Item) bool { return i.Is(review.Why(c.Only)) })
	}
	session := &review.Session{Waiting: queue}
	if c.ID != "" {
		session.At = slices.IndexFunc(queue, func(i review.Item) bool { return i.Name == c.ID || i.Place == c.ID || strings.HasPrefix(i.Name, c.ID) })
		if session.At < 0 {
			return withHint(fmt.Errorf("%s does not wait for review", c.ID), "lessons review --json lists what does")
		}
	}
	switch {
	case c.JSON:
		return printDetails(inv, desk, queue)
	case len(queue) == 0:
		inv.printf("nothing waits for review\n")
		return nil
	case !inv.sys.interactive:
		printQueue(inv, queue)
		return nil
	}
	screen := terminal.Screen{In: inv.sys.stdin, Out: inv.sys.screen, Edit: inv.sys.typed, Keep: func(name string, text []byte) string {
		file, _ := p.KeepTyped(name, text)
		return file
	}}
	if err := screen.Run(ctx, desk, session); err != nil {
		return err
	}
	if n := session.Decisions(); n > 0 {
		inv.printf("%s; look at them with git diff, and commit what you want to keep\n", count(n, "decision", "decisions"))
	}
	inv.printf("%d still waiting\n", len(session.Waiting))
	return nil
}

func joined(whys []review.Why) string {
	return strings.Join(lists.Map(whys, func(w review.Why) string { return string(w) }), ", ")
}

// printQueue is the queue where nobody can be asked, an item a line.
func printQueue(inv *invocation, queue []review.Item) {
	t := plain.Table{Columns: []plain.Column{{Name: "WAITS AS"}, {Name: "NAME", Shrinks: true}, {Name: "TITLE", Shrinks: true}}}
	for _, i := range queue {
		whys := lists.Map(i.Reasons, func(r review.Reason) review.Why { return r.Why })
		t.Rows = append(t.Rows, plain.Row{Cells: []string{joined(whys), i.Name, i.Title}})
	}
	inv.sys.stdout.Table(t)
	inv.printf("\n%s. lessons review at a terminal walks through them; promote, archive and edit decide about one.\n", count(len(queue), "thing waits", "things wait"))
	unused := lists.Filter(queue, func(i review.Item) bool {
		return slices.ContainsFunc(i.Reasons, func(r review.Reason) bool { return r.Why == review.Unused })
	})
	if len(unused) > 0 {
		inv.printf("%d unused: lessons archive --unused archives them all, after asking.\n", len(unused))
	}
}

// printDetails prints what a person would read of each item, a line of JSON each.
func printDetails(inv *invocation, desk *project.Desk, queue []review.Item) error {
	details, err := desk.Details(queue)
	if err != nil {
		return err
	}
	type told struct {
		review.Item
		review.Detail
		Diff string `json:"diff,omitempty"`
	}
	all := make([]told, len(queue))
	for n, d := range details {
		all[n] = told{Item: queue[n], Detail: d}
		if d.Other != "" {
			all[n].Diff = review.Marked(review.Words(d.Other, cmp.Or(d.Text, d.Agent)))
		}
	}
	return printLines(inv, all)
}
