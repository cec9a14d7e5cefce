package transcript

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Result is what is known about the end of a tool call.
type Result struct {
	Tool    string // empty when the call is not known
	Command string // of shell calls
	Text    string // what the agent was shown
	IsError bool   // as flagged by the client
	Denial  string // who refused the call, by other evidence than the text: "hook", "user-rejected", …
	Extra   Extra
	Version string // of the client

	line *shell.Line // Command taken apart, once judging asked
}

// sentinel is a text by which a client says how a call ended.
type sentinel struct {
	text    string
	inside  bool // anywhere in the first line, otherwise at the beginning
	outcome Outcome
}

// outcomeOf returns the outcome of the first sentinel that a text has.
func outcomeOf(text string, of []sentinel) Outcome {
	for _, s := range of {
		if strings.HasPrefix(text, s.text) || s.inside && strings.Contains(firstLine(text), s.text) {
			return s.outcome
		}
	}
	return Unsaid
}

// sentinels are looked at in this order, for results that are flagged as
// errors. They were seen in versions 1.0 to 2.1 of Claude Code.
var sentinels = []sentinel{
	{"The user doesn't want to proceed with this tool use", false, Rejected},
	{"The user doesn't want to take this action", false, Rejected},
	{"The user does not want to proceed", false, Rejected},
	{"User rejected tool use", false, Rejected},
	{"The user rejected", false, Rejected},
	{"[Request interrupted by user", false, Interrupted},
	{"Interrupted by user", false, Interrupted},
	{"Sibling tool call errored", false, Cancelled},
	{"Cancelled: parallel tool call", false, Cancelled},
	{"Tool call cancelled", false, Cancelled},
	{"Streaming fallback - tool execution discarded", false, Cancelled},
	{"PreToolUse:", false, Blocked},
	{"Execution stopped by PreToolUse hook", false, Blocked},
	{"Hook PreToolUse:", false, Blocked},
	{"Permission to use ", false, Blocked},
	{"Permission for this action", false, Blocked},
	{"Permission denied by hook", false, Blocked},
	{"Claude requested permissions to", false, Blocked},
	{"This command requires approval", false, Blocked},
	{"This Bash command contains multiple operations", false, Blocked},
	{"The following part requires approval", true, Blocked},
	{"was blocked. For security", true, Blocked},
	{"File is in a directory that is denied by your permission settings", false, Blocked},
	{"Blocked:", false, Blocked},
	{"[lessons]", false, Blocked}, // our own refusal, which must not be learned from
	{"blocked by hook", true, Blocked},
	{"InputValidationError", false, NotRun},
	{"Error: No such tool available", false, NotRun},
	{"No such tool available", false, NotRun},
	{"Unknown skill", false, NotRun},
}

// timeouts are words by which tools say that they ran out of time.
var timeouts = []string{"timed out after", "Request timed out", "MCP tool call timed out", "Operation timed out"}

// Judge says how the call ended, and with which exit status, -1 when that is
// not known.
func (r *Result) Judge() (Outcome, int) {
	extra := r.Extra
	text := r.message()
	exit := exitStatus(text)
	if r.failed(extra) {
		return r.judgeFailure(text, exit, extra)
	}
	switch {
	case extra.background != "" || strings.HasPrefix(text, "Command running in background with ID:"):
		return NotRun, -1
	case extra.interrupted && hasTimeout(text+extra.stderr):
		return TimedOut, exit
	case extra.interrupted:
		return Interrupted, exit
	case !runsCommands(r.Tool):
		return OK, exit
	case extra.meaning != "":
		return Expected, 1
	}
	if r.parsed().Masked {
		return Masked, -1
	}
	return OK, max(exit, 0)
}

// parsed is the call's command line, which is taken apart once.
func (r *Result) parsed() *shell.Line {
	if r.Command == "" {
		return &shell.Line{} // it is not known, or too long to be kept
	}
	if r.line == nil {
		r.line = shell.Parse(r.Command)
	}
	return r.line
}

