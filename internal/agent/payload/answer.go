package payload

import (
	"encoding/json"
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
)

// JSON is a value on one line, with its characters as they are: models and people
// read it. nil when v does not encode.
func JSON(v any) []byte {
	data, _ := plain.Marshal(v, "")
	return data
}

// Arguments are a tool call's input and its bytes: an object, or one as JSON in a
// string; else nil.
func Arguments(raw json.RawMessage) (Object, json.RawMessage) {
	if s := text(raw); s != "" {
		raw = json.RawMessage(s)
	}
	o := object(raw)
	if o == nil {
		return nil, nil
	}
	return o, raw
}

// Reason is why something is held back; no agent takes an empty one.
func Reason(text string) string {
	if strings.TrimSpace(text) == "" {
		return "A lesson of this repository holds this back."
	}
	return text
}
