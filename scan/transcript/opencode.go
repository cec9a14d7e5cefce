package transcript

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// A session of OpenCode is read in the form in which the client exports it: one object
// with info and messages.
var openCodeFormat = format{
	id: OpenCode, name: "OpenCode", tools: tools.OpenCode,
	is: func(k keys) bool {
		return k.has("info") && (k.has("messages") || k.has("info.projectID") || k.has("info.directory")) || k.has("projectID", "directory") ||
			k.has("messageID", "sessionID") || k.has("sessionID", "role") || k.has("project_id", "directory")
	},
	lies: func(name string) bool {
		return strings.Contains(name, "/storage") && (strings.Contains(name, "/part/") || strings.Contains(name, "/message/")) && strings.HasSuffix(name, ".json")
	},
	document: func(r *reader) documentForm {
		o := &openCode{reader: r, used: map[string]bool{}}
		return documentForm{
			list: "messages", message: o.message, head: o.head,
			piece: "a piece of a session of OpenCode; scan the folder storage that it lies in, or what opencode export prints",
		}
	},
	wording: wording{starts: []string{
		"Summarize the task tool output above", "The following tool was executed by the user", "<system-reminder>",
		"Continue if you have next steps", "What did we do so far?", "Provide a detailed prompt for continuing our conversation",
	}},
}

// openCodeInfo is what a session says about itself. One with a parent is that of a
// sub-agent.
var openCodeInfo = shaped(at{fSession: "id", fParent: "parentID", fCwd: "directory", fVersion: "version"})

var openCodeMessage = shaped(at{
	fID: "info.id", fSession: "info.sessionID", fRole: "info.role", fSummary: "info.summary", fError: "info.error.name",
	fTime: "info.time.created", fEnd: "info.time.completed", fParts: "parts",
})

// openCodeParts are the parts of a message.
var openCodeParts = table[*openCode]{
	common: shaped(at{fKind: "type"}),
	kinds: map[string]kind[*openCode]{
		"text": {(*openCode).text, shaped(at{fText: "text", fMachine: "synthetic", fHidden: "ignored"})},
		"tool": {(*openCode).tool, shaped(at{
			fCall: "callID", fTool: "tool", fStatus: "state.status", fInput: "state.input", fOutput: "state.output", fError: "state.error",
			fExit: "state.metadata.exit", fShown: "state.metadata.output", fTime: "state.time.start", fEnd: "state.time.end",
		})},
		"compaction": {does: (*openCode).compacted},
		"subtask":    {does: (*openCode).byMachine}, // a command that the person called
		"":           {}, "reasoning": {}, "step-start": {}, "step-finish": {}, "file": {}, "patch": {}, "snapshot": {}, "agent": {}, "retry": {},
	},
}

// openCode is one session being read.
type openCode struct {
	*reader
	used map[string]bool // ids of calls
	now  *object         // the message
}

func (c *openCode) head(key string, v value) {
	if key != "info" {
		return
	}
	o := openCodeInfo.of(v)
	session, agent := o[fSession].text(), ""
	if parent := o[fParent].text(); parent != "" {
		session, agent = parent, session
	}
	c.about(session, agent, o[fCwd].text(), "", o[fVersion].text())
}

func (c *openCode) message(v value) {
	o := openCodeMessage.of(v)
	c.id, c.time, c.now = o[fID].text(), o[fTime].stamp(), o
	if c.session == "" {
		c.about(o[fSession].text(), "", "", "", "")
	}
	o[fParts].each(func(part value) {
		if !openCodeParts.read(c, part) {
			c.stats.Unknown++
		}
	})
	if name := o[fError].text(); name == "MessageAbortedError" || name == "AbortError" {
		if c.time = o[fEnd].stamp(); c.time.IsZero() {
			c.time = o[fTime].stamp()
		}
		c.interrupted(o)
	}
}

