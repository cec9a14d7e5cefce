package main

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/trace"
)

type traceCommand struct {
	Query    traceQuery    `cmd:"" default:"withargs" help:"Find traces, best match first (the default)."`
	Get      traceGet      `cmd:"" help:"Show one trace."`
	Patterns tracePatterns `cmd:"" help:"List what repeats."`
	Store    traceStore    `cmd:"" help:"Keep a trace."`
}

type traceQuery struct {
	jsonOutput
	Words []string `arg:"" optional:"" help:"Words to look for; without any the newest come first."`
	Type  string   `enum:",correction,violation,decision,approval" default:"" help:"correction, violation, decision or approval."`
	Agent string   `help:"Of this agent alone." placeholder:"AGENT"`
	Level string   `enum:"metadata,summary,full" default:"summary" help:"metadata, summary or full."`
	N     int      `short:"n" help:"At most this many."`
}

// Run prints the traces that fit into the budget of their level.
func (c *traceQuery) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	a, err := p.QueryTraces(ctx, project.TraceQuery{
		Words: strings.Fields(strings.Join(c.Words, " ")), Type: trace.Type(c.Type), Agent: c.Agent, Limit: c.N, Level: trace.Level(c.Level),
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(a)
	}
	if len(a.Told) > 0 {
		printTraces(inv, a.Told, trace.Level(c.Level))
	}
	switch {
	case len(a.Traces) == 0:
		inv.printf("no trace was found\n")
	case a.LeftOut > 0:
		inv.printf("%d more: name further words, or -n\n", a.LeftOut)
	}
	return nil
}

// printTraces prints what a level tells of traces.
func printTraces(inv *invocation, all []trace.Trace, level trace.Level) {
	t := plain.Table{Columns: []plain.Column{{Name: "TRACE"}, {Name: "WHEN"}, {Name: "TYPE"}, {Name: "AGENT"}, {Name: "WHAT HAPPENED", Shrinks: true}}}
	for _, one := range all {
		row := plain.Row{Cells: []string{one.ID, inv.day(one.Timestamp), string(one.Type), one.Context.Agent, ""}}
		if level != trace.Metadata {
			row.Cells[4] = one.Event.Happened
			row.Notes = notesOnTrace(one, level)
		}
		t.Rows = append(t.Rows, row)
	}
	inv.sys.stdout.Table(t)
}

// notesOnTrace is what a level tells of a trace besides what happened.
func notesOnTrace(t trace.Trace, level trace.Level) (notes []string) {
	line := func(name, text string) {
		if text != "" {
			notes = append(notes, name+": "+text)
		}
	}
	line("why", t.Event.Why)
	if level == trace.Summary {
		return notes
	}
	line("instead", t.Event.Correct)
	line("feature", t.Context.Feature)
	line("task", t.Context.Task)
	line("command", t.Context.Command)
	line("file", t.Context.Path)
	line("from", strings.TrimSpace(string(t.Source)+" "+t.About))
	return notes
}

type traceGet struct {
	jsonOutput
	ID    string `arg:"" help:"The trace."`
	Level string `enum:"metadata,summary,full" default:"full" help:"metadata, summary or full."`
}

// Run prints one trace.
func (c *traceGet) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	t, err := p.TraceOf(ctx, c.ID)
	if errors.Is(err, project.ErrNoTrace) {
		return withHint(err, "lessons trace query lists them")
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(t.At(trace.Level(c.Level)))
	}
	printTraces(inv, []trace.Trace{t}, trace.Level(c.Level))
	return nil
}

type tracePatterns struct {
	jsonOutput
	Min int `default:"2" help:"Only what happened at least this often."`
}

// Run lists violations and corrections that repeat, the most frequent first.
func (c *tracePatterns) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	patterns, err := p.TracePatterns(ctx, c.Min)
	if err != nil {
		return err
	}
	columns := []plain.Column{{Name: "PATTERN"}, {Name: "TIMES", Number: true}, {Name: "WHAT HAPPENED", Shrinks: true}}
	return printListed(inv, c.JSON, patterns, "nothing repeats", columns, func(one trace.Pattern) plain.Row {
		row := plain.Row{Cells: []string{one.ID, strconv.Itoa(one.Count), one.Happened}}
		if one.Correct != "" {
			row.Notes = []string{"instead: " + one.Correct}
		}
		return row
	})
}

type traceStore struct {
	Type     string `enum:"correction,violation,decision,approval" required:"" help:"correction, violation, decision or approval."`
	Happened string `arg:"" name:"what" help:"What happened."`
	Correct  string `help:"What would have been right." placeholder:"TEXT"`
	Why      string `help:"Why." placeholder:"TEXT"`
	Agent    string `help:"Which agent it was." placeholder:"AGENT"`
	Feature  string `help:"The feature that it worked on." placeholder:"ID"`
	Task     string `help:"What it was to do." placeholder:"TEXT"`
	Command  string `help:"The command line." placeholder:"CMD"`
	Path     string `help:"The file." placeholder:"PATH"`
	Source   string `enum:"enforcement_hook,user_correction,auto_detected" default:"user_correction" help:"enforcement_hook, user_correction or auto_detected."`
}

// Run keeps the trace in this clone.
func (c *traceStore) Run(inv *invocation, p *project.Project) error {
	t, err := p.StoreTrace(trace.Trace{
		Type: trace.Type(c.Type), Source: trace.Source(c.Source), Timestamp: inv.sys.now().Truncate(time.Millisecond),
		Context: trace.Context{Agent: c.Agent, Feature: c.Feature, Task: c.Task, Command: c.Command, Path: c.Path},
		Event:   trace.Event{Happened: c.Happened, Correct: c.Correct, Why: c.Why},
	})
	if err != nil {
		return usageError{err}
	}
	inv.printf("%s\n", t.ID)
	return nil
}
