package cursor

import (
	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// Cursor's words for events.
const (
	sessionStart       agent.EventName = "sessionStart"
	preToolUse         agent.EventName = "preToolUse"
	postToolUse        agent.EventName = "postToolUse"
	postToolUseFailure agent.EventName = "postToolUseFailure"
	stop               agent.EventName = "stop"
	sessionEnd         agent.EventName = "sessionEnd"
)

// Events are the events that Decode knows and AddHooks registers.
var Events = []agent.EventName{sessionStart, preToolUse, postToolUse, postToolUseFailure, stop, sessionEnd}

// common translates Cursor's words into everybody's.
var common = map[agent.EventName]agent.EventName{
	sessionStart: agent.SessionStart, preToolUse: agent.PreToolUse, postToolUse: agent.PostToolUse,
	postToolUseFailure: agent.PostToolUse, stop: agent.Stop, sessionEnd: agent.SessionEnd,
}

// tools are those whose calls can match a lesson. How a matcher names the tools
// of MCP servers is not documented.
const tools = "Shell|Read|Write|Grep|Delete"

// Matchers say of which tools an event is wanted.
var Matchers = map[agent.EventName]string{preToolUse: tools, postToolUse: tools, postToolUseFailure: tools}

// timeouts are in seconds.
var timeouts = map[agent.EventName]int{sessionStart: 10, sessionEnd: 10}

const defaultTimeout = 5

func ours(command string) bool { return hookfile.Ours(name, command) }

type entry struct {
	Command string `json:"command"`
	Matcher string `json:"matcher,omitempty"`
	Timeout int    `json:"timeout"`
}

func hooks() []hookfile.Flat {
	var list []hookfile.Flat
	for _, e := range Events {
		timeout, ok := timeouts[e]
		if !ok {
			timeout = defaultTimeout
		}
		list = append(list, hookfile.Flat{Event: string(e), Entry: entry{hookfile.Command(name, string(e)), Matchers[e], timeout}})
	}
	return list
}
