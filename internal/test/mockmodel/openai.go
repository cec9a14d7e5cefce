package mockmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// NewResponses speaks the responses API as far as Codex needs it. A tool named
// apply_patch is called with its "input" as free text, as Codex offers it.
func NewResponses(script []Turn) *Model {
	m := newModel(script)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/responses", m.responses)
	return m.serve(mux)
}

func (m *Model) responses(w http.ResponseWriter, r *http.Request) {
	turn, ok := m.turn(w, r)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(name string, fields map[string]any) {
		fields["type"] = name
		data, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	}
	id := m.id("resp_")
	send("response.created", map[string]any{"response": map[string]any{"id": id}})
	for i, item := range m.items(turn) {
		send("response.output_item.added", map[string]any{"output_index": i, "item": item})
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	send("response.completed", map[string]any{"response": map[string]any{"id": id, "usage": map[string]any{
		"input_tokens": turn.tokens(), "input_tokens_details": nil, "output_tokens": 10, "output_tokens_details": nil, "total_tokens": turn.tokens() + 10,
	}}})
}

func (m *Model) items(t Turn) (items []map[string]any) {
	if t.Text != "" {
		items = append(items, map[string]any{"type": "message", "role": "assistant", "id": m.id("msg_"), "content": []any{map[string]any{"type": "output_text", "text": t.Text}}})
	}
	for _, tool := range t.Tools {
		item := map[string]any{"type": "function_call", "call_id": m.id("call_"), "name": tool.Name, "arguments": arguments(tool)}
		if tool.Name == "apply_patch" {
			item = map[string]any{"type": "custom_tool_call", "call_id": m.id("call_"), "name": tool.Name, "input": tool.Input["input"]}
		}
		if tool.Name == "spawn_agent" {
			item["namespace"] = "multi_agent_v1"
		}
		items = append(items, item)
	}
	return items
}

// CodexEnv is the environment in which Codex talks to the server at url and to
// nothing else, with home as the person's folder. It writes Codex' config.toml.
func CodexEnv(url, home string) ([]string, error) {
	config := `model = "gpt-5.5"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "` + url + `/v1"
env_key = "MOCK_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
	if err := write(filepath.Join(home, ".codex", "config.toml"), config); err != nil {
		return nil, err
	}
	return []string{"HOME=" + home, "CODEX_HOME=" + home + "/.codex", "MOCK_KEY=mock"}, nil
}

// NewChat speaks the chat completions API as far as OpenCode needs it. Requests
// without tools (titles) do not use up the script.
func NewChat(script []Turn) *Model {
	m := newModel(script)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", m.chat)
	return m.serve(mux)
}

func (m *Model) chat(w http.ResponseWriter, r *http.Request) {
	turn, ok := m.turn(w, r)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	id := m.id("chatcmpl-")
	send := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{
			"id": id, "object": "chat.completion.chunk", "created": 1, "model": "mock-model",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		})
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	send(map[string]any{"role": "assistant", "content": turn.Text}, nil)
	finish := "stop"
	for i, tool := range turn.Tools {
		finish = "tool_calls"
		call := map[string]any{"index": i, "id": m.id("call_"), "type": "function", "function": map[string]any{"name": tool.Name, "arguments": arguments(tool)}}
		send(map[string]any{"tool_calls": []any{call}}, nil)
	}
	send(map[string]any{}, finish)
	data, _ := json.Marshal(map[string]any{
		"id": id, "object": "chat.completion.chunk", "created": 1, "model": "mock-model", "choices": []any{},
		"usage": map[string]any{"prompt_tokens": turn.tokens(), "completion_tokens": 10, "total_tokens": turn.tokens() + 10},
	})
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", data)
}

// OpenCodeEnv is the environment in which OpenCode talks to the server at url
// and to nothing else. It writes the person's opencode.json.
func OpenCodeEnv(url, home string) ([]string, error) {
	config, err := json.MarshalIndent(map[string]any{
		"provider": map[string]any{"mock": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "options": map[string]any{"baseURL": url + "/v1", "apiKey": "mock"},
			"models": map[string]any{"mock-model": map[string]any{"name": "mock", "tool_call": true, "limit": map[string]any{"context": 200_000, "output": 8_000}}},
		}},
		"model": "mock/mock-model", "small_model": "mock/mock-model", "permission": map[string]any{"*": "allow"}, "autoupdate": false,
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := write(filepath.Join(home, ".config", "opencode", "opencode.json"), string(config)); err != nil {
		return nil, err
	}
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/.config", "XDG_DATA_HOME=" + home + "/.local/share",
		"XDG_CACHE_HOME=" + home + "/.cache", "XDG_STATE_HOME=" + home + "/.local/state",
		"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
		"npm_config_fetch_retries=0", "npm_config_registry=http://127.0.0.1:1/",
	}, nil
}

// CopilotEnv is the environment in which Copilot CLI talks to the server at url and to
// nothing else.
func CopilotEnv(url, home string) []string {
	return []string{
		"HOME=" + home, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_API_KEY=mock",
		"COPILOT_MODEL=gpt-4.1", "COPILOT_AUTO_UPDATE=false",
	}
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
