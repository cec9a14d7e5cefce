package agent

import (
	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/plain"
)

// part is something that an answer can say.
type part uint8

const (
	theEvent   part = 1 << iota // the event's name; alone it says nothing
	theContext                  // for the model
	theMessage                  // for the person
	theVerdict                  // deny or ask
	theReason                   // of the verdict
	theHold                     // that the turn goes on
	theCause                    // of the hold
	theInput                    // instead of the call's own
)

// field is one member of an agent's answer: what it says, of which an answer
// never has two, or what lies in it. Fields stand in the order in which they are
// written.
type field struct {
	name   string
	says   part
	object []field
}

// Encode makes the answer to an event (in the agent's words); nil is silence.
// What an agent has no field for, or cannot take at the event, is left out. A
// call is never allowed: a changed input goes the way of permissions that any
// call goes.
func (c *Client) Encode(event EventName, a Answer) []byte {
	can := c.abilities(event)
	said := map[part]any{theEvent: event}
	a.Message, a.Context, a.Reason = plain.Visible(a.Message), plain.Visible(a.Context), plain.Visible(a.Reason)
	if can.Has(TellPerson) && a.Message != "" {
		said[theMessage] = a.Message
	}
	reason := payload.Reason(a.Reason)
	if can.Has(TellModel) && a.Context != "" {
		said[theContext] = a.Context
	}
	verdict := None
	switch {
	case can.Has(DenyCall) && (a.Decision == Deny || a.Decision == Ask):
		verdict = Deny
		if can.Has(AskPerson) {
			verdict = a.Decision
		}
		if c.merged && a.Context != "" {
			delete(said, theContext)
			reason += "\n\n" + a.Context
		}
		said[theVerdict], said[theReason] = verdict, reason
	case can.Has(HoldStop) && a.Decision == Block:
		said[theHold], said[theCause] = c.held, reason
	}
	if _, input := payload.Arguments(a.Input); can.Has(ChangeInput) && verdict != Deny && input != nil {
		said[theInput] = input
	}
	if out := object(c.answer, said); out != nil {
		return append(out, '\n')
	}
	return nil
}

// abilities are what an answer can do at an event, whatever its kind.
func (c *Client) abilities(native EventName) Ability {
	var can Ability
	for _, h := range c.hooks {
		if h.native == native {
			can |= h.can
		}
	}
	return can
}

// object writes the fields that have something to say; nil when none has.
func object(fields []field, said map[part]any) []byte {
	out, silent := []byte{'{'}, true
	for _, f := range fields {
		value := object(f.object, said)
		for p, v := range said {
			if f.says&p != 0 {
				value = payload.JSON(v)
			}
		}
		if value == nil {
			continue
		}
		silent = silent && f.says == theEvent
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, payload.JSON(f.name)...), ':'), value...)
	}
	if silent {
		return nil
	}
	return append(out, '}')
}
