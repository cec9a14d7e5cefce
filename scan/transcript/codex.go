package transcript

import (
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// Rollouts of Codex say most things twice, as an item of the model's history and as
// an event for the screen; what comes first counts.
var codexFormat = format{
	id: Codex, name: "Codex CLI", resumes: true, tools: tools.Codex,
	is: func(k keys) bool {
		_, item := codexItems.kinds[k.typ]
		return k.typ == "session_meta" || k.has("payload", "type", "timestamp") && !k.has("sessionId") || k.has("record_type") && !k.has("sessionId") ||
			!k.has("type") && k.has("id", "timestamp", "instructions") || item && k.has("call_id") && !k.has("sessionId")
	},
	lies: func(name string) bool {
		return strings.HasPrefix(path.Base(name), "rollout-") && strings.HasSuffix(name, ".jsonl")
	},
	lines: func(r *reader) lineForm {
		c := &codex{reader: r, runs: map[string]run{}, open: map[string]string{}}
		return lineForm{common: codexLines.common, step: c.object}
	},
	wording: wording{
		elements: func(name string) bool { return codexTags[name] || strings.Contains(name, "_") },
		starts: []string{
			"# AGENTS.md instructions", "# Context from my IDE setup:", "Another language model started to solve this problem",
			"You are performing a CONTEXT CHECKPOINT COMPACTION", "Warning: The maximum number of unified exec processes",
			"Warning: apply_patch was requested via", "Warning: Heads up: Long threads", "The following is the Codex agent history",
			"User initiated a review task",
		},
		between: func(text string) string {
			if _, asked, ok := strings.Cut(text, "\n## My request for Codex:"); ok && strings.HasPrefix(text, "# ") {
				return strings.TrimSpace(asked) // behind what their editor adds
			}
			return text
		},
	},
}

// codexTags are elements that Codex puts in a user's place and whose names have
// no underscore; all with one are taken for its own.
var codexTags = map[string]bool{"INSTRUCTIONS": true, "permissions": true, "skill": true, "image": true, "tools": true, "plugins": true, "apps": true}

// codexLines are the objects of the top level.
var codexLines = table[*codex]{
	common: shaped(at{fKind: "type", fTime: "timestamp", fBody: "payload", fStatus: "record_type"}),
	kinds: map[string]kind[*codex]{
		"session_meta": {(*codex).meta, shaped(at{
			fID: "id", fSession: "session_id", fParent: "parent_thread_id", fOrigin: "forked_from_id", fSource: "source",
			fCwd: "cwd", fVersion: "cli_version", fBranch: "git.branch",
		})},
		"response_item": {does: func(c *codex, o *object) { c.item(o[fBody]) }},
		"event_msg":     {does: func(c *codex, o *object) { codexEvents.read(c, o[fBody]) }},
		"compacted":     {does: (*codex).compacted},
		"turn_context":  {}, "world_state": {}, "token_usage_record": {}, "inter_agent_communication": {}, "inter_agent_communication_metadata": {},
	},
}

// codexItems are the items of the model's history.
var codexItems = table[*codex]{
	common: shaped(at{
		fKind: "type", fRole: "role", fID: "id", fCall: "call_id", fTool: "name", fServer: "namespace", fOutput: "output",
		fParts: "content", fSource: "internal_chat_message_metadata_passthrough.content_item_metadata",
	}),
	kinds: map[string]kind[*codex]{
		"": {does: (*codex).message}, "message": {does: (*codex).message},
		"function_call":    {(*codex).function, shaped(at{fInput: "arguments"})},
		"custom_tool_call": {(*codex).function, shaped(at{fInput: "input"})},
		"local_shell_call": {(*codex).localShell, shaped(at{fInput: "action"})},
		"web_search_call":  {(*codex).webSearch, shaped(at{fInput: "action"})},

		"function_call_output": {does: (*codex).output}, "custom_tool_call_output": {does: (*codex).output}, "local_shell_call_output": {does: (*codex).output},
		"compaction": {does: (*codex).compacted}, "context_compaction": {does: (*codex).compacted}, "compaction_summary": {does: (*codex).compacted},
		"reasoning": {}, "ghost_snapshot": {}, "agent_message": {}, "tool_search_call": {}, "tool_search_output": {},
		"image_generation_call": {}, "additional_tools": {}, "other": {},
	},
}

// codexEvents are what the screen was told.
var codexEvents = table[*codex]{
	common: shaped(at{fKind: "type", fCall: "call_id", fBody: "item"}),
	kinds: map[string]kind[*codex]{
		"user_message":      {func(c *codex, o *object) { c.asked(o[fText].text(), true) }, shaped(at{fText: "message"})},
		"agent_message":     {func(c *codex, o *object) { c.answers(o[fText].text(), true) }, shaped(at{fText: "message"})},
		"turn_aborted":      {(*codex).aborted, shaped(at{fStatus: "reason"})},
		"context_compacted": {does: (*codex).compacted},
		"item_completed":    {does: func(c *codex, o *object) { codexDone.read(c, o[fBody]) }},
		"exec_command_end":  {(*codex).ran, shaped(at{fExit: "exit_code", fOutput: "aggregated_output"})},
		"patch_apply_end":   {(*codex).patched, shaped(at{fOK: "success", fError: "stderr"})},
		"mcp_tool_call_end": {(*codex).served, shaped(at{fResult: "result"})},
	},
}

// codexDone are things that the agent did, as newer versions tell the screen.
var codexDone = table[*codex]{
	common: shaped(at{fKind: "type", fID: "id", fStatus: "status", fError: "stderr"}),
	kinds: map[string]kind[*codex]{
		"UserMessage":       {func(c *codex, o *object) { c.id = o[fID].text(); c.asked(o[fParts].parts(), true) }, shaped(at{fParts: "content"})},
		"AgentMessage":      {func(c *codex, o *object) { c.id = o[fID].text(); c.answers(o[fParts].parts(), true) }, shaped(at{fParts: "content"})},
		"ContextCompaction": {does: (*codex).compacted},
		"CommandExecution":  {(*codex).executed, shaped(at{fCall: "id", fInput: "command", fExit: "exit_code", fOutput: "aggregated_output"})},
		"FileChange":        {(*codex).changed, shaped(at{fInput: "changes"})},
		"McpToolCall":       {(*codex).served, shaped(at{fCall: "id", fFailed: "result.isError"})},
	},
}

// codex is one rollout being read.
type codex struct {
	*reader
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
	process string // of a call that only asks for what a running command has put out
}

// twin is a message that may come a second time from the other source.
type twin struct {
	kind  EventKind
	event bool // came as an event
	text  string
}

// maxRuns bounds what is kept of ends and of running commands.
const maxRuns = 512

func (c *codex) object(v value, o *object) {
	c.time, c.id = o[fTime].stamp(), ""
	switch kind := o.name(fKind); {
	case o[fBody].first() == '{':
		if !codexLines.step(c, v, o) {
			c.stats.Unknown++
		}
	case o[fStatus].present(): // a record of the first versions, whose items have no envelope
	case kind != "":
		c.item(v)
	default:
		if f := v.pick("id", "role", "git"); f[0].first() == '"' && !f[1].present() {
			c.about(f[0].text(), "", "", f[2].get("branch").text(), "")
			return
		}
		c.stats.Unknown++
	}
}

// meta reads what a rollout says about itself. A sub-agent's belongs to the
// session of its parent, a fork to the one that it was made from.
func (c *codex) meta(o *object) {
	id, session := o[fID].text(), o[fSession].text()
	first(&id, session)
	first(&session, id)
	agent := ""
	if sub := o[fSource].get("subagent"); sub.present() {
		agent = id
		parent := o[fParent].text()
		first(&parent, sub.get("thread_spawn", "parent_thread_id").text())
		if parent != "" && session == id {
			session = parent
		}
	} else if origin := o[fOrigin].text(); origin != "" {
		session = origin
	}
	c.about(session, agent, o[fCwd].text(), o[fBranch].text(), o[fVersion].text())
}

func (c *codex) item(v value) {
	if !codexItems.read(c, v) {
		c.stats.Unknown++
	}
}

// message reads a message of the history.
func (c *codex) message(o *object) {
	c.id = o[fID].text()
	switch o.name(fRole) {
	case "user":
		c.history(o)
	case "assistant":
		c.answers(o[fParts].parts(), false)
	case "developer", "system":
		c.stats.Machine++
	default:
		c.stats.Unknown++
	}
}

// history reads a user's message of the history, each part by itself: newer
// versions say who wrote it, older ones leave that to be told from the text.
func (c *codex) history(o *object) {
	if o[fParts].first() == '"' {
		c.asked(o[fParts].text(), false)
		return
	}
	sources := o[fSource].list()
	var said []string
	machine := false
	for i, part := range o[fParts].list() {
		text := part.parts()
		if strings.TrimSpace(text) == "" {
			continue
		}
		if i < len(sources) {
			if who := sources[i].get("provenance", "type").text(); who != "" && who != "user" {
				machine = true
				continue
			}
		}
		said = append(said, text)
	}
	switch {
	case len(said) > 0:
		c.asked(strings.Join(said, "\n"), false)
	case machine:
		c.stats.Machine++
	}
}

// asked emits what stands in a user's place, once.
func (c *codex) asked(text string, event bool) {
	if strings.HasPrefix(strings.TrimSpace(text), "<turn_aborted>") {
		c.once(Interrupt)
		c.stats.Machine++
		return
	}
	if !c.known(User, text, event) {
		c.last = User
		c.wrote(text)
	}
}

// answers emits what the agent says, once.
func (c *codex) answers(text string, event bool) {
	if strings.TrimSpace(text) != "" && !c.known(Assistant, text, event) {
		c.last = Assistant
		c.says(text)
	}
}

// known says whether a message came already from the other source.
func (c *codex) known(kind EventKind, text string, event bool) bool {
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

func (c *codex) compacted(*object) { c.once(Compaction) }

func (c *codex) aborted(o *object) {
	if why := o[fStatus].text(); why == "" || why == "interrupted" {
		c.once(Interrupt)
	}
}

// function emits a call. A call that only asks what a running command has put out
// since is no new one.
func (c *codex) function(o *object) {
	c.id = o[fID].text()
	id, tool, in := o[fCall].text(), o[fTool].text(), o[fInput]
	if text := in.text(); o.name(fKind) == "function_call" || strings.HasPrefix(text, "{") {
		in = value(text)
	}
	if server := o[fServer].text(); strings.HasPrefix(server, "mcp__") && !strings.HasPrefix(tool, "mcp__") {
		tool = server + "__" + tool
	}
	if v := in.pick("session_id", "chars"); tool == "write_stdin" && v[1].text() == "" {
		c.runs[id] = run{exit: -1, process: strings.TrimSpace(string(v[0]))}
		return
	}
	c.last = ToolCall
	c.called(id, tool, in)
}

func (c *codex) localShell(o *object) {
	c.id, c.last = o[fID].text(), ToolCall
	c.called(o[fCall].text(), "local_shell", o[fInput])
}

func (c *codex) webSearch(o *object) {
	c.id = o[fID].text()
	c.called("", "web_search", o[fInput])
}

// output emits the end of a call.
func (c *codex) output(o *object) {
	c.id = o[fID].text()
	id, out := o[fCall].text(), o[fOutput]
	text := out.parts()
	if text == "" {
		text = out.get("content").parts()
	}
	end := codexEnd(text)
	noted, known := c.runs[id]
	delete(c.runs, id)
	running := end.process != "" && end.exit < 0
	switch {
	case noted.process != "":
		call, waits := c.open[noted.process]
		if running || !waits && end.exit < 0 {
			return // it runs on, or ended before
		}
		delete(c.open, noted.process)
		c.id, id = id, call // it ends under its own call
	case running:
		if len(c.open) >= maxRuns {
			clear(c.open)
		}
		c.open[end.process] = id
		return
	case known && end.exit < 0 && end.outcome == Unsaid:
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

// executed reads how a command ended. Calls from a script of the agent are not in the
// history by themselves.
func (c *codex) executed(o *object) {
	if !fromScript(o) {
		c.ran(o)
		return
	}
	id := o[fID].text()
	c.last = ToolResult
	c.called(id, "shell", value(`{"command":`+string(o[fInput])+`}`))
	c.result(id, ended{text: o[fOutput].text(), exit: exitOf(o), failed: o.name(fStatus) == "failed"})
}

func fromScript(o *object) bool { return strings.HasPrefix(o.name(fID), "exec-") }

// exitOf is a command's status; -1 where the agent gives none.
func exitOf(o *object) int {
	if n, ok := o[fExit].number(); ok {
		return n
	}
	return -1
}

// ran notes how a command ended. One that was left running ends here.
func (c *codex) ran(o *object) {
	id := o[fCall].text()
	r := run{exit: exitOf(o), text: o[fOutput].text(), refused: o.name(fStatus) == "declined"}
	for process, call := range c.open {
		if call == id {
			delete(c.open, process)
			c.last = ToolResult
			c.result(id, ended{text: r.text, exit: r.exit})
			return
		}
	}
	c.note(id, r)
}

// patched notes how a patch ended.
func (c *codex) patched(o *object) {
	if o[fOK].present() {
		c.note(o[fCall].text(), run{exit: -1, failed: !o[fOK].flag(), text: o[fError].text()})
	}
}

// served notes how a call of a server's tool ended.
func (c *codex) served(o *object) {
	ok := o[fResult].get("Ok")
	failed := o[fFailed].flag() || o.name(fStatus) == "failed" || o[fResult].get("Err").present() || ok.get("isError").flag() || ok.get("is_error").flag()
	c.note(o[fCall].text(), run{exit: -1, failed: failed})
}

// changed notes how an edit ended, or emits one that only an event tells of.
func (c *codex) changed(o *object) {
	id, failed, complaint := o[fID].text(), o.name(fStatus) == "failed", o[fError].text()
	if !fromScript(o) {
		c.note(id, run{exit: -1, failed: failed, refused: o.name(fStatus) == "declined", text: complaint})
		return
	}
	var patch strings.Builder
	o[fInput].members(func(path string, change value) {
		v := change.pick("type", "unified_diff", "content")
		what, body := "Update", v[1].text()
		if v[0].text() == "add" {
			what, body = "Add", "+"+strings.ReplaceAll(strings.TrimSuffix(v[2].text(), "\n"), "\n", "\n+")
		}
		patch.WriteString("*** " + what + " File: " + path + "\n" + body + "\n")
	})
	c.last = ToolResult
	c.called(id, "apply_patch", value(encode(map[string]string{"input": patch.String()})))
	c.result(id, ended{text: complaint, exit: -1, failed: failed})
}

func (c *codex) note(id string, r run) {
	if id == "" {
		return
	}
	if len(c.runs) >= maxRuns {
		clear(c.runs)
	}
	r.text = r.text[:min(len(r.text), 64<<10)]
	c.runs[id] = r
}
