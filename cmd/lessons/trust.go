package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type trustCommand struct {
	jsonOutput
	consent
	Revoke bool `help:"Take all trust in this clone back."`
}

var errStillUntrusted = errors.New("not everything is trusted")

// Run shows what others wrote, and trusts it when the person agrees.
func (c *trustCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	if c.Revoke {
		if err := p.Distrust(ctx); err != nil {
			return err
		}
		return c.say(ctx, inv, p, "nothing is trusted in this clone any more")
	}
	state := p.TrustState(ctx, s)
	for i, l := range state.Lessons {
		state.Lessons[i].Says = s.Lesson(l.Path).Shown()
	}
	if c.JSON {
		return inv.printJSON(state)
	}
	printTrust(inv, state, c.Yes)
	waits := state.String()
	if waits == "" {
		inv.printf("everything here is trusted\n")
		return nil
	}
	if err := c.agree(ctx, inv, fmt.Sprintf("Read it first. Trust %s? Lessons may hold an agent's calls back.", waits)); err != nil {
		return err
	}
	if err := p.Trust(ctx, s); err != nil {
		return err
	}
	return c.say(ctx, inv, p, "trusted "+waits+"; so is what is merged into the upstream's default branch, except guards, rewrites and settings")
}

// say tells what was done, and what is not trusted all the same.
func (c *trustCommand) say(ctx context.Context, inv *invocation, p *project.Project, done string) error {
	s, err := p.Store.Load()
	if err != nil {
		return err
	}
	waits := p.TrustState(ctx, s).String()
	switch {
	case c.Revoke && waits != "":
		done += ", and this only informs, marked as unreviewed: " + waits
	case waits != "":
		return withHint(fmt.Errorf("%w: %s", errStillUntrusted, waits), "somebody changed them meanwhile: lessons trust shows them")
	}
	inv.printf("%s\n", done)
	return nil
}

// printTrust lists what others wrote, and what of it is trusted, or with agreed becomes so.
func printTrust(inv *invocation, state project.TrustState, agreed bool) {
	word := map[bool]string{true: "trusted", false: "not trusted"}
	if agreed {
		word[false] = "to trust"
	}
	for _, l := range state.Lessons {
		what := l.Action
		if l.Guard {
			what += ", guard"
		}
		inv.printf("%-12s %s  (%s)\n", word[l.Trusted], l.Path, what)
		if !l.Trusted {
			inv.printf("             %s\n", l.Says)
		}
	}
	for _, e := range state.Entries {
		inv.printf("%-12s %s  %s  (%s)\n", word[e.Trusted], e.ID, e.Title, e.Path)
	}
	for _, s := range state.Skills {
		inv.printf("%-12s %s  %s\n", word[s.Trusted], s.Path, s.Title)
	}
	for _, key := range state.Settings {
		inv.printf("%-12s %s in %s  (it protects less than before, and does not hold)\n", word[false], key, project.ConfigPath)
	}
	if state.Log {
		inv.printf("%-12s %s  (what sessions are said to have met: it is not read)\n", word[false], observe.LogPath)
	}
}