func (c *openCode) text(o *object) {
	text, role := o[fText].text(), c.now.name(fRole)
	switch {
	case strings.TrimSpace(text) == "":
	case o[fMachine].flag() || o[fHidden].flag() || c.now[fSummary].flag():
		c.stats.Machine++
	case role == "user":
		c.wrote(text)
	case role == "assistant":
		c.says(text)
	}
}

// tool emits a call and its end, which stand in one part.
func (c *openCode) tool(o *object) {
	id, tool := c.unique(o[fCall].text()), o[fTool].text()
	if start := o[fTime].stamp(); !start.IsZero() {
		c.time = start
	}
	c.called(id, tool, o[fInput])
	e := ended{exit: -1, time: o[fEnd].stamp()}
	switch o.name(fStatus) {
	case "completed":
		e.text = withoutOurs(o[fOutput].text())
		if c.form.tools[tool] == "Bash" {
			e.openCodeCommand(o)
		}
		if tool == "invalid" {
			e.outcome = NotRun
		}
	case "error":
		e.text, e.failed = o[fError].text(), true
		if e.outcome = outcomeOf(e.text, openCodeSays); e.outcome == Rejected {
			_, said, _ := strings.Cut(e.text, "with the following feedback:")
			e.said = Words(said)
		}
	default:
		return
	}
	c.result(id, e)
}

// unique returns an id under which a result finds its call, whatever the file
// says: call and result stand in one place.
func (c *openCode) unique(id string) string {
	if id == "" || c.used[id] {
		id = fmt.Sprintf("%s#%d", id, len(c.used))
	}
	c.used[id] = true
	return id
}

// openCodeCommand reads what stands behind and beside the output of a command.
func (e *ended) openCodeCommand(o *object) {
	if e.exit = exitOf(o); e.exit > 0 || e.exit < -1 {
		e.failed = true
	}
	switch notes := tailOf(e.text, "<bash_metadata>", "<shell_metadata>", "(Command timed out", "(Command was aborted"); {
	case strings.Contains(notes, "exceeding timeout"), strings.Contains(notes, "exceeded timeout"), strings.Contains(notes, "timed out after"):
		e.outcome = TimedOut
	case strings.Contains(notes, "aborted"):
		e.outcome = Interrupted
	}
	if e.outcome != Unsaid {
		e.text = strings.TrimSpace(bashNotes.Replace(e.text))
	} else if out := o[fShown].text(); out != "" && len(out) >= len(e.text) || o[fShown].first() == '"' && strings.HasPrefix(e.text, out) {
		e.text = out
	}
}

// bashNotes takes the marks off what OpenCode remarks behind an output.
var bashNotes = strings.NewReplacer("<bash_metadata>\n", "", "\n</bash_metadata>", "", "<shell_metadata>\n", "", "\n</shell_metadata>", "")

// tailOf returns a text from the last of some marks on.
func tailOf(text string, marks ...string) string {
	for _, m := range marks {
		if strings.Contains(text, m) { // asked first, because it is many times faster
			return text[strings.LastIndex(text, m):]
		}
	}
	return ""
}

// openCodeSays are texts by which OpenCode says what became of a call that did
// not come to its end.
var openCodeSays = []sentinel{
	{"The user rejected permission to use this specific tool call", false, Rejected},
	{"The user rejected", false, Rejected},
	{"The user dismissed this question", false, Rejected},
	{"User rejected", false, Rejected},
	{"The user has specified a rule which prevents", false, Blocked},
	{"The user has specifically restricted access", false, Blocked},
	{"This command references paths outside of", false, Blocked},
	{"[lessons]", false, Blocked},
	{"Tool execution aborted", false, Interrupted},
	{"Tool execution was interrupted", false, Interrupted},
	{"The operation was aborted", false, Interrupted},
	{"The arguments provided to the tool are invalid", true, NotRun},
	{"Model tried to call unavailable tool", false, NotRun},
	{"was called with invalid arguments", true, NotRun},
}
