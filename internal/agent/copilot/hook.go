package copilot

import (
	"encoding/json"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Decode reads the JSON object that Copilot gives to a hook. Its own form does
// not name the event; the one that is like Claude Code's does.
func Decode(event string, input []byte) (agent.Event, error) {
	o, said, err := payload.Open(event, input, name)
	own := o.Has("sessionId")
	if !own {
		event = said
	}
	e := named(event)
	if err != nil || e.Name == "" {
		return e, err
	}
	e.Cwd = o.Text("cwd")
	if own {
		e.Session = o.Text("sessionId")
	} else {
		e.Session, e.Transcript = o.Text("session_id"), o.Text("transcript_path")
	}
	if e.Name != agent.PreToolUse && e.Name != agent.PostToolUse {
		return e, nil
	}
	if own {
		e.Call = call(e.Native, o.Text("toolName"), arguments(o["toolArgs"]), o.Object("toolResult").Text("textResultForLlm"))
	} else {
		e.Call = call(e.Native, o.Text("tool_name"), arguments(o["tool_input"]), payload.Plain(result(o["tool_result"])))
	}
	return e, nil
}

// arguments are a call's input: an object, or one as JSON in a string.
func arguments(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		raw = json.RawMessage(text)
	}
	return payload.Input(raw)
}

// result is what a call gave, in the form that is like Claude Code's: the keys
// inside it are not documented, so words are taken from whatever holds them.
func result(raw json.RawMessage) json.RawMessage {
	var o payload.Object
	if json.Unmarshal(raw, &o) != nil {
		return raw
	}
	for _, key := range []string{"text_result_for_llm", "textResultForLlm"} {
		if o.Text(key) != "" {
			return o[key]
		}
	}
	return raw
}

func call(native agent.EventName, tool string, input json.RawMessage, response string) *agent.Call {
	c := &agent.Call{RawTool: tool, Tool: tool, Input: input}
	in := payload.Object{}
	if input != nil {
		in, _ = payload.Parse(input) // an object, or it would be nil
	}
	if path := in.First("file_path", "path"); path != "" {
		c.Paths = append(c.Paths, path)
	}
	switch tool {
	case "Bash":
		c.Command = in.Text("command")
	case "Write":
		c.Content = in.Text("content")
	case "Edit":
		c.Content = in.Text("new_string")
	}
	if common[native] == agent.PostToolUse {
		c.Failed = native == postToolUseFailure || native == toolFailed
		c.Unclear = !c.Failed
		c.Response = payload.Cut(response, agent.MaxResponse)
	}
	return c
}

// named is what an event's name alone tells.
func named(event string) agent.Event {
	native := agent.EventName(event)
	if word, ok := common[native]; ok {
		return agent.Event{Name: word, Native: native, Can: abilities(native)}
	}
	return agent.Event{Native: native}
}

// abilities: before a tool runs nothing can be told, only held back.
func abilities(native agent.EventName) agent.Ability {
	switch native {
	case sessionStart, postToolUse, agent.PostToolUse:
		return agent.TellModel
	case preToolUse, agent.PreToolUse:
		return agent.DenyCall | agent.AskPerson
	}
	return 0
}

type output struct {
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

// Encode makes the answer to an event; nil says nothing.
func Encode(event agent.EventName, a agent.Answer) []byte {
	var out output
	can := abilities(native(event))
	if can.Has(agent.TellModel) {
		out.Context = a.Context
	}
	if can.Has(agent.DenyCall) && (a.Decision == agent.Deny || a.Decision == agent.Ask) {
		out.Decision, out.Reason = string(a.Decision), payload.Reason(a.Reason)
	}
	if out == (output{}) {
		return nil
	}
	return payload.Line(out)
}

// native is Copilot's word for an event that may be given in everybody's.
func native(event agent.EventName) agent.EventName {
	if _, ok := common[event]; ok {
		return event
	}
	for _, own := range Events {
		if common[own] == event {
			return own
		}
	}
	return event
}
