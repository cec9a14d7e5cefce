package transcript

import (
	"io"
	"strings"
)

// ReadCodex reads a rollout of Codex, or a part of one that begins at a line,
// on the terms of [ReadClaude]. Rollouts say most things twice, as an item of
// the model's history and as an event for the screen; what comes first counts.
func ReadCodex(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	c := &codex{feed: newFeed(opts, emit), runs: map[string]run{}, open: map[string]string{}}
	c.words = codexWords
	err := c.lines(r, opts, c.object)
	return c.stats, err
}

// codex is one rollout being read.
type codex struct {
	*feed
	runs  map[string]run    // by call id: what events say about commands, before or after the history does
	open  map[string]string // commands that still run, by their process: the call id
	twins []twin
	last  EventKind
}

// run is what an event says about the end of a call.
type run struct {
	exit    int
	failed  bool
	refused bool
	text    string
}

// twin is a message that may come a second time from the other source.
type twin struct {
	kind  EventKind
	event bool // came as an event
	text  string
}

// maxRuns bounds what is kept of ends and of running commands.
const maxRuns = 512

func (c *codex) object(line value) {
	v := line.pick("timestamp", "type", "payload", "record_type")
	kind, payload := v[1].text(), v[2]
	c.time = v[0].stamp()
	c.id = ""
	if payload.first() != '{' {
		c.bare(line, kind, v[3].present())
		return
	}
	switch kind {
	case "session_meta":
		c.meta(payload)
	case "response_item":
		c.item(payload)
	case "event_msg":
		c.event(payload)
	case "compacted":
		c.once(Compaction)
	case "turn_context", "world_state", "token_usage_record", "inter_agent_communication", "inter_agent_communication_metadata":
	default:
		c.stats.Unknown++
	}
}

// bare reads a line of the first versions, whose items have no envelope.
func (c *codex) bare(line value, kind string, record bool) {
	switch {
	case record:
	case kind == "":
		if v := line.pick("id", "git"); v[0].first() == '"' && !line.get("role").present() {
			c.about(v[0].text(), "", "", v[1].get("branch").text(), "")
			return
		}
		c.stats.Unknown++
	default:
		c.item(line)
	}
}

// meta reads what a rollout says about itself. A sub-agent's belongs to the
// session of its parent, a fork to the one that it was made from.
func (c *codex) meta(p value) {
	v := p.pick("id", "session_id", "parent_thread_id", "forked_from_id", "source", "cwd", "cli_version", "git")
	id, session := v[0].text(), v[1].text()
	if id == "" {
		id = session
	}
	if session == "" {
		session = id
	}
	agent := ""
	sub := v[4].get("subagent")
	switch {
	case sub.present():
		agent = id
		parent := v[2].text()
		if parent == "" {
			parent = sub.get("thread_spawn", "parent_thread_id").text()
		}
		if parent != "" && session == id {
			session = parent
		}
	case v[3].text() != "":
		session = v[3].text()
	}
	c.about(session, agent, v[5].text(), v[7].get("branch").text(), v[6].text())
}

// item reads one item of the model's history.
func (c *codex) item(p value) {
	v := p.pick("type", "role", "id", "call_id", "name", "content", "namespace")
	kind, role, call := v[0].text(), v[1].text(), v[3].text()
	c.id = v[2].text()
	switch kind {
	case "message", "":
		switch role {
		case "user":
			c.asked(p, v[5])
		case "assistant":
			c.said(v[5].parts(), false)
		case "developer", "system":
			c.stats.Machine++
		default:
			c.stats.Unknown++
		}
	case "function_call":
		c.called(call, fullName(v[6].text(), v[4].text()), value(p.get("arguments").text()))
	case "custom_tool_call":
		in := p.get("input")
		if text := in.text(); strings.HasPrefix(text, "{") {
			in = value(text)
		}
		c.called(call, fullName(v[6].text(), v[4].text()), in)
	case "local_shell_call":
		c.called(call, "local_shell", p.get("action"))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		c.output(call, p.get("output"))
	case "web_search_call":
		c.call("", "web_search", p.get("action"))
	case "compaction", "context_compaction", "compaction_summary":
		c.once(Compaction)
	case "reasoning", "ghost_snapshot", "agent_message", "tool_search_call", "tool_search_output", "image_generation_call", "additional_tools", "other":
	default:
		c.stats.Unknown++
	}
}

