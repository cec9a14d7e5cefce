package replay

import (
	"cmp"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// The labels say how each recorded call ended and which failures are one problem.
// They come from the recording alone: nothing here knows a trigger.

// Outcomes of calls.
const (
	ok          = "ok"
	failed      = "failed"
	masked      = "masked" // its status is another's
	refused     = "refused"
	interrupted = "interrupted"
	unknown     = "unknown"
)

// call is one recorded tool call.
type call struct {
	outcome string
	problem string // its signature; empty: it did not fail
	heard   bool   // the agent asks a hook before it
	file    string
	line    int // of its result
	tool    string
}

// problem is what failing calls have in common.
type problem struct {
	ID      string `json:"id"`
	Nature  string `json:"nature"`
	Tool    string `json:"tool"`
	Program string `json:"program,omitempty"`
	What    string `json:"what"`
}

// Natures of problems as far as they are told apart here.
const (
	natureMended   = "mended"
	natureUnmended = "unmended"
)

// startCounts says of a nature that what is told at the session's start leads.
func startCounts(nature string) bool { return nature == natureUnmended || nature == "precondition" }

// label says how a call ended, and of a failure what it is a case of.
func label(made, result *step) (call, *problem) {
	c := call{file: made.file, tool: made.Tool, outcome: unknown, heard: agent.Claude.Hears(agent.PreToolUse, spoken(made.Tool))}
	if result == nil {
		return c, nil
	}
	c.line, c.outcome = result.Line, outcomeOf(result)
	if unasked(result) {
		c.heard = false
	}
	if c.outcome != failed {
		return c, nil
	}
	p := &problem{Tool: made.Tool, What: fingerprint.Template(scan.Salient(result.Text))}
	if line := commandsOf(made); line != nil {
		p.Program = mainProgram(line, p.What)
	} else if made.Tool == "Skill" {
		p.Program = string(made.Input)
	}
	p.ID = knowledge.Digest("r1:", 16, p.Tool, p.Program, p.What)
	c.problem = p.ID
	return c, p
}

// unasked: the input was refused before any hook was asked.
func unasked(result *step) bool {
	return strings.HasPrefix(result.Text, "<tool_use_error>") || strings.HasPrefix(result.Text, "InputValidationError")
}

func outcomeOf(result *step) string {
	switch result.Outcome {
	case transcript.OK, transcript.Expected:
		return ok
	case transcript.Fail, transcript.TimedOut:
		return failed
	case transcript.Masked:
		return masked
	case transcript.Rejected, transcript.Blocked, transcript.Cancelled:
		return refused
	case transcript.Interrupted:
		return interrupted
	case transcript.NotRun:
		if strings.Contains(result.Text, "tool_use_error") || strings.Contains(result.Text, "Error") {
			return failed
		}
	}
	return unknown
}

// mainProgram is the program with its sub-command that an error line speaks of, else
// the last of the line that is more than a step on the way.
func mainProgram(line *shell.Line, what string) string {
	name := ""
	for _, c := range line.Commands {
		if c.Program == "" || onTheWay[c.Program] {
			continue
		}
		if strings.HasPrefix(what, c.Program+":") {
			return c.Name()
		}
		name = c.Name()
	}
	return name
}

// onTheWay are programs that say nothing of what a line is about.
var onTheWay = map[string]bool{"cd": true, "echo": true, "true": true, "export": true, "head": true, "tail": true, "sleep": true, "set": true}

func commandsOf(made *step) *shell.Line {
	if made.Command == "" {
		return nil
	}
	return shell.Parse(made.Command)
}

// spoken is Claude Code's own word for a tool.
func spoken(tool string) string { return tools.Names{"Agent": "Task"}.Shared(tool) }

// remedies are the places of failing results that a session mended, or of which its
// person said something, with the observations that took it.
func remedies(result scan.Result) map[place][]string {
	found := map[place][]string{}
	for _, c := range result.Candidates {
		if c.ErrorLine != nil {
			at := place{c.File, *c.ErrorLine}
			found[at] = append(found[at], c.Observation)
		}
	}
	return found
}

type place struct {
	file string
	line int
}

// settled is the id that an observation has now.
func settled(log *observe.Log, id string) string {
	if o := log.Get(id); o != nil {
		return o.ID
	}
	return cmp.Or(id)
}
