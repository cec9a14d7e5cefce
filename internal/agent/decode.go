package agent

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/lists"
)

// fields are an agent's names for what lessons reads in hook input. Blanks part
// several names, of which the first that is there counts; empty: it is not told.
type fields struct {
	session, cwd, transcript string
	agentID, agentType       string // of sub-agents
	source                   string // of SessionStart
	prompt                   string // of UserPromptSubmit
	message, again           string // of Stop and SubagentStop
	kind                     string // tells events of the same name apart
	tool, args, result       string // of calls
	id, took                 string // likewise: as the transcript names it, and milliseconds
	paths                    string // inside args: all of them count
	content                  string // inside args: the text that is written
}

// claudeFields are those of hooks in Claude Code's form.
var claudeFields = fields{
	session: "session_id", cwd: "cwd", transcript: "transcript_path", agentID: "agent_id", agentType: "agent_type",
	source: "source", prompt: "prompt", message: "last_assistant_message", again: "stop_hook_active",
	tool: "tool_name", args: "tool_input", result: "tool_response error", id: "tool_use_id", took: "duration_ms",
	paths: "file_path notebook_path path", content: "content new_string new_source",
}

// Decode reads what an agent gives to a hook. It takes the agent's word for the
// event and believes the input where that names another; of input that cannot be
// read it returns what the word alone tells, and an error. An event of another
// agent, which reads this one's settings, has no Name, so that it is answered
// once.
func (c *Client) Decode(event string, input []byte) (Event, error) {
	open := c.open
	if open == nil {
		open = c.plainObject
	}
	o, event, err := open(event, input)
	h := c.hook(EventName(event), o.First(c.input.kind))
	e := Event{Name: h.event, Native: EventName(event), Can: h.can}
	if err != nil || e.Name == "" {
		return e, err
	}
	f := c.input
	e.Session, e.Cwd, e.Transcript = o.First(f.session), o.First(f.cwd), o.First(f.transcript)
	e.AgentID, e.AgentType = o.First(f.agentID), o.First(f.agentType)
	switch e.Name {
	case SessionStart:
		e.Source = o.First(f.source)
	case UserPromptSubmit:
		e.Prompt = o.First(f.prompt)
	case Stop, SubagentStop:
		e.Message, e.Again = o.First(f.message), o.Flag(f.again)
	case PreToolUse, PostToolUse:
		e.Call = c.call(o, h)
	}
	if c.adjust != nil {
		c.adjust(&e, o)
	}
	if e.Call != nil {
		e.Call.Response = payload.Cut(e.Call.Response, MaxResponse)
	}
	return e, nil
}

// plainObject reads input that is an object with the fields on its first level.
func (c *Client) plainObject(event string, input []byte) (payload.Object, string, error) {
	return payload.Open(event, input, append(slices.Clone(c.taken), c.Name)...)
}

// hook finds an event by the agent's word for it.
func (c *Client) hook(native EventName, kind string) hook {
	h, _ := lists.Find(c.hooks, func(h hook) bool { return h.native == native && (h.kind == "" || h.kind == kind) })
	return h
}

// call reads a tool call, and after it how it ended.
func (c *Client) call(o payload.Object, h hook) *Call {
	f := c.input
	in, raw := payload.Arguments(o.Raw(f.args))
	call := &Call{ID: o.First(f.id), RawTool: o.First(f.tool), Input: raw, Paths: in.Texts(f.paths)}
	call.Tool = c.tools.Shared(call.RawTool)
	for key := range strings.FieldsSeq(f.paths) {
		if call.PathKey == "" && in.Text(key) != "" {
			call.PathKey = key
		}
	}
	switch call.Tool {
	case "Bash", "PowerShell":
		call.Command = in.Text("command")
	case "Write", "Edit":
		parts := in.Texts(f.content)
		parts = append(parts, lists.Flat(in.Objects("edits"), func(edit payload.Object) []string { return edit.Texts(f.content) })...)
		call.Content = strings.Join(parts, "\n")
	default:
		if call.Tool == "Skill" || strings.HasPrefix(call.Tool, "mcp_") {
			call.Content = string(raw)
		}
	}
	if h.event == PostToolUse {
		call.Failed = h.failed
		call.Took, _ = o.Number(f.took)
		call.Response = payload.Plain(o.Raw(f.result))
	}
	return call
}
