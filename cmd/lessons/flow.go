package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/flow"
	"github.com/lessons-cli/lessons/render"
)

type flowCommand struct {
	Init    flowInit    `cmd:"" help:"Lead agents through the feature list in this clone."`
	Off     flowOff     `cmd:"" help:"Stop leading agents. Files stay."`
	Next    flowNext    `cmd:"" default:"withargs" help:"Say what comes next (the default)."`
	Check   flowCheck   `cmd:"" help:"Check the feature list, the session state and hand-offs."`
	Summary flowSummary `cmd:"" help:"Check what a sub-agent returned against its budget."`
}

type flowInit struct {
	consent
	Agents bool `help:"Also write the three example agents to .claude/agents, where they are missing."`
	Calls  int  `default:"40" help:"Tell a coding agent once after so many tool calls without an edit; 0: never."`
}

// Run shows what is written, and switches the flow on when the person agrees.
func (c *flowInit) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	if c.Calls < 0 {
		return usageError{errors.New("--calls counts tool calls: write 0 or more")}
	}
	changes, err := p.PlanFlow(c.Agents)
	if err != nil {
		return err
	}
	if !c.Yes {
		inv.block(render.Diff(changes))
	}
	if err := c.agree(ctx, inv, "Lead agents through "+flow.ListPath+" in this clone?"); err != nil {
		return err
	}
	if err := p.StartFlow(ctx, project.Flow{CallsBeforeEdit: c.Calls}, changes); err != nil {
		return err
	}
	for _, change := range changes {
		inv.printf("wrote   %s\n", change.Path)
	}
	inv.printf("the flow is on: a session starts with its next step. lessons flow off ends it\n")
	inv.printf("%s\n", p.FlowNext().Says)
	return nil
}

type flowOff struct{}

// Run switches the flow off.
func (c *flowOff) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	err := p.StopFlow(ctx)
	if err == nil {
		inv.printf("the flow is off; files stay as they are\n")
	}
	return err
}

type flowNext struct {
	jsonOutput
}

// Run prints the next step. A list that has to be mended first is a finding.
func (c *flowNext) Run(inv *invocation, p *project.Project) error {
	next := p.FlowNext()
	if _, on := p.Flow(); !on && !c.JSON && next.Step == flow.Initialise {
		inv.printf("the flow is off in this clone; lessons flow init turns it on\n")
		return nil
	}
	if c.JSON {
		if err := inv.printJSON(next); err != nil {
			return err
		}
	} else {
		inv.printf("%s: %s\n", string(next.Step), next.Says)
	}
	if next.Step == flow.Error {
		return found{1}
	}
	return nil
}

type flowCheck struct {
	jsonOutput
	Files  []string `arg:"" optional:"" name:"file" help:"Hand-offs to check; - is standard input."`
	Record bool     `help:"Note each hand-off without faults in the session state."`
}

// Run prints what is wrong: of list and state, or of the hand-offs.
func (c *flowCheck) Run(inv *invocation, p *project.Project) error {
	faults := p.CheckFlow()
	for _, file := range c.Files {
		if len(faults) > 0 {
			break // a hand-off is held against them
		}
		data, err := readInput(inv, file)
		if err != nil {
			return err
		}
		handoff, wrong := p.CheckHandoff(file, data)
		faults = append(faults, wrong...)
		switch {
		case len(wrong) > 0:
		case handoff.Again && !c.JSON:
			inv.printf("%s: noted before; a retry changes nothing\n", file)
		case c.Record && !handoff.Again:
			if err := p.RecordHandoff(handoff); err != nil {
				return err
			}
		}
	}
	if c.JSON {
		if err := printLines(inv, faults); err != nil {
			return err
		}
	} else {
		for _, f := range faults {
			inv.printf("%s\n    %s\n", f.String(), f.Next)
		}
	}
	if len(faults) == 0 && !c.JSON {
		inv.printf("ok\n")
	}
	return foundAny(len(faults))
}

// readInput reads a file that was named, or standard input.
func readInput(inv *invocation, file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(inv.sys.stdin)
	}
	return os.ReadFile(absolute(inv.sys.dir, file))
}

type flowSummary struct {
	jsonOutput
	Agent string `arg:"" enum:"initializer-agent,coding-agent,tester-agent" help:"Who wrote it."`
	File  string `arg:"" default:"-" help:"The summary; - is standard input."`
}

// Run says how long a summary is, and which parts exceed the budget.
func (c *flowSummary) Run(inv *invocation) error {
	text, err := readInput(inv, c.File)
	if err != nil {
		return err
	}
	s := flow.Measure(c.Agent, string(text))
	if c.JSON {
		err = inv.printJSON(s)
	} else {
		inv.printf("%s\n", s.String())
	}
	if err == nil && s.Exceeds() {
		err = found{1}
	}
	return err
}
