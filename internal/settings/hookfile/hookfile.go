// Package hookfile edits the settings files in which coding agents register
// hooks: {"hooks": {event: [entry]}}. What is not lessons' own keeps its bytes.
package hookfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
)

// Hook is one registration. Timeout is in the agent's own unit.
type Hook struct {
	Event, Matcher, Name, Command string
	Timeout                       int
}

// Place is where a command stands: the entry in its event's list, and the handler
// in the entry. Both count from 0.
type Place struct {
	Event          string
	Entry, Handler int
	Command        string
}

// File is how an agent writes the file in which hooks are registered. An empty
// document stands for a file that does not exist.
type File interface {
	// Add returns the document with an agent's hooks registered; an event that has
	// one of lessons' stays as it is.
	Add(doc []byte, agent string, hooks []Hook) ([]byte, error)
	// Remove returns the document without them, and without the containers that
	// became empty by that; nil: nothing is left.
	Remove(doc []byte, agent string) ([]byte, error)
	// Commands lists every command of the document.
	Commands(doc []byte) ([]Place, error)
}

// Nested is the form in which an entry is a group of handlers: {"matcher",
// "hooks": [{"type", "command", "timeout"}]}.
var Nested File = form{entry: group, handlers: func(entry jsonedit.Node) []jsonedit.Node {
	list, _ := entry.Member("hooks")
	return list.Elems
}}

// Flat is the form {"version": 1, "hooks": {event: [entry]}}, in which each entry
// is a handler. entry gives the value that encodes to one.
func Flat(entry func(Hook) any) File {
	return form{version: "1", entry: entry, handlers: func(entry jsonedit.Node) []jsonedit.Node { return []jsonedit.Node{entry} }}
}

// form is a JSON document with hooks.
type form struct {
	version  string // written with a new file only: what people have keeps theirs
	entry    func(Hook) any
	handlers func(entry jsonedit.Node) []jsonedit.Node
}

func group(h Hook) any {
	type handler struct {
		Type    string `json:"type"`
		Name    string `json:"name,omitempty"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}
	return struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}{h.Matcher, []handler{{"command", h.Name, h.Command, h.Timeout}}}
}

// Add implements [File].
func (f form) Add(doc []byte, agent string, hooks []Hook) ([]byte, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		doc = []byte("{}\n")
	}
	root, err := object(doc)
	if err == nil && f.version != "" && len(root.Members) == 0 {
		doc = jsonedit.AddMember(doc, root, "version", json.RawMessage(f.version))
	}
	for _, h := range hooks {
		if doc, err = f.add(doc, agent, h); err != nil {
			return nil, err
		}
	}
	return doc, err
}

// add appends a hook to its event's list; a list that has one of lessons' stays
// as it is.
func (f form) add(doc []byte, agent string, h Hook) ([]byte, error) {
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	value, err := plain.Marshal(f.entry(h), "")
	if err != nil {
		return nil, err
	}
	hooks, ok := root.Member("hooks")
	if !ok {
		return jsonedit.AddMember(doc, root, "hooks", fmt.Appendf(nil, "{%q:[%s]}", h.Event, value)), nil
	}
	if !hooks.IsObject() {
		return nil, fmt.Errorf("\"hooks\" is not an object")
	}
	list, ok := hooks.Member(h.Event)
	if !ok {
		return jsonedit.AddMember(doc, hooks, h.Event, fmt.Appendf(nil, "[%s]", value)), nil
	}
	if !list.IsArray() {
		return nil, fmt.Errorf("\"hooks.%s\" is not an array", h.Event)
	}
	if slices.ContainsFunc(f.places(doc, h.Event, list), func(p Place) bool { return Ours(agent, p.Command) }) {
		return doc, nil
	}
	return jsonedit.Append(doc, list, value), nil
}

// Remove implements [File]. It takes one registration out after the other, until
// none is found.
func (f form) Remove(doc []byte, agent string) ([]byte, error) {
	for {
		root, err := object(doc)
		if err != nil {
			return nil, err
		}
		next, found := f.removeOne(doc, root, agent)
		if !found {
			return doc, nil
		}
		doc = next
	}
}

func (f form) removeOne(doc []byte, root jsonedit.Node, agent string) ([]byte, bool) {
	hooks, _ := root.Member("hooks")
	for _, event := range effective(hooks) {
		for _, at := range f.places(doc, event.Key, event.Value) {
			if !Ours(agent, at.Command) {
				continue
			}
			handlers, _ := event.Value.Elems[at.Entry].Member("hooks")
			switch {
			case len(handlers.Elems) > 1:
				return jsonedit.RemoveElem(doc, handlers, at.Handler), true
			case len(event.Value.Elems) > 1:
				return jsonedit.RemoveElem(doc, event.Value, at.Entry), true
			case len(hooks.Members) > 1:
				return jsonedit.RemoveMember(doc, hooks, event.Key), true
			}
			return f.withoutVersion(jsonedit.RemoveMember(doc, root, "hooks")), true
		}
	}
	return nil, false
}

// withoutVersion takes out a version that was left alone.
func (f form) withoutVersion(doc []byte) []byte {
	root, err := object(doc)
	if err != nil || f.version == "" || len(root.Members) != 1 || root.Members[0].Key != "version" {
		return doc
	}
	if v := root.Members[0].Value; string(doc[v.Start:v.End]) != f.version {
		return doc
	}
	return jsonedit.RemoveMember(doc, root, "version")
}

// Commands implements [File].
func (f form) Commands(doc []byte) ([]Place, error) {
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	hooks, _ := root.Member("hooks")
	return lists.Flat(effective(hooks), func(event jsonedit.Member) []Place { return f.places(doc, event.Key, event.Value) }), nil
}

// places lists the commands of an event's list.
func (f form) places(doc []byte, event string, list jsonedit.Node) []Place {
	var found []Place
	for i, entry := range list.Elems {
		for j, h := range f.handlers(entry) {
			if command := commandOf(doc, h); command != "" {
				found = append(found, Place{event, i, j, command})
			}
		}
	}
	return found
}

// commandOf is the command of a handler, under either of its names.
func commandOf(doc []byte, handler jsonedit.Node) string {
	for _, key := range []string{"command", "bash"} {
		var command string
		node, ok := handler.Member(key)
		if ok && json.Unmarshal(doc[node.Start:node.End], &command) == nil && command != "" {
			return command
		}
	}
	return ""
}

// Foreign lists the commands of tools that keep the same files as lessons.
func Foreign(all []Place) []string {
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
