package main

import (
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type searchCommand struct {
	jsonOutput
	Words []string `arg:"" help:"What to look for."`
	Tool  string   `help:"Only with this tool tag." placeholder:"NAME"`
	Path  string   `help:"Only in files whose path contains this." placeholder:"PART"`
	Level string   `enum:",low,medium,high,critical" default:"" help:"Only lessons of this level."`
	Limit int      `default:"20" help:"At most this many hits."`
}

// Run prints the hits, best first.
func (c *searchCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	hits := catalog.Search(catalog.All(s, p.View(ctx, s)), c.wants, c.Words, max(c.Limit, 0))
	if c.JSON {
		return printLines(inv, hits)
	}
	if len(hits) == 0 {
		inv.printf("nothing found; lessons list --observations shows everything\n")
		return nil
	}
	printItems(inv, p.Root, slices.Values(lists.Map(hits, func(i catalog.Item) itemTold { return itemTold{Item: i} })))
	return nil
}

func (c *searchCommand) wants(i catalog.Item) bool {
	if c.Tool != "" && !slices.Contains(i.Tags, "tool:"+c.Tool) {
		return false
	}
	return strings.Contains(i.Path, c.Path) && (c.Level == "" || i.Level == c.Level)
}