func (r *Result) judgeFailure(text string, exit int, extra Extra) (Outcome, int) {
	if outcome := outcomeOf(text, sentinels); outcome != Unsaid {
		return outcome, exit
	}
	switch {
	case r.Denial == "user-rejected":
		return Rejected, exit
	case r.Denial != "" && exit < 0:
		return Blocked, exit
	case hasTimeout(lastLines(text)) || exit == 124:
		return TimedOut, exit
	case extra.interrupted || exit == 130 || exit == 143: // SIGINT, SIGTERM: somebody ended it
		return Interrupted, exit
	case extra.meaning != "" || exit > 0 && !shellComplains(text) && r.parsed().Answers(exit, silent(text)):
		return Expected, exit
	case exit < 0 && runsCommands(r.Tool) && showsStatus(r.Version):
		return Blocked, exit
	}
	return Fail, exit
}

// showsStatus says whether a version begins the text of every shell command
// that failed with its exit status. What does not begin so never ran: a hook
// refused it, whose reason is all that the file holds.
func showsStatus(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= 2
}

// failed says whether the client flagged an error. Older versions flag nothing
// and only say "Error: …" in toolUseResult.
func (r *Result) failed(e Extra) bool {
	return r.IsError || r.Denial != "" || e.failed
}

// message is the text without the element and the word that clients put round
// errors.
func (r *Result) message() string {
	text := strings.TrimSpace(r.Text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<tool_use_error>"), "</tool_use_error>")
	if rest := strings.TrimPrefix(text, "Error: "); exitStatus(rest) >= 0 {
		text = rest
	}
	return text
}

// Extra is what is wanted of toolUseResult: an object, a list or a text.
type Extra struct {
	failed      bool // it is a text that begins as an error
	interrupted bool
	background  string
	meaning     string // what the status means
	stderr      string
}

func extraOf(o *object) Extra {
	return Extra{
		failed:      bytes.HasPrefix(o[fResult].quoted(), []byte("Error: ")),
		interrupted: o[fInterrupted].flag(), background: o[fBackground].text(), meaning: o[fMeaning].text(), stderr: o[fErrors].text(),
	}
}

// exitStatus reads "Exit code N" at the beginning of a text, or -1.
func exitStatus(text string) int {
	rest, ok := strings.CutPrefix(text, "Exit code ")
	if !ok {
		return -1
	}
	n, err := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	if err != nil || n > 255 {
		return -1
	}
	return n
}

func hasTimeout(text string) bool {
	return slices.ContainsFunc(timeouts, func(t string) bool { return strings.Contains(text, t) })
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// lastLines returns the ends of a text, where a client puts its remark: output
// in between may talk about time-outs of its own.
func lastLines(text string) string {
	const n = 200
	if len(text) <= 2*n {
		return text
	}
	return text[:n] + "\n" + text[len(text)-n:]
}

// silent says whether a failure's text is its exit status alone.
func silent(text string) bool {
	return exitStatus(text) > 0 && strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(text, "Exit code "), "0123456789")) == ""
}

// shellComplains says whether a failure is the shell's own, or a complaint about the call,
// and not the answer of the program.
func shellComplains(text string) bool {
	_, out, _ := strings.Cut(text, "\n")
	return startsWith(strings.TrimSpace(out), "Unknown ", "unknown ", "Usage:", "usage:", "error: un", "Error: unknown", "(eval):", "/bin/bash:", "/bin/sh:", "bash:", "sh:", "zsh:", "/bin/zsh:")
}

// judge says how another agent's call ended, from its status and its text. It
// puts both into the form in which Claude Code gives them, so that there is one
// judgement for all.
func (e *ended) judge(made call) {
	r := Result{Tool: made.tool, Command: made.command, Text: e.text, IsError: e.failed || e.exit > 0}
	if e.exit > 0 {
		r.Text = "Exit code " + strconv.Itoa(e.exit) + "\n" + e.text
	}
	e.outcome, _ = r.Judge()
	e.line = r.line
	if e.outcome == Masked {
		e.exit = -1
	}
}

// statusLine reads a number behind a label at the beginning of a line.
func statusLine(line string, labels ...string) (int, bool) {
	for _, label := range labels {
		rest, ok := strings.CutPrefix(line, label)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSpace(rest)); err == nil {
			return n, true
		}
	}
	return 0, false
}
