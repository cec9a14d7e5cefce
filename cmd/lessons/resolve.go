package main

import (
	"cmp"
	"context"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
)

type resolveCommand struct {
	jsonOutput
	DryRun      bool `help:"Show what would change and change nothing."`
	KeepNumbers bool `help:"Merge files only, as between several merges: numbers that two entries share stay."`
}

// Run repairs, and says what became of every number.
func (c *resolveCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	r, err := p.Resolve(ctx, project.ResolveOptions{DryRun: c.DryRun, KeepNumbers: c.KeepNumbers})
	if err != nil {
		return err
	}
	left := len(r.Left) + len(r.Unproved)
	if c.JSON {
		err = inv.printJSON(r)
	} else {
		word := ""
		if c.DryRun {
			word = "would be "
		}
		for _, path := range r.Repaired {
			inv.printf("%smerged      %s\n", word, path)
		}
		for _, path := range r.Untrusted {
			inv.printf("read        %s: others wrote words of it, and your commit trusts them\n", path)
		}
		for _, n := range r.Renumbered {
			inv.printf("%srenumbered  %s -> %s  %s\n", word, n.From, n.To, shorten(n.Title, 60))
		}
		for _, w := range r.Rewritten {
			inv.printf("%srewritten   %s:%d  %s -> %s\n", word, w.Path, w.Line, w.From, w.To)
		}
		if len(r.Unproved) > 0 {
			inv.printf("\nThese citations may have meant the entry that got a new number; nothing proves it. Apply what is right (git apply):\n\n%s", plain.Block(r.Patch))
		}
		for _, l := range r.Left {
			inv.printf("left        %s\n", l.Said())
		}
		for _, l := range r.Similar {
			inv.printf("similar     %s\n", l.Said())
		}
		switch {
		case !r.Changed() && left+len(r.Similar) == 0:
			inv.printf("nothing to repair\n")
		case r.Changed() && !c.DryRun:
			inv.printf("\nNext: look at git diff, then git add -A .lessons .memory and commit\n")
		}
	}
	return cmp.Or(err, foundAny(left))
}
