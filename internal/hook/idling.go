package hook

import (
	"fmt"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

// idling tells a coding agent once that it made many calls and no edit; empty: it did, or
// nobody wants to know. Agents that test or plan do not edit.
func idling(most int, s *inject.Session, e agent.Event) string {
	const told = "calls before the first edit"
	if most == 0 || e.Name != agent.PostToolUse || e.AgentType != "" && e.AgentType != "coding-agent" || !e.Can.Has(agent.TellModel) || s.EverShown(told) {
		return ""
	}
	n, edited := s.CallsWithoutEdit()
	if !edited && n < most {
		return ""
	}
	if won, err := s.Claim(told, false); edited || !won || err != nil {
		return ""
	}
	return fmt.Sprintf("[lessons] %d tool calls and no edit yet. Make a first change now and test it, hand the work to a sub-agent, or say what is missing.", n)
}
