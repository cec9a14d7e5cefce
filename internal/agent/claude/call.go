package claude

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// canonical are the words for tools that differ from everybody's.
var canonical = map[string]string{"Task": "Agent", "MultiEdit": "Edit", "NotebookEdit": "Edit"}

func call(o payload.Object, native agent.EventName) *agent.Call {
	c := &agent.Call{ID: o.Text("tool_use_id"), RawTool: o.Text("tool_name"), Input: payload.Input(o["tool_input"])}
	c.Tool = c.RawTool
	if word, ok := canonical[c.RawTool]; ok {
		c.Tool = word
	}
	in := o.Object("tool_input")
	for _, key := range []string{"file_path", "notebook_path", "path"} {
		if path := in.Text(key); path != "" {
			c.Paths = append(c.Paths, path)
		}
	}
	switch c.Tool {
	case "Bash", "PowerShell":
		c.Command = in.Text("command")
	case "Write":
		c.Content = in.Text("content")
	case "Edit":
		c.Content = written(in)
	}
	switch native {
	case postToolUseFailure:
		c.Failed = true
		c.Response = payload.Cut(payload.Plain(o["error"]), agent.MaxResponse)
	case agent.PostToolUse:
		response := o.Object("tool_response")
		c.Failed = response.Flag("interrupted")
		c.Unclear = !c.Failed && response.Has("backgroundTaskId") // reported at its start
		c.Response = payload.Cut(payload.Plain(o["tool_response"]), agent.MaxResponse)
	}
	return c
}

// written is the text that an edit puts in.
func written(in payload.Object) string {
	parts := []string{in.First("new_string", "new_source")}
	for _, edit := range in.Objects("edits") {
		parts = append(parts, edit.Text("new_string"))
	}
	return strings.TrimPrefix(strings.Join(parts, "\n"), "\n")
}
