package transcript

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// GitHub Copilot CLI writes events, one a line, with a body called data.
var copilotFormat = format{
	id: Copilot, name: "GitHub Copilot CLI", resumes: true, tools: tools.Copilot,
	is: func(k keys) bool {
		return k.typ == "session.start" || k.has("data") && (strings.HasPrefix(k.typ, "session.") || strings.Contains(k.typ, ".") && k.has("id", "timestamp", "parentId"))
	},
	lies: inFolder("/.copilot/session-state/", "events.jsonl"),
	lines: func(r *reader) lineForm {
		c := &copilot{reader: r, polls: map[string]string{}, running: map[string]string{}}
		return lineForm{common: copilotEvents.common, step: c.object}
	},
}

// copilotEvents are the objects of the top level. All others of a family, which is
// named with its dot, say nothing that is wanted.
var copilotEvents = table[*copilot]{
	common: shaped(at{fKind: "type", fTime: "timestamp", fID: "id", fAgent: "agentId", fBody: "data", fParent: "data.parentToolCallId"}),
	kinds: map[string]kind[*copilot]{
		"session.start": {(*copilot).started, shaped(at{
			fSession: "sessionId", fCwd: "context.cwd", fBranch: "context.branch", fVersion: "copilotVersion",
		})},
		"user.message":         {(*copilot).asked, shaped(at{fText: "content", fSource: "source", fMachine: "isAutopilotContinuation"})},
		"assistant.message":    {func(c *copilot, o *object) { c.says(o[fText].text()) }, shaped(at{fText: "content"})},
		"tool.execution_start": {(*copilot).call, shaped(at{fCall: "toolCallId", fTool: "toolName", fInput: "arguments"})},
		"tool.execution_complete": {(*copilot).ended, shaped(at{
			fCall: "toolCallId", fOK: "success", fOutput: "result.content", fExit: "shellExecution.exitCode",
			fError: "error.message", fCode: "error.code",
		})},
		"abort":                       {(*copilot).aborted, shaped(at{fStatus: "reason"})},
		"session.compaction_complete": {does: (*copilot).compacted},

		"session.": {}, "user.": {}, "assistant.": {}, "tool.": {}, "hook.": {}, "permission.": {}, "subagent.": {}, "system.": {},
		"skill.": {}, "command.": {}, "commands.": {}, "model.": {}, "mcp.": {}, "mcp_app.": {}, "user_input.": {}, "elicitation.": {},
	},
}

// copilot is one session being read.
type copilot struct {
	*reader
	polls   map[string]string // by call id: the shell whose output a call asks for
	running map[string]string // by shell: the call whose command goes on to run there
}

func (c *copilot) object(v value, o *object) {
	c.undated = o
	if c.agent = o[fAgent].text(); c.agent == "" {
		c.agent = o[fParent].text() // how older versions mark a sub-agent
	}
	if copilotEvents.step(c, v, o) {
		return
	}
	family, _, _ := strings.Cut(o.name(fKind), ".")
	if _, known := copilotEvents.kinds[family+"."]; !known {
		c.stats.Unknown++
	}
}

func (c *copilot) started(o *object) {
	c.about(o[fSession].text(), "", o[fCwd].text(), o[fBranch].text(), o[fVersion].text())
}

// asked emits what the person typed. Other sources are skills, commands, schedules and
// other agents.
func (c *copilot) asked(o *object) {
	if source := o.name(fSource); o[fMachine].flag() || source != "" && source != "user" {
		c.byMachine(o)
		return
	}
	c.wrote(o[fText].text())
}

func (c *copilot) aborted(o *object) {
	if o.name(fStatus) != "autopilot_credit_limit" {
		c.interrupted(o)
	}
}

// call emits a call. One that only asks for the output of a command that goes on to
// run is no new one.
func (c *copilot) call(o *object) {
	id, tool, in := o[fCall].text(), o[fTool].text(), o[fInput]
	if tool == "read_bash" || tool == "read_powershell" {
		if len(c.polls) >= maxRuns {
			clear(c.polls)
		}
		c.polls[id] = in.get("shellId").text()
		return
	}
	c.called(id, tool, in)
}

// ended emits the end of a call. A command that failed is a success with a status.
func (c *copilot) ended(o *object) {
	id := o[fCall].text()
	made := c.calls.open[id]
	e := ended{text: o[fOutput].text(), exit: exitOf(o), failed: !o[fOK].flag()}
	shell, running := "", false
	if runsCommands(made.tool) || c.polls[id] != "" {
		shell, running = e.copilotFoot()
	}
	if poll, ok := c.polls[id]; ok {
		delete(c.polls, id)
		call, waits := c.running[poll]
		if running || !waits || e.failed {
			return // it runs on, or ended before
		}
		delete(c.running, poll)
		id = call // it ends under its own call
	} else if running && shell != "" {
		if len(c.running) >= maxRuns {
			clear(c.running)
		}
		c.running[shell] = id
		return
	}
	switch {
	case e.failed:
		e.refused(o)
	case made.tool == asks:
		e.text = answeredWith(made.input.get("question").text(), e.text)
	}
	c.result(id, e)
}

// copilotFoot takes off the line behind a command's output, which tells its status
// or that it goes on to run, and in which shell.
func (e *ended) copilotFoot() (shell string, running bool) {
	at := strings.LastIndexByte(e.text, '\n') + 1
	foot := e.text[at:]
	if !strings.HasPrefix(foot, "<") || !strings.HasSuffix(foot, ">") {
		return "", false
	}
	_, behind, _ := strings.Cut(foot, "shellId: ")
	shell = leadingDigits(behind)
	if _, status, ok := strings.Cut(foot, "exit code "); ok {
		if n, ok := value(leadingDigits(status)).number(); ok && e.exit < 0 {
			e.exit = n
		}
	} else if running = shell != ""; !running {
		return "", false
	}
	e.text = strings.TrimSuffix(e.text[:at], "\n")
	return shell, running
}

func leadingDigits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}

// copilotSays are texts by which Copilot says what became of a call that did not run.
var copilotSays = []sentinel{
	{"The user rejected this tool call", false, Rejected},
	{"The tool call required approval from the user, but the user rejected it", false, Rejected},
	{"Denied by preToolUse hook", false, Blocked},
	{"Permission denied and could not request permission from user", false, Blocked},
}

// refused reads the error of a call that failed.
func (e *ended) refused(o *object) {
	if message := o[fError].text(); message != "" {
		e.text = message
	}
	e.outcome = outcomeOf(e.text, copilotSays)
	if e.outcome == Unsaid {
		e.outcome = map[string]Outcome{"rejected": Rejected, "denied": Blocked, "timeout": TimedOut}[o.name(fCode)]
	}
	if e.outcome == Rejected {
		_, said, _ := strings.Cut(e.text, "User feedback:")
		e.said = Words(said)
	}
}

// answeredWith puts a person's answer to a question into the form in which Claude Code
// gives it.
func answeredWith(question, text string) string {
	for _, lead := range []string{"User responded: ", "User selected: "} {
		if given, ok := strings.CutPrefix(text, lead); ok && question != "" {
			return answeredAll(fmt.Sprintf("%q=%q", question, given))
		}
	}
	return text
}
