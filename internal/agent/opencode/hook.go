package opencode

import (
	"encoding/json"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// OpenCode's words for what the plugin asks about. bus is everything that is
// told to all plugins, by type.
const (
	systemTransform agent.EventName = "experimental.chat.system.transform"
	chatMessage     agent.EventName = "chat.message"
	toolBefore      agent.EventName = "tool.execute.before"
	toolAfter       agent.EventName = "tool.execute.after"
	bus             agent.EventName = "event"
)

// Events are the events that the plugin asks about.
var Events = []agent.EventName{systemTransform, chatMessage, toolBefore, toolAfter, bus}

// titleRequest is how the prompt begins with which OpenCode names a session.
const titleRequest = "You are a title generator"

// Decode reads what the plugin writes: {directory, worktree, session: {id, root},
// source, message, input, output}, the last two as OpenCode gives them.
func Decode(event string, data []byte) (agent.Event, error) {
	o, err := payload.Parse(data)
	if err != nil {
		return named(agent.EventName(event)), err
	}
	e := named(agent.EventName(event))
	in, out := o.Object("input"), o.Object("output")
	session := o.Object("session")
	id := in.Text("sessionID")
	if e.Native == bus {
		e = onBus(in.Object("event"))
		id = in.Object("event").Object("properties").Text("sessionID")
	}
	if e.Name == "" {
		return e, nil
	}
	if id == "" {
		id = session.Text("id")
	}
	e.Session, e.Cwd = id, o.First("directory", "cwd")
	if root := session.Text("root"); root != "" && root != id {
		e.Session, e.AgentID = root, id
	}
	switch e.Native {
	case systemTransform:
		for _, s := range out.List("system") {
			if strings.HasPrefix(payload.Plain(s), titleRequest) {
				return agent.Event{Native: e.Native}, nil
			}
		}
		e.Source = o.Text("source")
		if e.AgentID != "" {
			e.Name, e.Source = agent.SubagentStart, ""
		}
	case chatMessage:
		e.Prompt = words(out)
		if e.AgentID != "" {
			e.AgentType = out.Object("message").Text("agent")
		}
	case toolBefore:
		e.Call = before(in, out)
	case toolAfter:
		e.Call = after(in, out)
	case bus:
		if e.Name == agent.Stop {
			e.Message = o.Text("message")
			if e.AgentID != "" {
				e.Name = agent.SubagentStop
			}
		}
	}
	return e, nil
}

// named is what an event's name alone tells.
func named(native agent.EventName) agent.Event {
	e := agent.Event{Native: native, Can: abilities(native)}
	switch native {
	case systemTransform:
		e.Name = agent.SessionStart
	case chatMessage:
		e.Name = agent.UserPromptSubmit
	case toolBefore:
		e.Name = agent.PreToolUse
	case toolAfter:
		e.Name = agent.PostToolUse
	}
	return e
}

// onBus reads one of the events that are told to all plugins.
func onBus(event payload.Object) agent.Event {
	e := agent.Event{Native: bus}
	switch event.Text("type") {
	case "session.idle":
		e.Name = agent.Stop
	case "session.compacted":
		e.Name = agent.PreCompact
	case "message.part.updated":
		part := event.Object("properties").Object("part")
		if part.Text("type") == "tool" && part.Object("state").Text("status") == "error" {
			e.Name, e.Can, e.Call = agent.PostToolUse, agent.TellModel, broken(part)
		}
	}
	return e
}

// words are a person's, without what plugins put beside them.
func words(out payload.Object) string {
	var parts []string
	for _, part := range out.Objects("parts") {
		if part.Text("type") == "text" && !part.Flag("synthetic") {
			parts = append(parts, part.Text("text"))
		}
	}
	return strings.Join(parts, "\n")
}

// abilities: what is said before a tool runs is put beside its result by the
// plugin, and what is said about a failure goes into the next request. A session
// that has come to rest cannot be held, and nobody can be asked.
func abilities(native agent.EventName) agent.Ability {
	switch native {
	case systemTransform, chatMessage, toolAfter:
		return agent.TellModel
	case toolBefore:
		return agent.TellModel | agent.DenyCall | agent.ChangeInput
	case bus:
		return agent.TellModel // of a call that failed
	}
	return 0
}

type output struct {
	Context string          `json:"context,omitempty"`
	Deny    string          `json:"deny,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
}

// Encode makes the answer to the plugin; nil says nothing.
func Encode(event agent.EventName, a agent.Answer) []byte {
	can := abilities(native(event))
	var out output
	if can.Has(agent.TellModel) {
		out.Context = a.Context
	}
	if can.Has(agent.DenyCall) && (a.Decision == agent.Deny || a.Decision == agent.Ask) {
		out.Deny, out.Context = payload.Reason(a.Reason), ""
		if a.Context != "" {
			out.Deny += "\n\n" + a.Context
		}
	} else if can.Has(agent.ChangeInput) {
		out.Input = payload.Input(a.Input)
	}
	if out.Context == "" && out.Deny == "" && out.Input == nil {
		return nil
	}
	return payload.Line(out)
}

// native is OpenCode's word for an event that may be given in everybody's.
func native(event agent.EventName) agent.EventName {
	switch event {
	case agent.SessionStart, agent.SubagentStart:
		return systemTransform
	case agent.UserPromptSubmit:
		return chatMessage
	case agent.PreToolUse:
		return toolBefore
	case agent.PostToolUse:
		return toolAfter
	}
	return event
}
