// Package payload reads the JSON that coding agents give to hooks. Nothing in it
// can be relied on: keys are matched exactly, because a struct would let
// "SESSION_ID" override "session_id", and a field of another type than expected
// counts as absent.
package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Object is a JSON object whose values are not read yet. Of equal keys the last
// one counts, as it does for JSON.parse. nil stands for anything else.
type Object map[string]json.RawMessage

// Parse reads one JSON object.
func Parse(data []byte) (Object, error) {
	var o Object
	if err := json.Unmarshal(bytes.TrimSpace(data), &o); err != nil {
		return nil, fmt.Errorf("hook input is not a JSON object: %w", err)
	}
	if o == nil {
		return nil, errors.New("hook input is not a JSON object: null")
	}
	return o, nil
}

// Text is a string field.
func (o Object) Text(key string) string { return text(o[key]) }

func text(raw json.RawMessage) string {
	var s string
	if !begins(raw, '"') || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Texts are the strings of some fields, and those of the lists among them, but
// for empty ones. Blanks part the fields' names.
func (o Object) Texts(keys string) []string {
	var found []string
	for key := range strings.FieldsSeq(keys) {
		for _, raw := range append(o.List(key), o[key]) {
			if s := text(raw); s != "" {
				found = append(found, s)
			}
		}
	}
	return found
}

// First is the first of Texts; empty when there is none.
func (o Object) First(keys string) string {
	if all := o.Texts(keys); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Raw is the first of some fields that is there. Blanks part their names.
func (o Object) Raw(keys string) json.RawMessage {
	for key := range strings.FieldsSeq(keys) {
		if o.Has(key) {
			return o[key]
		}
	}
	return nil
}

// Flag is a boolean field.
func (o Object) Flag(key string) bool {
	var b bool
	return json.Unmarshal(o[key], &b) == nil && b
}

// Number is a whole number; ok says that there is one.
func (o Object) Number(key string) (n int, ok bool) {
	if !o.Has(key) || json.Unmarshal(o[key], &n) != nil {
		return 0, false
	}
	return n, true
}

// begins says whether a value is of the kind that begins so, without reading a
// long one of another kind to its end.
func begins(raw json.RawMessage, c byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == c
}

// Object is a field that is an object.
func (o Object) Object(key string) Object { return object(o[key]) }

func object(raw json.RawMessage) Object {
	var inner Object
	if !begins(raw, '{') || json.Unmarshal(raw, &inner) != nil {
		return nil
	}
	return inner
}

// List is a field that is an array.
func (o Object) List(key string) []json.RawMessage {
	var list []json.RawMessage
	if !begins(o[key], '[') || json.Unmarshal(o[key], &list) != nil {
		return nil
	}
	return list
}

// Objects are the objects of an array.
func (o Object) Objects(key string) []Object {
	var found []Object
	for _, raw := range o.List(key) {
		if inner := object(raw); inner != nil {
			found = append(found, inner)
		}
	}
	return found
}

// Has says whether a field is there and not null.
func (o Object) Has(key string) bool {
	raw, ok := o[key]
	return ok && string(raw) != "null"
}

// answerKeys are the fields of a tool's answer that hold words, in the order in
// which they are read.
var answerKeys = []string{
	"text", "stdout", "stderr", "content", "file", "filenames", "llmContent", "output", "result", "message", "error",
	"text_result_for_llm", "textResultForLlm",
}

// Plain is what a tool answered, as text: strings as they are, lists and
// objects by their fields that hold words, anything else as JSON.
func Plain(raw json.RawMessage) string {
	return words(raw, 0)
}

// maxDepth is how deep words are looked for.
const maxDepth = 8

func words(raw json.RawMessage, depth int) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var list []json.RawMessage
	switch {
	case raw[0] == '"':
		return text(raw)
	case depth == maxDepth:
		return valid(raw)
	case raw[0] == '[' && json.Unmarshal(raw, &list) == nil:
		return join(list, depth)
	case raw[0] == '{':
		o := object(raw)
		var values []json.RawMessage
		for _, key := range answerKeys {
			if v, ok := o[key]; ok {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			return join(values, depth)
		}
	}
	return valid(raw)
}

func valid(raw []byte) string { return strings.ToValidUTF8(string(raw), "\uFFFD") }

func join(list []json.RawMessage, depth int) string {
	var parts []string
	for _, raw := range list {
		if s := words(raw, depth+1); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

// cutMark stands where Cut left something out.
const cutMark = "\n[…]\n"

// Cut shortens a text to n bytes at most, between runes. Head and end stay,
// because the reason of a failure is in one of them.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	half := (n - len(cutMark)) / 2
	if half <= 0 {
		return ""
	}
	head, tail := half, len(s)-half
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + cutMark + s[tail:]
}
