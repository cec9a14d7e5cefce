package cursor

import (
	"encoding/json"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Decode reads the JSON object that Cursor gives to a hook.
func Decode(event string, input []byte) (agent.Event, error) {
	o, event, err := payload.Open(event, input, name)
	e := named(event)
	if err != nil || e.Name == "" {
		return e, err
	}
	// Every event has the conversation; a session_id comes with its start alone.
	e.Session, e.Cwd, e.Transcript = o.First("conversation_id", "session_id"), o.Text("cwd"), o.Text("transcript_path")
	if roots := o.List("workspace_roots"); e.Cwd == "" && len(roots) > 0 {
		if json.Unmarshal(roots[0], &e.Cwd) != nil {
			e.Cwd = ""
		}
	}
	if e.Name == agent.PreToolUse || e.Name == agent.PostToolUse {
		e.Call = call(o, e.Native)
	}
	return e, nil
}

// named is what an event's name alone tells.
func named(event string) agent.Event {
	native := agent.EventName(event)
	if word, ok := common[native]; ok {
		return agent.Event{Name: word, Native: native, Can: abilities(native)}
	}
	return agent.Event{Native: native}
}

// abilities: a call takes no context before it runs, and none when it failed; a
// question to the person is not enforced there.
func abilities(native agent.EventName) agent.Ability {
	switch native {
	case sessionStart, postToolUse:
		return agent.TellModel
	case preToolUse:
		return agent.DenyCall
	}
	return 0
}

// canonical translates Cursor's words for tools into everybody's.
var canonical = map[string]string{"Shell": "Bash", "Task": "Agent"}

func call(o payload.Object, native agent.EventName) *agent.Call {
	c := &agent.Call{ID: o.Text("tool_use_id"), RawTool: o.Text("tool_name"), Input: payload.Input(o["tool_input"])}
	c.Tool = c.RawTool
	if word, ok := canonical[c.RawTool]; ok {
		c.Tool = word
	}
	in := o.Object("tool_input")
	if path := in.First("file_path", "path"); path != "" {
		c.Paths = append(c.Paths, path)
	}
	switch c.Tool {
	case "Bash":
		c.Command = in.Text("command")
	case "Write":
		c.Content = in.Text("content")
	}
	switch native {
	case postToolUse:
		c.Unclear = c.Tool == "Bash" // whether a command that exits with 1 counts as failed is not documented
		c.Response = payload.Cut(words(o.Text("tool_output")), agent.MaxResponse)
	case postToolUseFailure:
		c.Unclear = o.Text("failure_type") == "permission_denied" // it did not run
		c.Failed = !c.Unclear
		c.Response = payload.Cut(o.Text("error_message"), agent.MaxResponse)
	}
	return c
}

// words is a tool's output, which is JSON in a string.
func words(output string) string {
	if !json.Valid([]byte(output)) {
		return output
	}
	return payload.Plain(json.RawMessage(output))
}

type output struct {
	Context      string `json:"additional_context,omitempty"`
	Permission   string `json:"permission,omitempty"`
	UserMessage  string `json:"user_message,omitempty"`
	AgentMessage string `json:"agent_message,omitempty"`
}

// Encode makes the answer to an event; nil says nothing.
func Encode(event agent.EventName, a agent.Answer) []byte {
	var out output
	can := abilities(native(event))
	if can.Has(agent.TellModel) {
		out.Context = a.Context
	}
	if can.Has(agent.DenyCall) && (a.Decision == agent.Deny || a.Decision == agent.Ask) {
		out.Permission, out.AgentMessage = "deny", payload.Reason(a.Reason)
		out.UserMessage = out.AgentMessage
	}
	if out == (output{}) {
		return nil
	}
	return payload.Line(out)
}

// native is Cursor's word for an event that may be given in everybody's.
func native(event agent.EventName) agent.EventName {
	for _, own := range Events {
		if event == own || common[own] == event {
			return own
		}
	}
	return event
}
