// Package mockmodel is a model server for tests: it answers a coding agent's
// requests from a script, on loopback, and keeps every request for assertions.
package mockmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Turn is one answer of the model: words, then tool calls.
type Turn struct {
	Text   string `json:"text,omitempty"`
	Tools  []Tool `json:"tools,omitempty"`
	Tokens int    `json:"tokens,omitempty"` // used so far; 0 stands for few
}

// tokens is how much of its context the model says is used.
func (t Turn) tokens() int { return max(t.Tokens, 10) }

// Tool is one call that the model asks for.
type Tool struct {
	Name  string         `json:"name"`
	Input map[string]any `json:"input"`
}

// Anthropic speaks the messages API as far as Claude Code needs it. Requests
// that offer few tools (titles, summaries) do not use up the script.
type Anthropic struct{ *Model }

// sideRequest is the number of tools below which a request is not the
// conversation itself.
const sideRequest = 3

// NewAnthropic starts a server that answers with the turns in order, and with
// "done" when the script has ended. Close it.
func NewAnthropic(script []Turn) *Anthropic {
	a := &Anthropic{newModel(script)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"input_tokens":10}`)
	})
	mux.HandleFunc("POST /v1/messages", a.messages)
	a.serve(mux)
	return a
}

func (a *Anthropic) messages(w http.ResponseWriter, r *http.Request) {
	text, ok := body(w, r)
	if !ok {
		return
	}
	var request struct {
		Model  string            `json:"model"`
		Stream bool              `json:"stream"`
		Tools  []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal([]byte(text), &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	turn := a.next(text, len(request.Tools) >= sideRequest)
	blocks, stop := a.blocks(turn)
	if !request.Stream {
		_ = json.NewEncoder(w).Encode(a.message(request.Model, blocks, stop))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	a.stream(w, request.Model, blocks, stop)
}

func (a *Anthropic) blocks(t Turn) (blocks []map[string]any, stop string) {
	stop = "end_turn"
	if t.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": t.Text})
	}
	for _, tool := range t.Tools {
		stop = "tool_use"
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": a.id("toolu_"), "name": tool.Name, "input": tool.Input})
	}
	return blocks, stop
}

func (a *Anthropic) message(model string, blocks []map[string]any, stop any) map[string]any {
	return map[string]any{
		"id": a.id("msg_"), "type": "message", "role": "assistant", "model": model, "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 10},
	}
}

func (a *Anthropic) stream(w io.Writer, model string, blocks []map[string]any, stop string) {
	send := func(name string, fields map[string]any) {
		fields["type"] = name
		data, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	}
	send("message_start", map[string]any{"message": a.message(model, []map[string]any{}, nil)})
	for i, block := range blocks {
		start, delta := deltas(block)
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 10}})
	send("message_stop", map[string]any{})
}

func deltas(block map[string]any) (start, delta map[string]any) {
	if block["type"] == "text" {
		return map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": block["text"]}
	}
	input, _ := json.Marshal(block["input"])
	return map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}},
		map[string]any{"type": "input_json_delta", "partial_json": string(input)}
}

// ClaudeEnv is the environment in which Claude Code talks to the server at url
// and to nothing else, with home as the person's folder.
func ClaudeEnv(url, home string) []string {
	return []string{
		"HOME=" + home, "CLAUDE_CONFIG_DIR=" + home + "/.claude",
		"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=mock",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
	}
}
