package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/agent"
	"github.com/lessons-cli/lessons/internal/jsonedit"
)

// SettingsPath and LocalSettingsPath are the files in which hooks are
// registered, relative to the top of the work tree.
const (
	SettingsPath      = ".claude/settings.json"
	LocalSettingsPath = ".claude/settings.local.json"
)

// timeouts are in seconds. Session end is killed after about 1.5 s unless it
// sets its own; ours only starts a process, so the rest is slack.
var timeouts = map[agent.EventName]int{
	agent.SessionStart: 10, agent.SubagentStart: 5, agent.Stop: 5, agent.SessionEnd: 10,
}

// Command is the string registered for an event. It is never changed by a
// release, and where the program is missing it succeeds without a word, so a
// teammate without lessons notices nothing (rulings 42).
func Command(event agent.EventName) string {
	return fmt.Sprintf("command -v lessons >/dev/null 2>&1 && exec lessons hook claude %s || exit 0", event)
}

var ours = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\blessons(-hook| hook) claude [A-Za-z]+ \|\| exit 0$`)
})

type handler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

type group struct {
	Hooks []handler `json:"hooks"`
}

// AddHooks returns the settings document with lessons' hooks registered; a
// document that has them is returned as it is. nil or empty stands for a file
// that does not exist.
func AddHooks(doc []byte) ([]byte, error) {
	if len(strings.TrimSpace(string(doc))) == 0 {
		doc = []byte("{}\n")
	}
	for _, event := range Events {
		var err error
		if doc, err = addHook(doc, event); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

func addHook(doc []byte, event agent.EventName) ([]byte, error) {
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	var value bytes.Buffer
	enc := json.NewEncoder(&value)
	enc.SetEscapeHTML(false) // people read this file
	if err := enc.Encode(group{[]handler{{"command", Command(event), timeouts[event]}}}); err != nil {
		return nil, err
	}
	hooks, ok := root.Member("hooks")
	if !ok {
		return jsonedit.AddMember(doc, root, "hooks", fmt.Appendf(nil, "{%q:[%s]}", event, bytes.TrimSpace(value.Bytes()))), nil
	}
	if !hooks.IsObject() {
		return nil, fmt.Errorf("\"hooks\" is not an object")
	}
	groups, ok := hooks.Member(string(event))
	if !ok {
		return jsonedit.AddMember(doc, hooks, string(event), fmt.Appendf(nil, "[%s]", bytes.TrimSpace(value.Bytes()))), nil
	}
	if !groups.IsArray() {
		return nil, fmt.Errorf("\"hooks.%s\" is not an array", event)
	}
	if len(find(doc, groups)) > 0 {
		return doc, nil
	}
	return jsonedit.Append(doc, groups, bytes.TrimSpace(value.Bytes())), nil
}

// RemoveHooks returns the settings document without lessons' hooks, and without
// the containers that became empty by that.
func RemoveHooks(doc []byte) ([]byte, error) {
	for {
		root, err := object(doc)
		if err != nil {
			return nil, err
		}
		next, found := removeOne(doc, root)
		if !found {
			return doc, nil
		}
		doc = next
	}
}

func removeOne(doc []byte, root jsonedit.Node) ([]byte, bool) {
	hooks, _ := root.Member("hooks")
	for _, event := range hooks.Members {
		for _, at := range find(doc, event.Value) {
			handlers, _ := event.Value.Elems[at.group].Member("hooks")
			switch {
			case len(handlers.Elems) > 1:
				return jsonedit.RemoveElem(doc, handlers, at.handler), true
			case len(event.Value.Elems) > 1:
				return jsonedit.RemoveElem(doc, event.Value, at.group), true
			case len(hooks.Members) > 1:
				return jsonedit.RemoveMember(doc, hooks, event.Key), true
			default:
				return jsonedit.RemoveMember(doc, root, "hooks"), true
			}
		}
	}
	return nil, false
}

type place struct{ group, handler int }

// find lists where lessons' handlers stand in the groups of one event.
func find(doc []byte, groups jsonedit.Node) []place {
	var found []place
	for i, g := range groups.Elems {
		handlers, _ := g.Member("hooks")
		for j, h := range handlers.Elems {
			var command string
			node, _ := h.Member("command")
			if json.Unmarshal(doc[node.Start:node.End], &command) == nil && ours().MatchString(command) {
				found = append(found, place{i, j})
			}
		}
	}
	return found
}

// Registered lists the events for which lessons' hook is in the document, once
// per registration.
func Registered(doc []byte) ([]string, error) {
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	var events []string
	hooks, _ := root.Member("hooks")
	for _, event := range hooks.Members {
		for range find(doc, event.Value) {
			events = append(events, event.Key)
		}
	}
	return events, nil
}

// Foreign lists commands of other tools that keep the same files, such as
// devflow's learning hook: they are reported, never run beside ours (rulings 10).
func Foreign(doc []byte) []string {
	root, err := object(doc)
	if err != nil {
		return nil
	}
	var found []string
	hooks, _ := root.Member("hooks")
	for _, event := range hooks.Members {
		for _, g := range event.Value.Elems {
			handlers, _ := g.Member("hooks")
			for _, h := range handlers.Elems {
				var command string
				node, _ := h.Member("command")
				if json.Unmarshal(doc[node.Start:node.End], &command) == nil && strings.Contains(command, "devflow") {
					found = append(found, event.Key+": "+command)
				}
			}
		}
	}
	return found
}

func object(doc []byte) (jsonedit.Node, error) {
	root, err := jsonedit.Parse(doc)
	if err != nil {
		return root, err
	}
	if !root.IsObject() {
		return root, &jsonedit.SyntaxError{Line: 1, Text: "not a JSON object"}
	}
	return root, nil
}
