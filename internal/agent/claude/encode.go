package claude

import (
	"encoding/json"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

type output struct {
	Decision string    `json:"decision,omitempty"` // of stops
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
	Message  string    `json:"systemMessage,omitempty"`
}

type specific struct {
	EventName agent.EventName `json:"hookEventName"` // without it the answer is dropped
	Decision  agent.Decision  `json:"permissionDecision,omitempty"`
	Reason    string          `json:"permissionDecisionReason,omitempty"`
	Input     json.RawMessage `json:"updatedInput,omitempty"`
	Context   string          `json:"additionalContext,omitempty"`
}

// Encode makes the answer to an event; nil says nothing. It never allows a call:
// a changed input goes the way of permissions that any call goes.
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
		s.Decision, s.Reason = a.Decision, payload.Reason(a.Reason)
	case can.Has(agent.HoldStop) && a.Decision == agent.Block:
		out.Decision, out.Reason = "block", payload.Reason(a.Reason)
	}
	if can.Has(agent.ChangeInput) && a.Decision != agent.Deny {
		s.Input = payload.Input(a.Input)
	}
	if s.Context != "" || s.Decision != agent.None || s.Input != nil {
		out.Specific = &s
	}
	if out == (output{}) {
		return nil
	}
	return payload.Line(out)
}