func fullName(namespace, name string) string {
	if strings.HasPrefix(namespace, "mcp__") && !strings.HasPrefix(name, "mcp__") {
		return namespace + "__" + name
	}
	return name
}

// asked reads a user's message of the history, each part by itself: newer
// versions say who wrote it, older ones leave that to be told from the text.
func (c *codex) asked(p, content value) {
	if content.first() == '"' {
		c.wrote(content.text(), false)
		return
	}
	from := p.get("internal_chat_message_metadata_passthrough", "content_item_metadata").list()
	var said []string
	machine := false
	for i, part := range content.list() {
		text := part.parts()
		if strings.TrimSpace(text) == "" {
			continue
		}
		if i < len(from) {
			if who := from[i].get("provenance", "type").text(); who != "" && who != "user" {
				machine = true
				continue
			}
		}
		said = append(said, text)
	}
	if len(said) == 0 {
		if machine {
			c.stats.Machine++
		}
		return
	}
	c.wrote(strings.Join(said, "\n"), false)
}

// wrote emits what stands in a user's place, once.
func (c *codex) wrote(text string, event bool) {
	if strings.HasPrefix(strings.TrimSpace(text), "<turn_aborted>") {
		c.once(Interrupt)
		c.stats.Machine++
		return
	}
	if !c.told(User, text, event) {
		c.last = User
		c.user(text)
	}
}

func (c *codex) said(text string, event bool) {
	if strings.TrimSpace(text) != "" && !c.told(Assistant, text, event) {
		c.last = Assistant
		c.send(Event{Kind: Assistant, Text: text})
	}
}

// told says whether a message came already from the other source.
func (c *codex) told(kind EventKind, text string, event bool) bool {
	text = strings.TrimSpace(text)
	for i, t := range c.twins {
		if t.kind == kind && t.event != event && t.text == text {
			c.twins = append(c.twins[:i], c.twins[i+1:]...)
			return true
		}
	}
	if len(c.twins) == 16 {
		c.twins = c.twins[1:]
	}
	c.twins = append(c.twins, twin{kind, event, text})
	return false
}

// once emits what several lines in a row may say.
func (c *codex) once(kind EventKind) {
	if c.last != kind {
		c.last = kind
		c.send(Event{Kind: kind})
	}
}

// called emits a call. A call that only asks what a running command has put out
// since is no new one.
func (c *codex) called(id, tool string, in value) {
	if tool == "write_stdin" {
		v := in.pick("session_id", "chars")
		if v[1].text() == "" {
			c.runs[id] = run{exit: -1, text: poll + strings.TrimSpace(string(v[0]))}
			return
		}
	}
	c.last = ToolCall
	c.call(id, tool, in)
}

// poll marks a call that asks for a running command, in place of its text.
const poll = "\x00poll "

// output emits the end of a call.
func (c *codex) output(id string, out value) {
	text := out.parts()
	if out.first() == '{' {
		if s := out.get("content").parts(); text == "" {
			text = s
		}
	}
	end := codexEnd(text)
	noted, known := c.runs[id]
	delete(c.runs, id)
	if process, ok := strings.CutPrefix(noted.text, poll); ok {
		c.polled(process, id, end)
		return
	}
	if end.process != "" && end.exit < 0 {
		c.open[end.process] = id
		if len(c.open) > maxRuns {
			clear(c.open)
			c.open[end.process] = id
		}
		return
	}
	if known && end.exit < 0 && end.outcome == Unsaid {
		end.exit, end.failed = noted.exit, noted.failed
		if noted.refused {
			end.outcome = Blocked // by a rule: a person's refusal says so in the output
		} else if noted.text != "" {
			end.text = noted.text
		}
	}
	c.last = ToolResult
	c.result(id, end.ended)
}

// polled ends a command that was left running, under its own call.
func (c *codex) polled(process, id string, end codexEnding) {
	if end.process != "" && end.exit < 0 {
		return // runs on
	}
	call, ok := c.open[process]
	if !ok && end.exit < 0 {
		return // ended before
	}
	delete(c.open, process)
	c.id = id
	c.last = ToolResult
	c.result(call, end.ended)
}

