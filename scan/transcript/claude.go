package transcript

import (
	"encoding/json"
	"slices"
	"strings"
)

var claudeFormat = format{
	id: Claude, name: "Claude Code", resumes: true,
	is:   isClaude,
	lies: inFolder("/.claude/projects/", ".jsonl"),
	lines: func(r *reader) lineForm {
		c := &claude{reader: r}
		return lineForm{common: claudeLines.common, step: c.object, cut: c.cut, begins: claudeBegins}
	},
}

// webFormat is a session of Claude Code on the web: an object with a list of what
// would be lines.
var webFormat = format{
	id: WebExport, name: "Claude Code on the web",
	is: func(k keys) bool { return k.has("loglines") },
	document: func(r *reader) documentForm {
		c := &claude{reader: r}
		form := lineForm{common: claudeLines.common, step: c.object}
		return documentForm{list: "loglines", message: func(v value) { r.objects(v, form) }}
	},
}

// claudeBegins are beginnings of objects of the top level.
var claudeBegins = []string{`{"parentUuid":`, `{"type":"user"`, `{"type":"assistant"`, `{"type":"summary"`}

// claudeLines are the objects of the top level. By their types a file is known as
// Claude Code's; unknown ones do not harm when they stand beside them.
var claudeLines = table[*claude]{
	common: shaped(at{
		fKind: "type", fID: "uuid", fTime: "timestamp", fSession: "sessionId", fAgent: "agentId", fHidden: "isSidechain",
		fCwd: "cwd", fBranch: "gitBranch", fVersion: "version", fParts: "message.content", fModel: "message.model",
		fMachine: "isMeta", fFailed: "isApiErrorMessage", fSummary: "isCompactSummary", fPlan: "planContent", fSource: "origin.kind",
		fStatus: "toolDenialKind", fResult: "toolUseResult", fOrigin: "sourceToolUseID", fInterrupted: "toolUseResult.interrupted", fBackground: "toolUseResult.backgroundTaskId",
		fMeaning: "toolUseResult.returnCodeInterpretation", fErrors: "toolUseResult.stderr",
	}),
	kinds: map[string]kind[*claude]{
		"user":            {does: (*claude).user},
		"assistant":       {does: (*claude).assistant},
		"system":          {(*claude).system, shaped(at{fStatus: "subtype"})},
		"queue-operation": {(*claude).queued, shaped(at{fStatus: "operation", fText: "content"})},
		"attachment": {(*claude).attached, shaped(at{
			fStatus: "attachment.type", fText: "attachment.prompt", fRole: "attachment.commandMode",
			fCode: "attachment.hookEvent", fCall: "attachment.toolUseID", fOutput: "attachment.stdout",
		})},
		"progress": {}, // repeats what sub-agents' files say
		"summary":  {}, "file-history-snapshot": {}, "file-history-delta": {}, "last-prompt": {}, "mode": {}, "permission-mode": {},
		"ai-title": {}, "custom-title": {}, "agent-name": {}, "pr-link": {}, "tag": {}, "cost-state": {}, "saved_hook_context": {},
		"bridge-session": {}, "content-replacement": {},
	},
}

// claudeUserParts and claudeAgentParts are the parts of a message.
var (
	claudeUserParts = table[*claude]{
		common: shaped(at{fKind: "type", fText: "text", fCall: "tool_use_id", fOutput: "content", fFailed: "is_error"}),
		kinds: map[string]kind[*claude]{
			"text":        {does: func(c *claude, o *object) { c.words(o[fText].text()) }},
			"tool_result": {does: (*claude).ended},
		},
	}
	claudeAgentParts = table[*claude]{
		common: shaped(at{fKind: "type", fText: "text", fCall: "id", fTool: "name", fInput: "input"}),
		kinds: map[string]kind[*claude]{
			"text":     {does: func(c *claude, o *object) { c.says(o[fText].text()) }},
			"tool_use": {does: func(c *claude, o *object) { c.called(o[fCall].text(), o[fTool].text(), o[fInput]) }},
		},
	}
)

func isClaude(k keys) bool {
	_, known := claudeLines.kinds[k.typ]
	switch {
	case k.typ == "system" && !k.has("uuid"):
		return false // others have such lines too
	case known:
		return k.has("sessionId") || k.has("uuid") || k.has("leafUuid") || k.has("snapshot") || k.has("message.role")
	}
	return !k.has("type") && k.has("sessionId", "requestId", "message.role")
}

// claude is one file of Claude Code being read.
type claude struct {
	*reader
	at       *object  // of the current line
	part     object   // of its message
	boundary bool     // the last message was a compact_boundary
	waiting  []string // what the person typed while the agent was at work
	gone     []string // of that: what was emitted already
}

func (c *claude) object(v value, o *object) {
	c.begin(o)
	if !claudeLines.step(c, v, o) {
		c.stats.Unknown++
	}
}

