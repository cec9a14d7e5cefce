package main

import (
	"fmt"

	"github.com/lessons-cli/lessons/internal/replay"
)

// printReport tells of each archive and of all together what lessons would have done, with
// verbose in tables too, and names the lessons that did harm.
func printReport(inv *invocation, r replay.Report, verbose bool) {
	tables := r.Archives
	if r.Pooled != nil {
		tables = append(tables, *r.Pooled)
	}
	for i, t := range tables {
		if i > 0 {
			inv.printf("\n")
		}
		printSummary(inv, t)
		if verbose {
			printTable(inv, t)
		}
	}
	printHarm(inv, r)
	if !verbose {
		inv.printf("all measures: lessons replay --verbose\n")
	}
}

func printSummary(inv *invocation, t replay.Table) {
	inv.printf("%s: %s, %s, %d failed\n", t.Name, count(t.Sessions, "session", "sessions"), count(t.Calls, "call", "calls"), t.Failures)
	inv.printf("Of %s, lessons would have stopped %d\n", count(t.All.Repeats, "repeated mistake", "repeated mistakes"), t.All.Stopped)
	inv.printf("and told the agent of %d before the call. They stopped %s that worked.\n", t.All.Led, count(t.Stops.Wrong, "call", "calls"))
	if !t.All.Enough {
		inv.printf("not enough evidence: fewer than %d preventable repeats\n", replay.Enough)
	}
}

func printTable(inv *invocation, t replay.Table) {
	inv.printf("\n%s, %d of them met in three sessions or more\n", count(t.Problems, "problem", "problems"), t.Recurring)

	inv.printf("\n%-24s %6s %7s %8s %6s %6s %9s\n", "preventable repeats", "all", "hooked", "stopped", "led", "late", "at start")
	kinds := []struct {
		name string
		replay.Measure
	}{{"of all problems", t.All}, {"met in three sessions", t.Often}, {"  less work and passing", t.Telling}, {"    asked of a hook", t.Hooked}}
	for _, n := range t.Natures {
		kinds = append(kinds, struct {
			name string
			replay.Measure
		}{fmt.Sprintf("%s (%d)", n.Nature, n.Problems), n.Measure})
	}
	for _, k := range kinds {
		inv.printf("%-24s %6d %7d %8d %6d %6d %9d\n", k.name, k.Repeats, k.Heard, k.Stopped, k.Led, k.Late, k.AtStart)
	}

	inv.printf("\n%-24s %18s %18s\n", "stopped or led", "micro", "macro")
	for _, k := range kinds {
		if k.Repeats == 0 {
			continue
		}
		note := ""
		if !k.Enough {
			note = "  too few"
		}
		inv.printf("%-24s %18s %18s%s\n", k.name, shareText(k.Micro), shareText(k.Macro), note)
	}

	s := t.Stops
	inv.printf("\ncalls that were stopped: %d had failed, %d had succeeded, %d neither\n", s.Right, s.Wrong, s.Neither)
	inv.printf("stops on calls that had succeeded: %.1f in 10,000 calls\n", s.WrongPer10k)

	inv.printf("\n%-24s %6s %9s %20s %9s %6s\n", "repeats, and tokens", "led", "at start", "tokens: start, p50", "all, p50", "p95")
	said := func(name string, led, start, begin, half, most int) {
		inv.printf("%-24s %6d %9d %20d %9d %6d\n", name, led, start, begin/4, half/4, most/4)
	}
	said("lessons", t.All.Stopped+t.All.Led, t.All.AtStart, t.Cost.StartP50, t.Cost.P50, t.Cost.P95)
	for _, b := range t.Baselines {
		said(b.Name, b.Led, b.AtStart, b.StartP50, b.StartP50, b.P95)
	}
}

func shareText(s replay.Share) string {
	return fmt.Sprintf("%.2f [%.2f, %.2f]", s.Value, s.Low, s.High)
}

// printHarm names the lessons that stopped calls that had succeeded.
func printHarm(inv *invocation, r replay.Report) {
	none := true
	for _, t := range r.Archives {
		for _, l := range t.Stops.Harm() {
			if none {
				inv.printf("\nlessons that did harm:\n")
				none = false
			}
			inv.printf("%4d wrong, %d right  %s  %s\n      %s\n", l.Wrong, l.Right, l.ID, t.Name, shorten(oneLine(l.Title), 74))
		}
	}
	if none {
		inv.printf("\nno lesson stopped a call that had succeeded\n")
	}
}
