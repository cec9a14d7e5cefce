// Package claude knows Claude Code: the JSON of its hooks, its settings files,
// and where it keeps transcripts.
package claude

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/lessons-cli/lessons/agent"
)

// Events are the hook events that lessons registers.
var Events = []agent.EventName{agent.SessionStart, agent.SubagentStart, agent.Stop, agent.SessionEnd}

// Decode reads the JSON object that Claude Code gives to a hook. Keys are
// matched exactly: a struct would let "SESSION_ID" override "session_id". A
// field of another type than expected counts as absent.
func Decode(name string, input []byte) (agent.Event, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimSpace(input), &fields); err != nil {
		return agent.Event{}, fmt.Errorf("hook input is not a JSON object: %w", err)
	}
	text := func(key string) string {
		var s string
		if json.Unmarshal(fields[key], &s) != nil {
			return ""
		}
		return s
	}
	return agent.Event{
		Name:       agent.EventName(name),
		Session:    text("session_id"),
		Cwd:        text("cwd"),
		Source:     text("source"),
		Transcript: text("transcript_path"),
		AgentType:  text("agent_type"),
	}, nil
}

type output struct {
	Specific *specific `json:"hookSpecificOutput,omitempty"`
	Message  string    `json:"systemMessage,omitempty"`
}

type specific struct {
	EventName agent.EventName `json:"hookEventName"` // without it the answer is dropped
	Context   string          `json:"additionalContext"`
}

// Encode makes the answer to an event; nil says nothing. Stop and SessionEnd
// take no context.
func Encode(name agent.EventName, a agent.Answer) []byte {
	var out output
	if a.Context != "" && (name == agent.SessionStart || name == agent.SubagentStart) {
		out.Specific = &specific{name, a.Context}
	}
	if name == agent.SessionStart {
		out.Message = a.Message
	}
	if out == (output{}) {
		return nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(out) != nil {
		return nil // a struct of strings always encodes
	}
	return buf.Bytes()
}
