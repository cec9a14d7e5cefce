package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/replay"
	"github.com/lessons-cli/lessons/knowledge"
)

type replayCommand struct {
	jsonOutput
	Paths     []string `arg:"" optional:"" name:"path" help:"Folders of sessions, each one repository's; default: this repository's sessions."`
	Decisions string   `placeholder:"FILE" help:"Write what hooks said to FILE, a line of JSON each."`
}

func (replayCommand) Help() string {
	return `Plays recorded sessions one after another in a repository of its own, made for the purpose. Before each, lessons knows
what it learned from those that had ended; then every recorded call is put to the hooks. It prints how many mistakes
that earlier sessions could have prevented were stopped or led around, which calls were stopped that had succeeded, and what
was said. Nothing of this repository changes.

stopped     the failing call itself was held back, asked about or changed
led         a lesson on its problem was told at a call of the same program or path, at most 20 calls before
late        it was told at the failing call itself, or after it
at start    it was told when the session began
micro       share of all repeats; macro: average of the problems' shares; in brackets 95 % intervals

Examples:
  lessons replay
  lessons replay ../archive-a ../archive-b --json
  lessons replay --decisions said.jsonl sessions/

Exit status: 0; 1 when the replay cannot take place.`
}

// replayMemory is how much memory a replay may take before it makes a greater effort
// to free some, in bytes.
const replayMemory = 256 << 20

// Run replays the sessions and prints what was found.
func (c *replayCommand) Run(ctx context.Context, inv *invocation) error {
	debug.SetMemoryLimit(replayMemory)
	archives, problems, err := c.archives(ctx, inv)
	if err != nil {
		return err
	}
	inv.warn(problems)
	machine := inv.sys.machine()
	o := replay.Options{Archives: archives, Redactor: machine.Redactor()}
	if c.Decisions != "" {
		file, err := os.Create(absolute(inv.sys.dir, c.Decisions))
		if err != nil {
			return err
		}
		defer file.Close()
		out := bufio.NewWriter(file)
		defer out.Flush()
		enc := json.NewEncoder(out)
		o.Decided = func(d replay.Decision) { _ = enc.Encode(d) }
	}
	bar, began := newProgress(inv.sys, "replaying"), inv.sys.now()
	if inv.sys.terminal {
		o.Progress = bar.show
	}
	report, problems, err := replay.Run(ctx, o)
	bar.done()
	inv.warn(besides(err, problems))
	if err != nil {
		return err
	}
	if inv.sys.terminal {
		fmt.Fprintf(inv.sys.stderr, "replayed in %.0f s\n", inv.sys.now().Sub(began).Seconds())
	}
	if c.JSON {
		return inv.printJSON(report)
	}
	tables := report.Archives
	if report.Pooled != nil {
		tables = append(tables, *report.Pooled)
	}
	for i, t := range tables {
		if i > 0 {
			inv.printf("\n")
		}
		printTable(inv, t)
	}
	printHarm(inv, report)
	return nil
}

// archives are the folders that were named, or this repository's own sessions.
func (c *replayCommand) archives(ctx context.Context, inv *invocation) ([]replay.Archive, []knowledge.Problem, error) {
	if len(c.Paths) == 0 {
		p, err := inv.project(ctx)
		if err != nil {
			return nil, nil, err
		}
		files, problems, err := p.Sessions(project.ScanOptions{Clients: agent.All})
		return []replay.Archive{{Name: filepath.Base(p.Root), Files: files}}, problems, err
	}
	var archives []replay.Archive
	var problems []knowledge.Problem
	for _, path := range c.Paths {
		files, trouble, err := project.NamedFiles(absoluteAll(inv.sys.dir, []string{path}))
		if err != nil {
			return nil, nil, err
		}
		archives = append(archives, replay.Archive{Name: filepath.Base(path), Files: files})
		problems = append(problems, trouble...)
	}
	return archives, problems, nil
}

func printTable(inv *invocation, t replay.Table) {
	inv.printf("%s: %d sessions, %d calls, %d failed\n", t.Name, t.Sessions, t.Calls, t.Failures)
	inv.printf("%d problems, %d of them met in three sessions or more\n\n", t.Problems, t.Recurring)
	measured := func(name string, m replay.Measure) {
		inv.printf("%-22s %7d %7d %7d %7d %7d %7d\n", name, m.Repeats, m.Heard, m.Stopped, m.Led, m.Late, m.AtStart)
	}
	inv.printf("%-22s %7s %7s %7s %7s %7s %7s\n", "preventable repeats", "all", "hooked", "stopped", "led", "late", "start")
	measured("of all problems", t.All)
	measured("of three sessions", t.Often)
	measured("less work and passing", t.Telling)
	for _, n := range t.Natures {
		measured(fmt.Sprintf("  %s (%d)", n.Nature, n.Problems), n.Measure)
	}
	inv.printf("\n%-22s %20s  %20s\n", "stopped or led", "micro", "macro")
	for _, row := range []struct {
		name string
		m    replay.Measure
	}{{"of all problems", t.All}, {"of three sessions", t.Often}, {"less work and passing", t.Telling}} {
		note := ""
		if !row.m.Enough {
			note = "  (not enough evidence)"
		}
		inv.printf("%-22s %20s  %20s%s\n", row.name, shareText(row.m.Micro), shareText(row.m.Macro), note)
	}
	inv.printf("\nstopped calls: %d had failed, %d had succeeded (%.1f in 10,000 calls), %d neither\n", t.Stops.Right, t.Stops.Wrong, t.Stops.WrongPer10k, t.Stops.Neither)
	inv.printf("\n%-22s %10s %10s %14s\n", "tokens in a session", "p50", "p95", "start p50")
	inv.printf("%-22s %10d %10d %14d\n", "lessons", t.Cost.P50/4, t.Cost.P95/4, t.Cost.StartP50/4)
	for _, b := range t.Baselines {
		inv.printf("%-22s %10d %10d %14d   knows of %d\n", b.Name, b.StartP50/4, b.P95/4, b.StartP50/4, b.AtStart)
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
				inv.printf("\nlessons that did harm, by stops on calls that had succeeded\n")
				none = false
			}
			inv.printf("%4d wrong, %d right  %s  %s\n", l.Wrong, l.Right, l.ID, shorten(strings.TrimSpace(t.Name+": "+l.Title), 80-50))
		}
	}
	if none {
		inv.printf("\nno lesson stopped a call that had succeeded\n")
	}
}
