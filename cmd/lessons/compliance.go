package main

import (
	"context"
	"fmt"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan"
)

func measure(ctx context.Context, inv *invocation, p *project.Project, o project.ScanOptions) (scan.Compliance, []knowledge.Problem, error) {
	if p == nil {
		return project.MeasureFiles(ctx, inv.sys.machine(), o)
	}
	return p.MeasureCompliance(ctx, o)
}

// compliance prints how far agents report their own mistakes.
func (c *scanCommand) compliance(inv *invocation, r scan.Compliance) error {
	if c.JSON {
		return inv.printJSON(r)
	}
	rate := func(percent int) string {
		if percent < 0 {
			return "-"
		}
		return fmt.Sprint(percent, " %")
	}
	row := func(session, tags, malformed, unreported, rate string) {
		inv.printf("%-14s %5s  %9s  %10s  %10s\n", session, tags, malformed, unreported, rate)
	}
	if len(r.Sessions) > 0 {
		row("session", "tags", "malformed", "unreported", "compliance")
		for _, s := range r.Sessions {
			row(s.Session, fmt.Sprint(s.Tags), fmt.Sprint(s.Malformed), fmt.Sprint(s.Unreported), rate(s.Rate))
		}
		row("all", fmt.Sprint(r.Tags), fmt.Sprint(r.Malformed), fmt.Sprint(r.Unreported), rate(r.Rate))
		inv.printf("\n")
	}
	inv.printf("n = %d: %d reported by #lesson, %d seen by the heuristics alone, in %d sessions\n", r.N, r.Tags, r.Unreported, len(r.Sessions))
	if r.Tags+r.Malformed > 0 {
		inv.printf("well-formed: %s of the reports\n", rate(r.WellFormed))
	}
	if r.NotAsked > 0 {
		inv.printf("not counted: %d sessions that were not given the protocol\n", r.NotAsked)
	}
	if a := r.Asks; a.Asked > 0 {
		inv.printf("asked: %d times; answered with a block %d, with none %d; ignored %d\n", a.Asked, a.Block, a.None, a.Ignored)
	}
	switch r.Band {
	case "tags":
		inv.printf("above 70 %%: the reports are the main source, the heuristics fill in\n")
	case "both":
		inv.printf("from 40 to 70 %%: reports and heuristics count alike\n")
	case "heuristics":
		inv.printf("below 40 %%: the heuristics are the main source; see whether sessions start with the protocol (lessons doctor)\n")
	}
	return nil
}
