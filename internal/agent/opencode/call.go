package opencode

import (
	"encoding/json"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// canonical translates OpenCode's words for tools into everybody's.
var canonical = map[string]string{
	"bash": "Bash", "read": "Read", "edit": "Edit", "write": "Write", "glob": "Glob", "grep": "Grep", "task": "Agent",
}

func before(in, out payload.Object) *agent.Call {
	return call(in.Text("callID"), in.Text("tool"), out["args"])
}

func after(in, out payload.Object) *agent.Call {
	c := call(in.Text("callID"), in.Text("tool"), in["args"])
	c.Response = payload.Cut(out.Text("output"), agent.MaxResponse)
	exit, known := out.Object("metadata").Number("exit")
	c.Failed = known && exit != 0
	c.Unclear = c.Tool == "Bash" && !known
	if c.RawTool == "invalid" { // in place of a tool that does not exist
		c.Failed = true
	}
	return c
}

// broken is a call that ended in an error.
func broken(part payload.Object) *agent.Call {
	state := part.Object("state")
	c := call(part.Text("callID"), part.Text("tool"), state["input"])
	c.Failed = true
	c.Response = payload.Cut(payload.Plain(state["error"]), agent.MaxResponse)
	return c
}

func call(id, tool string, args json.RawMessage) *agent.Call {
	c := &agent.Call{ID: id, Tool: tool, RawTool: tool, Input: payload.Input(args)}
	if word, ok := canonical[tool]; ok {
		c.Tool = word
	}
	in := payload.Object{"args": args}.Object("args")
	if path := in.First("filePath", "path"); path != "" {
		c.Paths = append(c.Paths, path)
	}
	switch c.Tool {
	case "Bash":
		c.Command = in.Text("command")
	case "Write":
		c.Content = in.Text("content")
	case "Edit":
		c.Content = in.Text("newString")
	}
	return c
}
