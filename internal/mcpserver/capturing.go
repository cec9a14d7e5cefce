package mcpserver

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/outcomes"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
)

type captureIn struct {
	Action        string `json:"action" jsonschema:"tool_outcome: one call ended; session_end_analysis: the session did"`
	SessionID     string `json:"sessionId" jsonschema:"the agent's id of the session; only its hash is kept"`
	ToolName      string `json:"toolName,omitempty" jsonschema:"of tool_outcome: the tool, such as Bash or Edit"`
	Outcome       string `json:"outcome,omitempty" jsonschema:"of tool_outcome: success, failure or partial"`
	OutcomeType   string `json:"outcomeType,omitempty" jsonschema:"of a failure: what kind"`
	InputSummary  string `json:"inputSummary,omitempty" jsonschema:"what was called; secrets are taken out, and it is cut"`
	OutputSummary string `json:"outputSummary,omitempty" jsonschema:"what came back; secrets are taken out, and it is cut"`
	DurationMs    int64  `json:"durationMs,omitempty" jsonschema:"how long the call took, in milliseconds"`
	ProjectID     string `json:"projectId,omitempty" jsonschema:"accepted and not needed: the server knows its repository"`
}

type captureOut struct {
	Success   bool   `json:"success"`
	Action    string `json:"action"`
	SessionID string `json:"sessionId"`
	ID        string `json:"id,omitempty"` // of the outcome
}

func (s *Server) addCapturing(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{
		Name:        "memory_capture",
		Annotations: writes("Record how tool calls ended", false),
		Description: "For agents whose transcripts lessons cannot read. Record how one tool call ended: {\"action\":\"tool_outcome\",\"sessionId\":\"s-1\",\"toolName\":\"Edit\",\"outcome\":\"success\",\"inputSummary\":\"...\"}. " +
			"When the session ends: {\"action\":\"session_end_analysis\",\"sessionId\":\"s-1\"}.",
	}, answered(s, capture))
}

func capture(ctx context.Context, p *project.Project, in captureIn) (captureOut, error) {
	out := captureOut{Success: true, Action: in.Action, SessionID: in.SessionID}
	switch {
	case in.SessionID == "":
		return out, project.ErrTold
	case in.Action == "tool_outcome":
		var err error
		out.ID, err = p.RecordOutcome(ctx, project.ToolOutcome{
			Session: in.SessionID, Tool: in.ToolName, Outcome: outcomes.Result(in.Outcome), Kind: in.OutcomeType,
			Input: in.InputSummary, Output: in.OutputSummary, Took: time.Duration(in.DurationMs) * time.Millisecond,
		})
		if err == nil {
			p.AfterScan("")
		}
		return out, err
	case in.Action == "session_end_analysis":
		p.AfterScan(knowledge.SessionHash(in.SessionID))
		return out, nil
	}
	return out, fmt.Errorf("action %q is none of tool_outcome, session_end_analysis", in.Action)
}
