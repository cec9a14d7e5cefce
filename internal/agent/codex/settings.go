package codex

import (
	"bytes"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// HooksPath and ConfigPath are the files of a repository in which hooks can be
// registered. Codex reads both, once the project is trusted.
const (
	HooksPath  = ".codex/hooks.json"
	ConfigPath = ".codex/config.toml"
)

// tools are those whose calls can match a lesson. Every shell tool of Codex
// reports as Bash.
const tools = "^(Bash|apply_patch|view_image|mcp__.*)$"

// Matchers say of which tools an event is wanted; other events have none.
var Matchers = map[agent.EventName]string{agent.PreToolUse: tools, agent.PostToolUse: tools}

// timeouts are in seconds. Codex ends a session-end hook after three at most.
var timeouts = map[agent.EventName]int{agent.SessionStart: 10, agent.SessionEnd: 3}

const defaultTimeout = 5

func command(e agent.EventName) string { return hookfile.Command(name, string(e)) }

func ours(command string) bool { return hookfile.Ours(name, command) }

func hooks() []hookfile.Hook {
	var list []hookfile.Hook
	for _, e := range Events {
		timeout, ok := timeouts[e]
		if !ok {
			timeout = defaultTimeout
		}
		list = append(list, hookfile.Hook{Event: string(e), Matcher: Matchers[e], Command: command(e), Timeout: timeout})
	}
	return list
}

// isTOML tells config.toml from hooks.json by the first character; nothing at
// all is a hooks.json that is to be made.
func isTOML(doc []byte) bool {
	doc = bytes.TrimSpace(doc)
	return len(doc) > 0 && doc[0] != '{'
}

func addJSON(doc []byte) ([]byte, error)    { return hookfile.Add(doc, hooks(), ours) }
func removeJSON(doc []byte) ([]byte, error) { return hookfile.Remove(doc, ours) }

func registeredJSON(doc []byte) ([]string, error) { return hookfile.Registered(doc, ours) }

func foreign(doc []byte) []string {
	if isTOML(doc) {
		return foreignTOML(doc)
	}
	return hookfile.Foreign(doc)
}
