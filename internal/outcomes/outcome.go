// Package outcomes holds how tool calls ended where queries can ask for it: in a database
// that is made of the call log, kept for a while, and made again where it is missing.
package outcomes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Result is how a call ended: one of three.
type Result string

const (
	Success Result = "success"
	Failure Result = "failure"
	Partial Result = "partial" // it worked and warned, or nobody can tell whether it worked
)

// Outcome is one call, a row of the table tool_outcomes. Empty texts are null there.
type Outcome struct {
	ID              string `json:"id"`
	SessionID       string `json:"sessionId"`
	ProjectID       string `json:"projectId,omitempty"`
	ToolName        string `json:"toolName"`
	Outcome         Result `json:"outcome"`
	OutcomeType     string `json:"outcomeType,omitempty"` // of what is no success: why
	Message         string `json:"message,omitempty"`
	ToolInputHash   string `json:"toolInputHash,omitempty"`
	InputSummary    string `json:"inputSummary,omitempty"`
	OutputSummary   string `json:"outputSummary,omitempty"`
	DurationMs      int64  `json:"durationMs,omitempty"`
	PrecedingToolID string `json:"precedingToolId,omitempty"`
	Analyzed        int    `json:"analyzed"`
	CreatedAt       string `json:"createdAt"`
	ToolUseID       string `json:"toolUseId,omitempty"`
	AgentID         string `json:"agentId,omitempty"`
	Problem         string `json:"problem,omitempty"`
}

// Lengths of summaries, in characters.
const (
	maxInput  = 200
	maxOutput = 500
)

// timeLayout is how a moment is written: in UTC, with milliseconds, so that texts sort as moments do.
const timeLayout = "2006-01-02T15:04:05.000Z"

// Stamp writes a moment as the table does.
func Stamp(t time.Time) string { return t.UTC().Format(timeLayout) }

// summarized are the tools of whose calls more is kept than name and outcome.
var summarized = map[string]bool{"Edit": true, "Write": true, "Bash": true, "Read": true, "Glob": true, "Grep": true, "PowerShell": true, "NotebookEdit": true}

// IDOf is the id of a session's call: the same whoever reads the log, and how often.
func IDOf(session, call string) string { return knowledge.Digest("out_", 20, "outcome", session, call) }

// Of are the outcomes of a session's calls in the order of the table, each with the one
// before it. A call without a time has the one of the call before it, or else of unknown.
func Of(s calls.Session, project string, unknown time.Time) []Outcome {
	all := make([]Outcome, 0, len(s.Calls))
	at := cmp.Or(s.Start(), unknown.UnixMilli())
	for i := range s.Calls {
		at = cmp.Or(s.Calls[i].At, at)
		all = append(all, of(s.Name, project, &s.Calls[i], time.UnixMilli(at)))
	}
	slices.SortFunc(all, order)
	for i := 1; i < len(all); i++ {
		follow(&all[i], &all[i-1])
	}
	return all
}

// order is by time and then by id: where moments are the same it is arbitrary, but always the same.
func order(a, b Outcome) int {
	return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// maxGap is the longest time between two results that is taken for the duration of a call, where the agent says none.
const maxGap = 5 * time.Minute

func follow(o, before *Outcome) {
	o.PrecedingToolID = before.ID
	if o.DurationMs != 0 {
		return
	}
	then, err1 := time.Parse(timeLayout, before.CreatedAt)
	now, err2 := time.Parse(timeLayout, o.CreatedAt)
	if gap := now.Sub(then); err1 == nil && err2 == nil && gap < maxGap {
		o.DurationMs = gap.Milliseconds()
	}
}

func of(session, project string, c *calls.Call, at time.Time) Outcome {
	o := Outcome{
		ID: IDOf(session, c.ID), SessionID: session, ProjectID: project, ToolName: c.Tool, DurationMs: c.Took,
		CreatedAt: Stamp(at), ToolUseID: c.ID, AgentID: c.Agent,
	}
	o.Outcome, o.OutcomeType = result(c)
	if c.Failure != nil {
		o.Message, o.Problem = c.Failure.Line, c.Failure.Problem
	} else if c.Out != "" {
		o.Message = c.Out
	}
	if len(c.Fired) > 0 {
		o.Message = "stopped by " + strings.Join(c.Fired, ", ")
	}
	if summarized[c.Tool] {
		o.ToolInputHash, o.InputSummary = knowledge.Digest("", 16, "input", c.Input), prose.Shorten(c.Input, maxInput)
		o.OutputSummary = prose.Shorten(cmp.Or(c.Out, o.Message), maxOutput)
	}
	return o
}

// result says how a call ended, and why where it was no success.
func result(c *calls.Call) (Result, string) {
	switch c.Outcome {
	case calls.OK:
		if c.Warned {
			return Partial, "warning"
		}
		return Success, ""
	case calls.Masked, calls.Unknown:
		return Partial, string(c.Outcome)
	case calls.Failed:
		if c.Failure != nil && c.Failure.Class != "" {
			return Failure, c.Failure.Class
		}
		return Failure, "error"
	}
	return Failure, string(c.Outcome)
}
