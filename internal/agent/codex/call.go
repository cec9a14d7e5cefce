package codex

import (
	"regexp"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

func call(o payload.Object, event agent.EventName) *agent.Call {
	c := &agent.Call{ID: o.Text("tool_use_id"), RawTool: o.Text("tool_name"), Input: payload.Input(o["tool_input"])}
	c.Tool = c.RawTool
	in := o.Object("tool_input")
	switch c.RawTool {
	case "Bash":
		c.Command = in.Text("command")
	case "apply_patch":
		var added bool
		c.Paths, c.Content, added = patch(in.First("command", "patch", "input"))
		c.Tool = "Edit"
		if added {
			c.Tool = "Write"
		}
	case "spawn_agent":
		c.Tool = "Agent"
	case "view_image":
		c.Tool = "Read"
	}
	for _, key := range []string{"path", "file_path"} {
		if path := in.Text(key); path != "" {
			c.Paths = append(c.Paths, path)
		}
	}
	if event == agent.PostToolUse {
		text := payload.Plain(o["tool_response"])
		c.Failed, c.Unclear = outcome(c.RawTool, text)
		c.Response = payload.Cut(text, agent.MaxResponse)
	}
	return c
}

// noCommand are the lines in which a shell says that it could not run a command.
var noCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:/\S*/)?(?:ba|z|da|k)?sh: (?:line \d+: |\d+: )?[^\n]{1,200}: (?:command not found|not found|No such file or directory|Permission denied)$`)
})

// outcome says what can be known about how a call ended. Of a command only its
// output is there: Codex leaves out the exit status, except in the text of
// apply_patch.
func outcome(tool, text string) (failed, unclear bool) {
	switch tool {
	case "apply_patch":
		status, ok := strings.CutPrefix(text, "Exit code: ")
		return ok && !strings.HasPrefix(status, "0\n"), !ok
	case "Bash":
		text = strings.TrimSpace(text)
		last := text[strings.LastIndexByte(text, '\n')+1:]
		if noCommand().MatchString(last) {
			return true, false
		}
		return false, true
	}
	return false, false // other tools that fail have no event
}

// patch reads the body of apply_patch: the files that it names, and the lines
// that it puts in. added says that it only makes new files.
func patch(body string) (paths []string, content string, added bool) {
	var lines []string
	added = true
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		if text, ok := strings.CutPrefix(line, "+"); ok {
			lines = append(lines, text)
			continue
		}
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(line, mark); ok && strings.TrimSpace(path) != "" {
				paths = append(paths, strings.TrimSpace(path))
				added = added && mark == "*** Add File: "
			}
		}
	}
	return paths, strings.Join(lines, "\n"), added && len(paths) > 0
}
