// Package hookfile edits the settings files in which several coding agents
// register hooks in the same shape: {"hooks": {event: [{"matcher", "hooks":
// [{"type", "command", "timeout"}]}]}}. What is not lessons' own keeps its bytes.
package hookfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
)

// Hook is one registration. Timeout is in the agent's own unit.
type Hook struct {
	Event, Matcher, Name, Command string
	Timeout                       int
}

type handler struct {
	Type    string `json:"type"`
	Name    string `json:"name,omitempty"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// Place is where a command stands: the group in its event's list, the handler in
// its group. Both count from 0.
type Place struct {
	Event          string
	Group, Handler int
	Command        string
}

// Add returns the document with the hooks registered; an event that has one of
// ours stays as it is. Empty stands for a file that does not exist.
func Add(doc []byte, hooks []Hook, ours func(command string) bool) ([]byte, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		doc = []byte("{}\n")
	}
	for _, h := range hooks {
		var err error
		if doc, err = add(doc, h, ours); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

func add(doc []byte, h Hook, ours func(string) bool) ([]byte, error) {
	value, err := plain(group{h.Matcher, []handler{{"command", h.Name, h.Command, h.Timeout}}})
	if err != nil {
		return nil, err
	}
	return register(doc, h.Event, value, func(groups jsonedit.Node) bool {
		return slices.ContainsFunc(places(doc, h.Event, groups), func(p Place) bool { return ours(p.Command) })
	})
}

// register appends a value to an event's list; a list that has one of ours stays
// as it is.
func register(doc []byte, event string, value []byte, has func(list jsonedit.Node) bool) ([]byte, error) {
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	hooks, ok := root.Member("hooks")
	if !ok {
		return jsonedit.AddMember(doc, root, "hooks", fmt.Appendf(nil, "{%q:[%s]}", event, value)), nil
	}
	if !hooks.IsObject() {
		return nil, fmt.Errorf("\"hooks\" is not an object")
	}
	list, ok := hooks.Member(event)
	if !ok {
		return jsonedit.AddMember(doc, hooks, event, fmt.Appendf(nil, "[%s]", value)), nil
	}
	if !list.IsArray() {
		return nil, fmt.Errorf("\"hooks.%s\" is not an array", event)
	}
	if has(list) {
		return doc, nil
	}
	return jsonedit.Append(doc, list, value), nil
}

// plain is a value as JSON without escapes: people read the file.
func plain(v any) ([]byte, error) {
	var value bytes.Buffer
	enc := json.NewEncoder(&value)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(value.Bytes()), err
}

// Remove returns the document without our hooks, and without the containers
// that became empty by that.
func Remove(doc []byte, ours func(command string) bool) ([]byte, error) {
	return removeAll(doc, ours, removeOne)
}

// removeAll takes one registration out after the other, until none is found.
func removeAll(doc []byte, ours func(string) bool, one func([]byte, jsonedit.Node, func(string) bool) ([]byte, bool)) ([]byte, error) {
	for {
		root, err := object(doc)
		if err != nil {
			return nil, err
		}
		next, found := one(doc, root, ours)
		if !found {
			return doc, nil
		}
		doc = next
	}
}

func removeOne(doc []byte, root jsonedit.Node, ours func(string) bool) ([]byte, bool) {
	hooks, _ := root.Member("hooks")
	for _, event := range effective(hooks) {
		for _, at := range places(doc, event.Key, event.Value) {
			if !ours(at.Command) {
				continue
			}
			handlers, _ := event.Value.Elems[at.Group].Member("hooks")
			switch {
			case len(handlers.Elems) > 1:
				return jsonedit.RemoveElem(doc, handlers, at.Handler), true
			case len(event.Value.Elems) > 1:
				return jsonedit.RemoveElem(doc, event.Value, at.Group), true
			case len(hooks.Members) > 1:
				return jsonedit.RemoveMember(doc, hooks, event.Key), true
			default:
				return jsonedit.RemoveMember(doc, root, "hooks"), true
			}
		}
	}
	return nil, false
}

// Commands lists every command of the document.
func Commands(doc []byte) ([]Place, error) {
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	var found []Place
	hooks, _ := root.Member("hooks")
	for _, event := range effective(hooks) {
		found = append(found, places(doc, event.Key, event.Value)...)
	}
	return found, nil
}

// Registered lists the events that have our hook, once per registration.
func Registered(doc []byte, ours func(command string) bool) ([]string, error) {
	all, err := Commands(doc)
	return eventsOf(all, ours), err
}

func eventsOf(all []Place, ours func(command string) bool) []string {
	var events []string
	for _, p := range all {
		if ours(p.Command) {
			events = append(events, p.Event)
		}
	}
	return events
}

// Foreign lists the commands of tools that keep the same files as lessons: they
// are reported, never run beside ours (rulings 10).
func Foreign(doc []byte) []string {
	all, _ := Commands(doc) // a file that cannot be read names none
	return foreign(all)
}

func foreign(all []Place) []string {
	var found []string
	for _, p := range all {
		if strings.Contains(p.Command, "devflow") {
			found = append(found, p.Event+": "+p.Command)
		}
	}
	return found
}

// effective lists the members that count: the last one of each key.
func effective(n jsonedit.Node) []jsonedit.Member {
	var members []jsonedit.Member
	for i, m := range n.Members {
		if !slices.ContainsFunc(n.Members[i+1:], func(later jsonedit.Member) bool { return later.Key == m.Key }) {
			members = append(members, m)
		}
	}
	return members
}

func places(doc []byte, event string, groups jsonedit.Node) []Place {
	var found []Place
	for i, g := range groups.Elems {
		handlers, _ := g.Member("hooks")
		for j, h := range handlers.Elems {
			var command string
			node, _ := h.Member("command")
			if json.Unmarshal(doc[node.Start:node.End], &command) == nil {
				found = append(found, Place{event, i, j, command})
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
