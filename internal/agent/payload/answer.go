package payload

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Line is an answer as one line of JSON, with its characters as they are: models
// read it. nil when v does not encode.
func Line(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil
	}
	return buf.Bytes()
}

// Input is a tool call's input as it may be put into an answer: a JSON object,
// else nil.
func Input(raw json.RawMessage) json.RawMessage {
	if o := object(raw); o == nil {
		return nil
	}
	return raw
}

// Reason is why something is held back; no agent takes an empty one.
func Reason(text string) string {
	if strings.TrimSpace(text) == "" {
		return "A lesson of this repository holds this back."
	}
	return text
}