// event reads what the screen was told.
func (c *codex) event(p value) {
	switch kind := p.get("type").text(); kind {
	case "user_message":
		c.wrote(p.get("message").text(), true)
	case "agent_message":
		c.said(p.get("message").text(), true)
	case "turn_aborted":
		if why := p.get("reason").text(); why == "" || why == "interrupted" {
			c.once(Interrupt)
		}
	case "context_compacted":
		c.once(Compaction)
	case "item_completed":
		c.completed(p.get("item"))
	case "exec_command_end":
		v := p.pick("call_id", "exit_code", "aggregated_output")
		c.ran(v[0].text(), v[1], v[2].text(), false)
	case "patch_apply_end":
		v := p.pick("call_id", "success", "stderr")
		if v[1].present() {
			c.noteRun(v[0].text(), run{exit: -1, failed: !v[1].flag(), text: v[2].text()})
		}
	case "mcp_tool_call_end":
		v := p.pick("call_id", "result")
		failed := v[1].get("Err").present() || v[1].get("Ok", "isError").flag() || v[1].get("Ok", "is_error").flag()
		c.noteRun(v[0].text(), run{exit: -1, failed: failed})
	}
}

// completed reads one thing that the agent did, as newer versions tell it.
func (c *codex) completed(item value) {
	v := item.pick("type", "id", "content", "status", "exit_code", "aggregated_output", "changes", "command", "stderr")
	id, failed := v[1].text(), v[3].text() == "failed"
	switch v[0].text() {
	case "UserMessage":
		c.id = id
		c.wrote(v[2].parts(), true)
	case "AgentMessage":
		c.id = id
		c.said(v[2].parts(), true)
	case "ContextCompaction":
		c.once(Compaction)
	case "CommandExecution":
		if nested(id) {
			c.last = ToolResult
			c.call(id, "shell", value(`{"command":`+string(v[7])+`}`))
			exit := -1
			if n, ok := v[4].number(); ok {
				exit = n
			}
			c.result(id, ended{text: v[5].text(), exit: exit, failed: failed})
			return
		}
		c.ran(id, v[4], v[5].text(), v[3].text() == "declined")
	case "FileChange":
		if nested(id) {
			c.last = ToolResult
			c.changed(id, v[6], failed, v[8].text())
			return
		}
		c.noteRun(id, run{exit: -1, failed: failed, refused: v[3].text() == "declined", text: v[8].text()})
	case "McpToolCall":
		c.noteRun(id, run{exit: -1, failed: failed || item.get("result", "isError").flag()})
	}
}

// nested says whether a call was made from a script of the agent: such calls
// are not in the history by themselves.
func nested(id string) bool { return strings.HasPrefix(id, "exec-") }

// changed emits an edit that only an event tells of.
func (c *codex) changed(id string, changes value, failed bool, complaint string) {
	var patch strings.Builder
	changes.keys(func(path string, change value) {
		v := change.pick("type", "unified_diff", "content")
		what, body := "Update", v[1].text()
		if v[0].text() == "add" {
			what, body = "Add", "+"+strings.ReplaceAll(strings.TrimSuffix(v[2].text(), "\n"), "\n", "\n+")
		}
		patch.WriteString("*** " + what + " File: " + path + "\n" + body + "\n")
	})
	c.call(id, "apply_patch", value(mustInput(map[string]string{"input": patch.String()})))
	c.result(id, ended{text: complaint, exit: -1, failed: failed})
}

// ran notes how a command ended. One that was left running ends here.
func (c *codex) ran(id string, exit value, text string, refused bool) {
	n, ok := exit.number()
	if !ok {
		n = -1
	}
	for process, call := range c.open {
		if call == id {
			delete(c.open, process)
			c.last = ToolResult
			c.result(id, ended{text: text, exit: n})
			return
		}
	}
	c.noteRun(id, run{exit: n, text: text, refused: refused})
}

func (c *codex) noteRun(id string, r run) {
	if id == "" {
		return
	}
	if len(c.runs) >= maxRuns {
		clear(c.runs)
	}
	if len(r.text) > 64<<10 {
		r.text = r.text[:64<<10]
	}
	c.runs[id] = r
}
