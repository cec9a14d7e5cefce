package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// OpenCode's words for what the plugin asks about. bus is everything that is told
// to all plugins, by type.
const (
	systemTransform EventName = "experimental.chat.system.transform"
	chatMessage     EventName = "chat.message"
	toolBefore      EventName = "tool.execute.before"
	toolAfter       EventName = "tool.execute.after"
	bus             EventName = "event"
)

// OpenCode has no commands as hooks: a plugin asks lessons at its events. What is
// said before a tool runs is put beside its result by the plugin, and what is
// said about a failure goes into the next request. A session that has come to
// rest cannot be held, nobody can be asked, and no session ends.
var OpenCode = &Client{
	Name:    "opencode",
	home:    folder{env: "XDG_DATA_HOME", base: ".local/share", below: "opencode"},
	program: "opencode", marks: []string{".opencode", "opencode.json"},
	settings: folder{env: "XDG_CONFIG_HOME", base: ".config", below: "opencode"},
	personal: []string{"plugin/*.ts", "plugins/*.ts", "plugin/*.js", "plugins/*.js"},
	team:     openCodePlugin, file: pluginFile{},
	hooks: []hook{
		{native: systemTransform, event: SessionStart, can: TellModel},
		{native: chatMessage, event: UserPromptSubmit, can: TellModel},
		{native: toolBefore, event: PreToolUse, can: TellModel | DenyCall | ChangeInput},
		{native: toolAfter, event: PostToolUse, can: TellModel},
		{native: bus, event: Stop, kind: "session.idle"},
		{native: bus, event: PreCompact, kind: "session.compacted"},
		{native: bus, event: PostToolUse, kind: brokenCall, can: TellModel, failed: true},
	},
	tools: tools.OpenCode,
	input: fields{
		session: "sessionID", cwd: "directory cwd", agentID: "agentID", source: "source", message: "message",
		tool: "tool", args: "args", result: "result", kind: "type",
		paths: "filePath path", content: "content newString",
	},
	answer:    []field{{name: "context", says: theContext}, {name: "deny", says: theReason}, {name: "input", says: theInput}},
	merged:    true,
	open:      openPluginInput,
	adjust:    adjustOpenCode,
	sessions:  openCodeSessions,
	obstacles: openCodeObstacles,
	// Where everything is denied the model is offered no tool; with a title
	// OpenCode does not ask a model for one.
	asking: &asking{
		before: []string{"run", "--pure", "--format", "json", "--title", "lessons learn"},
		env:    []string{`OPENCODE_PERMISSION={"*":"deny"}`, "OPENCODE_DISABLE_AUTOUPDATE=1"},
		answer: openCodeAnswer,
	},
}

// brokenCall stands for the type of an event that tells of a call that failed.
const brokenCall = "tool error"

// openPluginInput reads what the plugin writes: {directory, worktree, session:
// {id, root}, source, message, input, output}, the last two as OpenCode gives
// them. What lies deeper is put beside it on the first level.
func openPluginInput(event string, data []byte) (payload.Object, string, error) {
	o, err := payload.Parse(data)
	if err != nil {
		return nil, event, err
	}
	in, out, session := o.Object("input"), o.Object("output"), o.Object("session")
	told := in.Object("event")
	about := told.Object("properties")
	part := about.Object("part")
	state := part.Object("state")
	o["type"], o["tool"], o["args"], o["result"] = told["type"], in["tool"], in["args"], out["output"]
	o["sessionID"], o["agentID"] = in["sessionID"], nil
	switch EventName(event) {
	case toolBefore:
		o["args"] = out["args"]
	case bus:
		o["sessionID"] = about["sessionID"]
		if told.Text("type") == "message.part.updated" && part.Text("type") == "tool" && state.Text("status") == "error" {
			o["type"] = payload.JSON(brokenCall)
			o["tool"], o["args"], o["result"] = part["tool"], state["input"], state["error"]
		}
	}
	if o.Text("sessionID") == "" {
		o["sessionID"] = session["id"]
	}
	if root := session.Text("root"); root != "" && root != o.Text("sessionID") {
		o["sessionID"], o["agentID"] = session["root"], o["sessionID"]
	}
	return o, event, nil
}

// titleRequest is how the prompt begins with which OpenCode names a session.
const titleRequest = "You are a title generator"

// adjustOpenCode tells sub-agents from the main one, and how a call ended.
func adjustOpenCode(e *Event, o payload.Object) {
	out := o.Object("output")
	switch sub := e.AgentID != ""; {
	case e.Native == systemTransform:
		for _, s := range out.List("system") {
			if strings.HasPrefix(payload.Plain(s), titleRequest) {
				*e = Event{Native: e.Native}
				return
			}
		}
		if sub {
			e.Name, e.Source = SubagentStart, ""
		}
	case e.Native == chatMessage:
		e.Prompt = typed(out)
		if sub {
			e.AgentType = out.Object("message").Text("agent")
		}
	case e.Native == toolAfter:
		exit, told := out.Object("metadata").Number("exit")
		e.Call.Failed = told && exit != 0 || e.Call.RawTool == "invalid" // in place of a tool that does not exist
		e.Call.Unclear = e.Call.Tool == "Bash" && !told
	case e.Name == Stop && sub:
		e.Name = SubagentStop
	}
}

// typed are a person's words, without what plugins put beside them.
func typed(out payload.Object) string {
	var parts []string
	for _, part := range out.Objects("parts") {
		if part.Text("type") == "text" && !part.Flag("synthetic") {
			parts = append(parts, part.Text("text"))
		}
	}
	return strings.Join(parts, "\n")
}

// openCodeSessions are the files of older versions that describe one session
// each, whose messages lie beside them, and the databases of newer ones, which
// hold the sessions of all repositories.
func openCodeSessions(home fs.FS, root string) ([]string, error) {
	databases, err := fs.Glob(home, "opencode*.db")
	if err != nil {
		return nil, err
	}
	files, _ := filesBelow(home, "storage/session", func(name string) bool {
		return path.Ext(name) == ".json" && Inside(strings.ReplaceAll(textIn(home, name, "directory"), `\`, "/"), root)
	})
	return append(databases, files...), nil
}

// openCodeObstacles: nothing but --pure keeps a plugin from being loaded, but a
// copy beside it makes everything happen twice.
func openCodeObstacles(_, repo fs.FS, _ string) []Obstacle {
	if _, err := fs.Stat(repo, openCodePlugin); err != nil {
		return nil
	}
	for _, copied := range []string{".opencode/plugins/lessons.ts", ".opencode/plugin/lessons.js", ".opencode/plugins/lessons.js"} {
		if _, err := fs.Stat(repo, copied); err == nil {
			return []Obstacle{{Text: "OpenCode loads " + copied + " too", Next: "remove one of the two"}}
		}
	}
	return nil
}

// openCodeAnswer joins the texts of the events, one object a line.
func openCodeAnswer(stdout []byte) (string, error) {
	var texts []string
	for line := range bytes.Lines(stdout) {
		var e struct {
			Type string `json:"type"`
			Part struct {
				Text string `json:"text"`
			} `json:"part"`
			Error json.RawMessage `json:"error"`
		}
		if json.Unmarshal(line, &e) != nil {
			continue // a notice between the events
		}
		switch e.Type {
		case "text":
			texts = append(texts, e.Part.Text)
		case "error":
			return "", errors.New("opencode says: " + string(e.Error))
		}
	}
	if len(texts) == 0 {
		return "", errors.New("opencode printed no answer")
	}
	return strings.Join(texts, "\n"), nil
}
