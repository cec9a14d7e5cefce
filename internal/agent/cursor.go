package agent

import (
	"encoding/json"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// cursorTools are those whose calls can match a lesson. How a matcher names the
// tools of MCP servers is not documented.
const cursorTools = "Shell|Read|Write|Grep|Delete"

// Cursor goes as far as its documentation is certain. Left out are: what a person
// types (the event's fields are not known, and no context can be answered),
// events of sub-agents (they take none either), holding a stop (the input does
// not say that it was held before), a changed input (whether it takes effect
// without an approval is not known), and sessions, whose format is not
// documented. A call takes no context before it runs, and none when it failed; a
// question to the person is not enforced there. The names inside tool_input are
// not documented either: those that other agents use are read where they are
// there. Every event has the conversation; a session_id comes with its start
// alone. Not verified is what Cursor sends to hooks that it takes from Claude
// Code's settings; with a cursor_version Claude leaves them alone.
var Cursor = &Client{
	Name:    "cursor",
	home:    folder{below: ".cursor"},
	program: "cursor-agent", marks: []string{".cursor", ".cursorrules"},
	team: ".cursor/hooks.json",
	file: hookfile.Flat(func(h hookfile.Hook) any {
		return struct {
			Command string `json:"command"`
			Matcher string `json:"matcher,omitempty"`
			Timeout int    `json:"timeout"`
		}{h.Command, h.Matcher, h.Timeout}
	}),
	hooks: []hook{
		{native: "sessionStart", event: SessionStart, can: TellModel, timeout: 10},
		{native: "preToolUse", event: PreToolUse, can: DenyCall, matcher: cursorTools},
		{native: "postToolUse", event: PostToolUse, can: TellModel, matcher: cursorTools},
		{native: "postToolUseFailure", event: PostToolUse, matcher: cursorTools, failed: true},
		{native: "stop", event: Stop},
		{native: "sessionEnd", event: SessionEnd, timeout: 10},
	},
	tools: tools.Cursor,
	input: fields{
		session: "conversation_id session_id", cwd: "cwd workspace_roots", transcript: "transcript_path",
		tool: "tool_name", args: "tool_input", result: "error_message",
		paths: "file_path path", content: "content",
	},
	answer: []field{
		{name: "additional_context", says: theContext},
		{name: "permission", says: theVerdict},
		{name: "user_message", says: theReason},
		{name: "agent_message", says: theReason},
	},
	personal: []string{"hooks.json"},
	adjust:   adjustCursor,
}

// adjustCursor tells how a call ended. Whether a command that exits with 1 counts
// as failed is not documented.
func adjustCursor(e *Event, o payload.Object) {
	switch c := e.Call; {
	case e.Name != PostToolUse:
	case c.Failed:
		c.Unclear = o.Text("failure_type") == "permission_denied" // it did not run
		c.Failed = !c.Unclear
	default:
		c.Unclear = c.Tool == "Bash"
		c.Response = o.Text("tool_output")
		if json.Valid([]byte(c.Response)) { // it is JSON in a string
			c.Response = payload.Plain(json.RawMessage(c.Response))
		}
	}
}