// begin takes what each line says about the session. Older versions keep sub-agents
// in the main file without naming them.
func (c *claude) begin(o *object) {
	c.at, c.undated = o, o
	c.session, c.agent, c.cwd = o[fSession].again(c.session), o[fAgent].text(), o[fCwd].again(c.cwd)
	m := &c.stats.Meta
	first(&m.Session, c.session)
	first(&m.Cwd, c.cwd)
	first(&m.Agent, c.agent)
	if m.Branch == "" {
		m.Branch = o[fBranch].text()
	}
	if v := o[fVersion].again(m.Version); v != "" {
		m.Version = v
	}
	if c.agent == "" && o[fHidden].flag() {
		c.agent = "sidechain"
	}
}

// cut takes from the beginning of a line that is too long what keeps a call and its
// result together. The content of such a line is a picture or a file, not words.
func (c *claude) cut(o *object) {
	if o.name(fKind) != "user" {
		return
	}
	c.begin(o)
	o[fParts].each(func(part value) {
		if p := claudeUserParts.common.of(part); p.name(fKind) == "tool_result" && p[fCall].present() {
			p[fOutput] = nil
			o[fResult], o[fInterrupted], o[fBackground], o[fMeaning], o[fErrors] = nil, nil, nil, nil, nil
			c.ended(p)
		}
	})
}

func (c *claude) assistant(o *object) {
	c.boundary = false
	if o[fFailed].flag() || o.name(fModel) == "<synthetic>" {
		c.stats.Machine++
		return
	}
	claudeAgentParts.parts(c, &c.part, o[fParts], c.says)
}

func (c *claude) user(o *object) {
	boundary := c.boundary
	c.boundary = false
	if o[fSummary].flag() {
		if !boundary {
			c.compacted(o)
		}
		c.stats.Machine++
		return
	}
	claudeUserParts.parts(c, &c.part, o[fParts], c.words)
}

func (c *claude) system(o *object) {
	if o.name(fStatus) == "compact_boundary" {
		c.boundary = true
		c.compacted(o)
	}
}

// words emits what a text in a person's place says: an interruption, a person's
// words, or nothing when a program wrote it.
func (c *claude) words(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if rest, ok := interrupted(text); ok {
		c.interrupted(nil)
		if rest == "" {
			return
		}
		text = rest
	}
	source := c.at.name(fSource)
	made := c.at[fOrigin].present() || c.at[fResult].present() // by a tool
	if c.agent != "" || made || c.at[fMachine].flag() || c.at[fPlan].first() == '"' || source != "" && source != "human" {
		c.stats.Machine++
		return
	}
	words := Words(text)
	if at := slices.Index(c.gone, words); words != "" && at >= 0 {
		c.gone = slices.Delete(c.gone, at, at+1)
		return // emitted when it was taken from the queue
	}
	c.wrote(text)
}

// ended emits the end of a call.
func (c *claude) ended(p *object) {
	id := p[fCall].text()
	made := c.calls.open[id]
	r := Result{
		Tool: made.tool, Command: made.command, Text: p[fOutput].parts(), IsError: p[fFailed].flag(),
		Denial: c.at[fStatus].text(), Version: c.at[fVersion].again(c.stats.Meta.Version), Extra: extraOf(c.at),
	}
	if r.Denial == "" && r.IsError && made.denied {
		r.Denial = "hook"
	}
	e := ended{text: r.Text}
	if e.outcome, e.exit = r.Judge(); e.outcome == Rejected {
		e.said = RejectionWords(r.Text)
	}
	e.line = r.line
	c.result(id, e)
}

// attached takes two things from what the client attaches: what the person
// typed while the agent was at work, and that a hook refused a call.
func (c *claude) attached(o *object) {
	switch kind := o.name(fStatus); kind {
	case "queued_command":
		if mode := o.name(fRole); mode != "" && mode != "prompt" {
			c.stats.Machine++
			return
		}
		c.words(o[fText].parts())
	case "hook_success", "hook_blocking_error":
		event := o.name(fCode)
		if (kind == "hook_blocking_error" || denies(o[fOutput].text())) && (event == "" || event == "PreToolUse" || event == "PermissionRequest") {
			c.calls.deny(o[fCall].text())
		}
	}
}

// denies says whether a hook's answer refuses the call.
func denies(stdout string) bool {
	v := value(stdout).pick("decision", "hookSpecificOutput")
	return (v[0].text() == "block" || v[1].get("permissionDecision").text() == "deny") && json.Valid([]byte(stdout))
}

// maxQueue bounds the queue of texts and the memory of those emitted.
const maxQueue = 64

// queued follows what the person types while the agent is at work. A text that
// is removed from the queue went to the agent in the middle of its turn, which
// older versions record nowhere else; one that is dequeued comes as a message.
func (c *claude) queued(o *object) {
	operation, oldest := o.name(fStatus), ""
	if len(c.waiting) > 0 && (operation == "dequeue" || operation == "remove") {
		oldest, c.waiting = c.waiting[0], c.waiting[1:]
	}
	switch operation {
	case "enqueue":
		c.waiting = bounded(append(c.waiting, o[fText].text()))
	case "popAll":
		c.waiting = nil
	case "remove":
		if words := Words(oldest); words != "" {
			c.gone = bounded(append(c.gone, words))
			c.wrote(oldest)
		}
	}
}

// bounded drops the oldest of too many texts.
func bounded(texts []string) []string { return texts[max(0, len(texts)-maxQueue):] }
