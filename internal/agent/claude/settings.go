package claude

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// SettingsPath and LocalSettingsPath are the files in which hooks are
// registered, relative to the top of the work tree.
const (
	SettingsPath      = ".claude/settings.json"
	LocalSettingsPath = ".claude/settings.local.json"
)

// postToolUseFailure is Claude Code's word for [agent.PostToolUse] of a call
// that failed.
const postToolUseFailure agent.EventName = "PostToolUseFailure"

// Events are the hook events that AddHooks registers, in Claude Code's words.
var Events = []agent.EventName{
	agent.SessionStart, agent.UserPromptSubmit, agent.PreToolUse, agent.PostToolUse, postToolUseFailure,
	agent.SubagentStart, agent.SubagentStop, agent.Stop, agent.SessionEnd,
}

// AllEvents are the events that Decode knows.
var AllEvents = append(slices.Clone(Events), agent.PreCompact)

// tools are those whose calls can match a lesson (rulings 41).
const tools = "Bash|PowerShell|Read|Edit|Write|NotebookEdit|Glob|Grep|mcp__.*"

// Matchers say of which tools an event is wanted; other events have none.
var Matchers = map[agent.EventName]string{agent.PreToolUse: tools, agent.PostToolUse: tools, postToolUseFailure: tools}

// timeouts are in seconds. Session end is killed after about 1.5 s unless it
// sets its own; ours only starts a process, so the rest is slack.
var timeouts = map[agent.EventName]int{agent.SessionStart: 10, agent.SessionEnd: 10}

const defaultTimeout = 5

// Command is the string registered for an event.
func Command(event agent.EventName) string { return hookfile.Command(name, string(event)) }

func ours(command string) bool { return hookfile.Ours(name, command) }

// AddHooks returns the settings document with lessons' hooks registered; a
// document that has them is returned as it is. nil or empty stands for a file
// that does not exist.
func AddHooks(doc []byte) ([]byte, error) { return hookfile.Add(doc, hooks(Events), ours) }

func hooks(events []agent.EventName) []hookfile.Hook {
	var list []hookfile.Hook
	for _, e := range events {
		timeout, ok := timeouts[e]
		if !ok {
			timeout = defaultTimeout
		}
		list = append(list, hookfile.Hook{Event: string(e), Matcher: Matchers[e], Command: Command(e), Timeout: timeout})
	}
	return list
}

// RemoveHooks returns the settings document without lessons' hooks, and without
// the containers that became empty by that.
func RemoveHooks(doc []byte) ([]byte, error) { return hookfile.Remove(doc, ours) }

// Registered lists the events for which lessons' hook is in the document, once
// per registration.
func Registered(doc []byte) ([]string, error) { return hookfile.Registered(doc, ours) }

// Foreign lists commands of other tools that keep the same files.
func Foreign(doc []byte) []string { return hookfile.Foreign(doc) }
