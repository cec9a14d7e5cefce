package hookfile

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
)

// Flat is one registration in a file of the form {"version": 1, "hooks": {event:
// [entry]}}, in which entries are not grouped. Entry is what encodes to one.
type Flat struct {
	Event string
	Entry any
}

// flatVersion is the form's version. It is written with a new file only: what
// people have keeps theirs.
const flatVersion = "1"

// commandKeys are the members of an entry that can hold its command.
var commandKeys = []string{"command", "bash"}

// AddFlat is [Add] for files whose entries are not grouped.
func AddFlat(doc []byte, hooks []Flat, ours func(command string) bool) ([]byte, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		doc = []byte("{}\n")
	}
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	if len(root.Members) == 0 {
		doc = jsonedit.AddMember(doc, root, "version", json.RawMessage(flatVersion))
	}
	for _, h := range hooks {
		if doc, err = addFlat(doc, h, ours); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

func addFlat(doc []byte, h Flat, ours func(string) bool) ([]byte, error) {
	value, err := plain(h.Entry)
	if err != nil {
		return nil, err
	}
	return register(doc, h.Event, value, func(entries jsonedit.Node) bool {
		return slices.ContainsFunc(entries.Elems, func(e jsonedit.Node) bool { return ours(flatCommand(doc, e)) })
	})
}

// RemoveFlat is [Remove] for files whose entries are not grouped. A version that
// would be left alone goes too.
func RemoveFlat(doc []byte, ours func(command string) bool) ([]byte, error) {
	return removeAll(doc, ours, removeOneFlat)
}

func removeOneFlat(doc []byte, root jsonedit.Node, ours func(string) bool) ([]byte, bool) {
	hooks, _ := root.Member("hooks")
	for _, event := range effective(hooks) {
		for i, entry := range event.Value.Elems {
			if !ours(flatCommand(doc, entry)) {
				continue
			}
			switch {
			case len(event.Value.Elems) > 1:
				return jsonedit.RemoveElem(doc, event.Value, i), true
			case len(hooks.Members) > 1:
				return jsonedit.RemoveMember(doc, hooks, event.Key), true
			}
			return withoutVersion(jsonedit.RemoveMember(doc, root, "hooks")), true
		}
	}
	return nil, false
}

func withoutVersion(doc []byte) []byte {
	root, err := object(doc)
	if err != nil || len(root.Members) != 1 || root.Members[0].Key != "version" {
		return doc
	}
	if v := root.Members[0].Value; string(doc[v.Start:v.End]) != flatVersion {
		return doc
	}
	return jsonedit.RemoveMember(doc, root, "version")
}

// FlatCommands lists every command of a document whose entries are not grouped;
// Place.Handler is 0.
func FlatCommands(doc []byte) ([]Place, error) {
	root, err := object(doc)
	if err != nil {
		return nil, err
	}
	var found []Place
	hooks, _ := root.Member("hooks")
	for _, event := range effective(hooks) {
		for i, entry := range event.Value.Elems {
			if command := flatCommand(doc, entry); command != "" {
				found = append(found, Place{Event: event.Key, Group: i, Command: command})
			}
		}
	}
	return found, nil
}

// RegisteredFlat is [Registered] for files whose entries are not grouped.
func RegisteredFlat(doc []byte, ours func(command string) bool) ([]string, error) {
	all, err := FlatCommands(doc)
	return eventsOf(all, ours), err
}

// ForeignFlat is [Foreign] for files whose entries are not grouped.
func ForeignFlat(doc []byte) []string {
	all, _ := FlatCommands(doc) // a file that cannot be read names none
	return foreign(all)
}

func flatCommand(doc []byte, entry jsonedit.Node) string {
	for _, key := range commandKeys {
		var command string
		node, ok := entry.Member(key)
		if ok && json.Unmarshal(doc[node.Start:node.End], &command) == nil && command != "" {
			return command
		}
	}
	return ""
}
