package codex

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Events are the events that Decode knows and AddHooks registers.
var Events = []agent.EventName{
	agent.SessionStart, agent.UserPromptSubmit, agent.PreToolUse, agent.PostToolUse,
	agent.SubagentStart, agent.SubagentStop, agent.PreCompact, agent.Stop, agent.SessionEnd,
}

// Decode reads the JSON object that Codex gives to a hook.
func Decode(event string, input []byte) (agent.Event, error) {
	o, event, err := payload.Open(event, input, name)
	e := named(event)
	if err != nil || e.Name == "" {
		return e, err
	}
	e.ReadCommon(o)
	if e.Name == agent.PreToolUse || e.Name == agent.PostToolUse {
		e.Call = call(o, e.Name)
	}
	return e, nil
}

// named is what an event's name alone tells.
func named(event string) agent.Event {
	e := agent.Event{Native: agent.EventName(event)}
	if slices.Contains(Events, e.Native) {
		e.Name, e.Can = e.Native, abilities(e.Native)
	}
	return e
}

// abilities: Codex has no way to ask and takes a changed input only together
// with an approval, which a lesson never gives.
func abilities(event agent.EventName) agent.Ability {
	switch event {
	case agent.SessionStart, agent.UserPromptSubmit, agent.PostToolUse:
		return agent.TellModel | agent.TellPerson
	case agent.SubagentStart:
		return agent.TellModel
	case agent.PreToolUse:
		return agent.TellModel | agent.TellPerson | agent.DenyCall
	case agent.Stop, agent.SubagentStop:
		return agent.HoldStop
	}
	return 0
}

type output struct {
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
	Message  string    `json:"systemMessage,omitempty"`
}

type specific struct {
	EventName agent.EventName `json:"hookEventName"`
	Decision  agent.Decision  `json:"permissionDecision,omitempty"`
	Reason    string          `json:"permissionDecisionReason,omitempty"`
	Context   string          `json:"additionalContext,omitempty"`
}

// Encode makes the answer to an event; nil says nothing. One field that Codex
// does not know would cost the whole answer, so there are no others than these.
func Encode(event agent.EventName, a agent.Answer) []byte {
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
		s.Decision, s.Reason, s.Context = agent.Deny, payload.Reason(a.Reason), ""
		if a.Context != "" { // the reason is certain to arrive
			s.Reason += "\n\n" + a.Context
		}
	case can.Has(agent.HoldStop) && a.Decision == agent.Block:
		out.Decision, out.Reason = "block", payload.Reason(a.Reason)
	}
	if s.Context != "" || s.Decision != agent.None {
		out.Specific = &s
	}
	if out == (output{}) {
		return nil
	}
	return payload.Line(out)
}
