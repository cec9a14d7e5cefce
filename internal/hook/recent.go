package hook

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/lessons-cli/lessons/internal/inject"
)

// How much of a transcript's end is read for keywords.
const (
	recentBytes = 64 << 10
	recentCount = 5
)

// recentTexts are the last texts of person and agent in a transcript, oldest
// first. A file that cannot be read, or that holds something else, gives none.
func recentTexts(name string) []string {
	data := inject.TailOfFile(name, recentBytes)
	lines := bytes.Split(data, []byte("\n"))
	var texts []string
	for _, line := range slices.Backward(lines) {
		if text := textOf(line); text != "" {
			if texts = append(texts, text); len(texts) == recentCount {
				break
			}
		}
	}
	slices.Reverse(texts)
	return texts
}

// textOf is what a line's message says, tool results left out.
func textOf(line []byte) string {
	var entry struct {
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &entry) != nil || len(entry.Message.Content) == 0 {
		return ""
	}
	var text string
	if json.Unmarshal(entry.Message.Content, &text) == nil {
		return text
	}
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(entry.Message.Content, &blocks) != nil {
		return ""
	}
	for _, b := range blocks {
		if b.Type == "text" && b.Text != "" {
			text += b.Text + "\n"
		}
	}
	return text
}
