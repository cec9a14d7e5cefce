package main

import (
	"context"
	"errors"
	"strings"
	"time"

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
	N     int      `short:"n" help:"At most so many."`
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
	for _, t := range a.Told {
		printTrace(inv, t, trace.Level(c.Level))
	}
	switch {
	case len(a.Traces) == 0:
		inv.printf("no trace was found\n")
	case a.LeftOut > 0:
		inv.printf("%d more: name further words, or -n\n", a.LeftOut)
	}
	return nil
}

// printTrace prints what a level tells of a trace.
func printTrace(inv *invocation, t trace.Trace, level trace.Level) {
	inv.printf("%s  %s  %-10s  %s\n", t.ID, t.Timestamp.Format(time.DateOnly), string(t.Type), t.Context.Agent)
	line := func(name, text string) {
		if text != "" {
			inv.printf("    %s%s\n", name, text)
		}
	}
	if level == trace.Metadata {
		return
	}
	line("", t.Event.Happened)
	line("why: ", t.Event.Why)
	if level == trace.Summary {
		return
	}
	line("instead: ", t.Event.Correct)
	line("feature: ", t.Context.Feature)
	line("task: ", t.Context.Task)
	line("command: ", t.Context.Command)
	line("file: ", t.Context.Path)
	line("from: ", strings.TrimSpace(string(t.Source)+" "+t.About))
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
	printTrace(inv, t, trace.Level(c.Level))
	return nil
}

type tracePatterns struct {
	jsonOutput
	Min int `default:"2" help:"What happened at least so often."`
}

// Run lists violations and corrections that repeat, the most frequent first.
func (c *tracePatterns) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	patterns, err := p.TracePatterns(ctx, c.Min)
	if err != nil {
		return err
	}
	if c.JSON {
		return printLines(inv, patterns)
	}
	for _, one := range patterns {
		inv.printf("%s  %s  %s\n", one.ID, count(one.Count, "time", "times"), shorten(one.Happened, 74))
		if one.Correct != "" {
			inv.printf("    instead: %s\n", shorten(one.Correct, 74))
		}
	}
	if len(patterns) == 0 {
		inv.printf("nothing repeats\n")
	}
	return nil
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
