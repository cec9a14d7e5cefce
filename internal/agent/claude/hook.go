// Package claude knows Claude Code: the JSON of its hooks, its settings files,
// and where it keeps transcripts.
package claude

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Decode reads the JSON object that Claude Code gives to a hook.
func Decode(event string, input []byte) (agent.Event, error) {
	o, event, err := payload.Open(event, input, name)
	e := named(event)
	if err != nil || e.Name == "" {
		return e, err
	}
	e.ReadCommon(o)
	if e.Name == agent.PreToolUse || e.Name == agent.PostToolUse {
		e.Call = call(o, e.Native)
	}
	return e, nil
}

// named is what an event's name alone tells; no Name for events that lessons
// does not answer.
func named(event string) agent.Event {
	native := agent.EventName(event)
	switch {
	case native == postToolUseFailure:
		return agent.Event{Name: agent.PostToolUse, Native: native, Can: abilities(native)}
	case slices.Contains(AllEvents, native):
		return agent.Event{Name: native, Native: native, Can: abilities(native)}
	}
	return agent.Event{Native: native}
}

// abilities: a compaction's hook that prints anything shows up as an error, and
// a context at a stop would make the turn go on.
func abilities(native agent.EventName) agent.Ability {
	switch native {
	case agent.SessionStart, agent.UserPromptSubmit, agent.PostToolUse, postToolUseFailure:
		return agent.TellModel | agent.TellPerson
	case agent.SubagentStart:
		return agent.TellModel
	case agent.PreToolUse:
		return agent.TellModel | agent.TellPerson | agent.DenyCall | agent.AskPerson | agent.ChangeInput
	case agent.Stop, agent.SubagentStop:
		return agent.TellPerson | agent.HoldStop
	}
	return 0
}
