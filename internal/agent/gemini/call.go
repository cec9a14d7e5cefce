package gemini

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// canonical translates Gemini's words for tools into everybody's.
var canonical = map[string]string{
	"run_shell_command": "Bash", "replace": "Edit", "write_file": "Write", "read_file": "Read", "read_many_files": "Read",
	"glob": "Glob", "grep_search": "Grep", "search_file_content": "Grep", "invoke_agent": "Agent",
}

func call(o payload.Object, event agent.EventName) *agent.Call {
	c := &agent.Call{RawTool: o.Text("tool_name"), Input: payload.Input(o["tool_input"])}
	c.Tool = c.RawTool
	if word, ok := canonical[c.RawTool]; ok {
		c.Tool = word
	}
	in := o.Object("tool_input")
	if path := in.First("file_path", "absolute_path", "dir_path", "path"); path != "" {
		c.Paths = append(c.Paths, path)
	}
	if c.RawTool == "read_many_files" {
		for _, raw := range append(in.List("include"), in.List("paths")...) {
			if path := payload.Plain(raw); path != "" {
				c.Paths = append(c.Paths, path)
			}
		}
	}
	switch c.Tool {
	case "Bash":
		c.Command = in.Text("command")
	case "Write":
		c.Content = in.Text("content")
	case "Edit":
		c.Content = in.Text("new_string")
	}
	if event == agent.PostToolUse {
		response := o.Object("tool_response")
		text := unwrap(payload.Plain(response["llmContent"]))
		c.Failed = response.Has("error") || c.Tool == "Bash" && failed(text)
		c.Response = payload.Cut(strings.TrimPrefix(text, "Output: "), agent.MaxResponse)
	}
	return c
}

// unwrap takes off the marks that Gemini puts around a command's output.
func unwrap(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "<untrusted_context>")
	if !ok {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(inner, "</untrusted_context>"))
}

// footer are the lines that stand behind a command's output.
var footer = []string{"Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ", "Error: "}

// failed reads the lines behind the output from the end: a line of the output
// itself that looks like an exit code does not count.
func failed(text string) bool {
	for text != "" {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		if strings.HasPrefix(last, footer[0]) || strings.HasPrefix(last, footer[1]) {
			return true // Gemini leaves out an exit code of 0
		}
		known := false
		for _, f := range footer {
			known = known || strings.HasPrefix(last, f)
		}
		if !known {
			return false
		}
		text = strings.TrimSuffix(text[:len(text)-len(last)], "\n")
	}
	return false
}
