package gemini

import (
	"encoding/json"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Decode reads the JSON object that Gemini gives to a hook.
func Decode(event string, input []byte) (agent.Event, error) {
	// Input without a transcript looks like Copilot's; nothing but Gemini reads its settings.
	o, event, err := payload.Open(event, input, name, "copilot")
	e := named(event)
	if err != nil || e.Name == "" {
		return e, err
	}
	if e.Native == preCompress && o.Text("trigger") != manual {
		return agent.Event{Native: e.Native}, nil
	}
	e.Session, e.Cwd, e.Transcript = o.Text("session_id"), o.Text("cwd"), o.Text("transcript_path")
	switch e.Name {
	case agent.SessionStart:
		e.Source = o.Text("source")
	case agent.UserPromptSubmit:
		e.Prompt = withoutContext(o.Text("prompt"))
	case agent.Stop:
		e.Message, e.Again = o.Text("prompt_response"), o.Flag("stop_hook_active")
	case agent.PreToolUse, agent.PostToolUse:
		e.Call = call(o, e.Name)
		if o.Object("tool_response").Has("error") {
			e.Can &^= agent.TellModel // the context would be dropped: the next prompt takes it
		}
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

const contextStart, contextEnd = "<hook_context>", "</hook_context>"

// withoutContext takes out what hooks put before a person's words.
func withoutContext(prompt string) string {
	for strings.HasPrefix(prompt, contextStart) {
		_, rest, ok := strings.Cut(prompt, contextEnd)
		if !ok {
			break
		}
		prompt = strings.TrimLeft(rest, "\n")
	}
	return prompt
}

// abilities: what a hook says before a tool runs is dropped, so the time for it
// is after the tool, or with the next prompt.
func abilities(native agent.EventName) agent.Ability {
	switch native {
	case agent.SessionStart, beforeAgent, afterTool:
		return agent.TellModel | agent.TellPerson
	case beforeTool:
		return agent.TellPerson | agent.DenyCall | agent.AskPerson | agent.ChangeInput
	case afterAgent:
		return agent.TellPerson | agent.HoldStop
	}
	return 0
}

type output struct {
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Message  string    `json:"systemMessage,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	EventName agent.EventName `json:"hookEventName"`
	Context   string          `json:"additionalContext,omitempty"`
	Input     json.RawMessage `json:"tool_input,omitempty"` // merged over the call's own
}

// Encode makes the answer to an event; nil says nothing.
func Encode(event agent.EventName, a agent.Answer) []byte {
	event = native(event)
	var out output
	can := abilities(event)
	if can.Has(agent.TellPerson) {
		out.Message = a.Message
	}
	s := specific{EventName: event}
	if can.Has(agent.TellModel) {
		s.Context = a.Context
	}
	switch {
	case can.Has(agent.DenyCall) && (a.Decision == agent.Deny || a.Decision == agent.Ask):
		out.Decision, out.Reason = string(a.Decision), payload.Reason(a.Reason)
	case can.Has(agent.HoldStop) && a.Decision == agent.Block:
		out.Decision, out.Reason = "deny", payload.Reason(a.Reason)
	}
	if can.Has(agent.ChangeInput) && a.Decision != agent.Deny {
		s.Input = payload.Input(a.Input)
	}
	if s.Context != "" || s.Input != nil {
		out.Specific = &s
	}
	if out == (output{}) {
		return nil
	}
	return payload.Line(out)
}

// native is Gemini's word for an event that may be given in everybody's.
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
