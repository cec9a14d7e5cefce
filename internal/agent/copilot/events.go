package copilot

import (
	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// Copilot's words for events.
const (
	sessionStart       agent.EventName = "sessionStart"
	preToolUse         agent.EventName = "preToolUse"
	postToolUse        agent.EventName = "postToolUse"
	postToolUseFailure agent.EventName = "postToolUseFailure"
	agentStop          agent.EventName = "agentStop"
	sessionEnd         agent.EventName = "sessionEnd"
)

// toolFailed is Claude Code's word for postToolUseFailure.
const toolFailed agent.EventName = "PostToolUseFailure"

// Events are the events that AddHooks registers.
var Events = []agent.EventName{sessionStart, agent.PreToolUse, agent.PostToolUse, toolFailed, agentStop, sessionEnd}

// common translates the words that Decode knows into everybody's.
var common = map[agent.EventName]agent.EventName{
	sessionStart: agent.SessionStart, agentStop: agent.Stop, sessionEnd: agent.SessionEnd,
	preToolUse: agent.PreToolUse, postToolUse: agent.PostToolUse, postToolUseFailure: agent.PostToolUse,
	agent.PreToolUse: agent.PreToolUse, agent.PostToolUse: agent.PostToolUse, toolFailed: agent.PostToolUse,
}

// timeouts are in seconds.
var timeouts = map[agent.EventName]int{sessionStart: 10, sessionEnd: 10}

const defaultTimeout = 5

func ours(command string) bool { return hookfile.Ours(name, command) }

type entry struct {
	Type    string `json:"type"`
	Bash    string `json:"bash"`
	Timeout int    `json:"timeoutSec"`
}

func hooks() []hookfile.Flat {
	var list []hookfile.Flat
	for _, e := range Events {
		timeout, ok := timeouts[e]
		if !ok {
			timeout = defaultTimeout
		}
		list = append(list, hookfile.Flat{Event: string(e), Entry: entry{"command", hookfile.Command(name, string(e)), timeout}})
	}
	return list
}
