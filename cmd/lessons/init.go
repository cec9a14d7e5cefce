package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/migrate"
)

type initCommand struct {
	jsonOutput
	consent
	Agent  []string `help:"Coding agents to work with (default: those that are found here); mcp prints how clients without hooks ask." placeholder:"A,…"`
	Layout string   `enum:",book,files" default:"" help:"Store entries in two books (book), or in one file each (files)."`
	Local  bool     `help:"Register the hooks for yourself only (settings.local.json)."`
	DryRun bool     `help:"Show what would change and change nothing."`
}

// Run plans the installation, shows it, and does it when the person agrees.
func (c *initCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	chosen, err := c.chosenAgents(ctx, inv, p)
	if err != nil {
		return err
	}
	o := project.SetupOptions{Clients: chosen, Local: c.Local}
	install, err := p.PlanInstall(ctx, o, c.Layout)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.facts(ctx, inv, p, install)
	}
	inv.lines(install.Notes)
	if install.Empty() {
		inv.printf("lessons is set up here already; nothing to change\n")
		return nil
	}
	inv.printf("layout %s: %s\n", install.Layout, install.LayoutWhy)
	if !c.Yes || c.DryRun {
		showPlan(inv, install)
	}
	if c.DryRun {
		return nil
	}
	if err := c.agree(ctx, inv, "Write these changes?"); err != nil {
		return err
	}
	return c.finish(inv, ctx, p, install)
}

// showPlan shows the changes to a person who decides about them.
func showPlan(inv *invocation, install *project.Install) {
	inv.printf("\n%s", plain.Block(install.Diff()))
	if len(install.Drivers) > 0 {
		inv.printf("\nAnd in this clone's git configuration: merge drivers, which merge knowledge by entries.\n")
	}
}

// facts installs and prints what changed, or would.
func (c *initCommand) facts(ctx context.Context, inv *invocation, p *project.Project, install *project.Install) error {
	if !c.DryRun && !install.Empty() {
		if err := c.agree(ctx, inv, "Write these changes?"); err != nil {
			return err
		}
		if err := p.Apply(ctx, install); err != nil {
			return err
		}
	}
	return inv.printJSON(installFacts(install))
}

func (c *initCommand) finish(inv *invocation, ctx context.Context, p *project.Project, install *project.Install) error {
	if err := p.Apply(ctx, install); err != nil {
		return err
	}
	inv.printf("\n")
	for _, s := range install.Steps {
		inv.printf("wrote %-24s %s\n", s.Path, s.Why)
	}
	if len(install.Drivers) > 0 {
		inv.printf("wrote %-24s %s\n", "git's configuration", "merge drivers, for this clone (lessons init in every other one)")
	}
	if still := p.Hidden(ctx); len(still) > 0 {
		inv.printf("\nstill ignored by git: %s. Another ignore rule covers it; git check-ignore -v names the rule.\n", strings.Join(still, ", "))
	}
	if err := showPast(ctx, inv, p); err != nil {
		return err
	}
	next := "work as usual"
	if len(install.Steps) > 0 {
		next = "commit these files, and " + next
	}
	inv.printf("\nNext: %s. After a session: lessons status\n", next)
	if found, err := p.Import(ctx, project.ImportOptions{DryRun: true}); err == nil && found.Count(migrate.Imported) > 0 {
		inv.printf("      lessons import takes over what stands here already%s\n", byKind(importedKinds(importFactsOf(found))))
	}
	return nil
}

// pastProblems is how many problems of the past are shown at the beginning.
const pastProblems = 3

// showPast scans the sessions that the repository has already and shows what went wrong
// most in them.
func showPast(ctx context.Context, inv *invocation, p *project.Project) error {
	inv.sys.limitMemory(scanMemory)
	p.SpareMemory()
	bar := newProgress(inv.sys, "reading past sessions")
	o := project.ScanOptions{Clients: agent.All}
	if inv.sys.terminal {
		o.Progress = bar.show
	}
	result, err := p.Scan(ctx, o)
	bar.done()
	if err := inv.warnBesides(err, result.Problems); err != nil {
		return err
	}
	found, trouble, err := p.Problems(ctx, time.Time{})
	if err := inv.warnBesides(err, trouble); err != nil {
		return err
	}
	list := found.Telling()
	if len(list) == 0 {
		return nil
	}
	inv.printf("\nWhat went wrong most in %s so far (all of it: lessons problems):\n", count(found.Sessions, "session", "sessions"))
	for i, one := range list[:min(len(list), pastProblems)] {
		inv.printf("%s", describeProblem(i+1, one, found.Covers[one.ID]))
	}
	return nil
}

func installFacts(install *project.Install) any {
	type change struct {
		Path string `json:"path"`
		Why  string `json:"why"`
	}
	facts := struct {
		Layout  string   `json:"layout"`
		Why     string   `json:"layout_why"`
		Changed []change `json:"changed"`
		Notes   []string `json:"notes,omitempty"`
	}{install.Layout, install.LayoutWhy, []change{}, install.Notes}
	facts.Changed = append(facts.Changed, lists.Map(install.Steps, func(s project.Step) change { return change{s.Path, s.Why} })...)
	return facts
}

type uninstallCommand struct {
	consent
	DryRun bool `help:"Show what would change and change nothing."`
}

// Run plans the removal, shows it, and does it when the person agrees.
func (c *uninstallCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	install, err := p.PlanRemoval(ctx, agent.All)
	if err != nil {
		return err
	}
	inv.lines(install.Notes)
	if install.Empty() {
		inv.printf("nothing of lessons is installed here\n")
		return nil
	}
	for _, s := range install.Steps {
		word := "restores"
		if s.After == nil {
			word = "removes "
		}
		inv.printf("%s %s\n", word, s.Path)
	}
	if len(install.Drivers) > 0 {
		inv.printf("removes  the merge drivers from git's configuration\n")
	}
	if c.DryRun {
		inv.block(install.Diff())
		return nil
	}
	if err := c.agree(ctx, inv, "Do it?"); err != nil {
		return err
	}
	if err := p.Remove(ctx, install); err != nil {
		return err
	}
	inv.printf("done\n")
	return nil
}

// when says when something was: how long ago on a terminal, and the local time to whoever
// reads from a pipe.
func (inv *invocation) when(then time.Time) string {
	if inv.sys.stdout.OnTerminal() || then.IsZero() {
		return age(inv.sys.now(), then)
	}
	return then.Local().Format("2006-01-02 15:04")
}

// day is the day of when.
func (inv *invocation) day(then time.Time) string {
	if inv.sys.stdout.OnTerminal() {
		return age(inv.sys.now(), then)
	}
	return then.Format(time.DateOnly)
}

// age says how long ago something was, in words for a person.
func age(now, then time.Time) string {
	if then.IsZero() {
		return "never"
	}
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
}
