package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type explainCommand struct {
	jsonOutput
	Scoring string `enum:"match,seed," default:"" placeholder:"match|seed" help:"How lessons are ranked: match, or seed with its arithmetic (default: the setting scoringMode)."`
	Agent   string `default:"claude" help:"Whose hook payload is on standard input."`
	Tool    string `arg:"" optional:"" help:"A tool, such as Bash or Edit; without it a hook payload is read."`
	Input   string `arg:"" optional:"" help:"The command line, or the file."`
}

// Run prints the lessons that match first, each with its reasons.
func (c *explainCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	event, err := c.event(inv)
	if err != nil {
		return err
	}
	x, err := p.Explain(ctx, s, event, c.Scoring)
	if err != nil {
		return err
	}
	inv.warn(x.Problems)
	matched := 0
	for _, m := range x.Matches {
		if m.OK {
			matched++
		}
		if err := c.print(inv, m, p.ScopeOf(m.Lesson.Path), historyOf(m.Lesson.Path, x.Accounts)); err != nil {
			return err
		}
	}
	if c.JSON {
		if err := printLines(inv, x.Idle); err != nil {
			return err
		}
		if err := printLines(inv, x.Shadowed); err != nil {
			return err
		}
		return inv.printJSON(map[string]any{"would": verdictName(x.Would), "lessons": x.Would.Injected})
	}
	for _, l := range x.Idle {
		inv.printf("idle   %s  (%s)\n", lessonName(l.Path), l.Why)
	}
	for _, l := range x.Shadowed {
		inv.printf("shadow %s  (for all repositories; %s here has %s and takes its place)\n", lessonName(l.Path), lessonName(l.By), l.Why)
	}
	inv.printf("%d of %d active lessons match\n", matched, len(x.Matches))
	if by := x.Told(); len(by) > 0 {
		inv.printf("the first such call of a session %s: %s\n", verdictName(x.Would), strings.Join(by, ", "))
	}
	return nil
}

// verdictName says what a decision does to a call.
func verdictName(d inject.Decision) string {
	switch {
	case d.Verdict == inject.Deny:
		return "is stopped by"
	case d.Verdict == inject.Ask:
		return "waits for a person, by"
	case d.Args != nil:
		return "is changed by"
	case len(d.Injected) > 0:
		return "passes; the agent is told about"
	}
	return "passes"
}

// lessonName is a lesson's file name without its ending.
func lessonName(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
}

func (c *explainCommand) event(inv *invocation) (agent.Event, error) {
	if c.Tool == "" {
		client, err := clientNamed(c.Agent)
		if err != nil {
			return agent.Event{}, err
		}
		data, err := io.ReadAll(io.LimitReader(inv.sys.stdin, 4<<20))
		if err != nil {
			return agent.Event{}, err
		}
		event, err := client.Decode(string(agent.PreToolUse), data)
		if err != nil {
			err = usageError{withHint(err, "see: lessons help explain")}
		}
		return event, err
	}
	tool := tools.Typed(c.Tool)
	if tool == "" {
		return agent.Event{}, usageError{withHint(fmt.Errorf("no agent has a tool %q", c.Tool), "usual tools: Bash, Read, Edit, Write, Glob, Grep")}
	}
	input := map[string]string{}
	if tools.RunsCommands(tool) {
		input["command"] = c.Input
	} else if c.Input != "" {
		input["file_path"] = c.Input
	}
	data, err := json.Marshal(map[string]any{"cwd": inv.sys.dir, "tool_name": tool, "tool_input": input})
	if err != nil {
		return agent.Event{}, err
	}
	return agent.Claude.Decode(string(agent.PreToolUse), data) // as a hook reads it
}

func (c *explainCommand) print(inv *invocation, m inject.Match, scope lesson.Scope, told *tally.Account) error {
	r := inv.sys.machine().Redactor() // reasons quote the call
	reasons := lists.Map(m.Reasons, func(reason inject.Reason) string { return r.Text(reason.String()).String() })
	if c.JSON {
		out := struct {
			ID      string   `json:"id"`
			Path    string   `json:"path"`
			Match   bool     `json:"match"`
			Scope   string   `json:"scope"`
			Action  string   `json:"action"`
			Reasons []string `json:"reasons"`
			Score   string   `json:"score,omitempty"`

			History *tally.Account `json:"history,omitempty"`
		}{m.Lesson.ID, m.Lesson.Path, m.OK, string(scope), m.Lesson.Action, reasons, m.Arithmetic(), told}
		return inv.printJSON(out)
	}
	word := "no   "
	if m.OK {
		word = "match"
	}
	name := lessonName(m.Lesson.Path)
	about := m.Lesson.Action
	if m.Lesson.Unreviewed {
		about += ", unreviewed"
	}
	if scope == lesson.ScopeUser {
		about += ", for all repositories"
	}
	inv.printf("%s  %s  (%s)\n", word, name, about)
	for _, r := range reasons {
		inv.printf("         %s\n", r)
	}
	if s := m.Arithmetic(); s != "" {
		inv.printf("         %s\n", s)
	}
	if told != nil {
		printHistory(inv, *told, "         ")
	}
	return nil
}
