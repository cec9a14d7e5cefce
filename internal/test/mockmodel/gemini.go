package mockmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
)

// NewGemini speaks the Gemini API as far as Gemini CLI needs it. Requests
// without tools do not use up the script.
func NewGemini(script []Turn) *Model {
	m := newModel(script)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1beta/models/{call}", m.generate)
	return m.serve(mux)
}

func (m *Model) generate(w http.ResponseWriter, r *http.Request) {
	call := r.PathValue("call")
	if strings.HasSuffix(call, ":countTokens") {
		_, _ = io.WriteString(w, `{"totalTokens":10}`)
		return
	}
	turn, ok := m.turn(w, r)
	if !ok {
		return
	}
	var parts []any
	if turn.Text != "" {
		parts = append(parts, map[string]any{"text": turn.Text})
	}
	for _, tool := range turn.Tools {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"name": tool.Name, "args": tool.Input}})
	}
	data, _ := json.Marshal(map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
	})
	if strings.HasSuffix(call, ":streamGenerateContent") {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\r\n\r\n", data)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}

// GeminiEnv is the environment in which Gemini CLI talks to the server at url
// and to nothing else. It writes the person's settings. Loop detection is off: after thirty
// turns it asks a model, and asks again for minutes until the answer is JSON.
func GeminiEnv(url, home string) ([]string, error) {
	settings := `{"security":{"auth":{"selectedType":"gemini-api-key"}},"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false},"general":{"disableAutoUpdate":true,"enableAutoUpdate":false},"model":{"disableLoopDetection":true}}`
	if err := write(filepath.Join(home, ".gemini", "settings.json"), settings); err != nil {
		return nil, err
	}
	return []string{
		"HOME=" + home, "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_API_KEY=mock",
		"GEMINI_CLI_NO_RELAUNCH=true", "GEMINI_CLI_TRUST_WORKSPACE=true",
	}, nil
}
