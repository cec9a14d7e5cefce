package transcript

import "strings"

// codexEnding is what the output of a call says about its end.
type codexEnding struct {
	ended
	process string // under which a command goes on to run
}

// codexSays are texts by which Codex says what became of a call that gives no
// status.
var codexSays = []sentinel{
	{"exec command rejected by user", true, Rejected},
	{"patch rejected by user", true, Rejected},
	{"rejected by user", true, Rejected},
	{"user rejected", true, Rejected},
	{"user cancelled", true, Rejected},
	{"Command blocked by PreToolUse hook:", false, Blocked},
	{"blocked by PreToolUse hook", true, Blocked},
	{`Rejected("`, true, Blocked},
	{"rejected by sandbox", true, Blocked},
	{"approval required by policy", true, Blocked},
	{"` rejected: ", true, Blocked},
	{"rejected: blocked by policy", true, Blocked},
	{"aborted by user", true, Interrupted},
	{"aborted", false, Interrupted},
	{"failed to parse function arguments", false, NotRun},
	{"unsupported call:", false, NotRun},
	{"unsupported custom tool call:", false, NotRun},
	{"unknown tool", false, NotRun},
	{"apply_patch verification failed", false, Fail},
	{"apply_patch handler received", false, NotRun},
	{"execution error:", false, Fail},
	{"exec_command failed", false, Fail},
	{"write_stdin failed", false, Fail},
	{"failed in sandbox", false, Fail},
	{"command timed out after", false, TimedOut},
	{"unable to ", false, Fail},
	{"Script failed", false, Fail},
	{"Script error", false, Fail},
	{"err: ", false, Fail},
	{"tool call error", false, Fail},
}

// codexEnd reads an output: JSON with the status beside the text, lines with
// the status above it, or the text alone.
func codexEnd(text string) codexEnding {
	e := codexEnding{ended: ended{text: text, exit: -1}}
	if v := value(text); strings.HasPrefix(text, "{") {
		f := v.pick("output", "metadata")
		if n, ok := f[1].get("exit_code").number(); ok && f[0].first() == '"' {
			e.text = f[0].text()
			e.status(n)
		}
	} else {
		e.above(text)
	}
	e.text = strings.TrimPrefix(e.text, "\n")
	if e.exit == 124 || (e.exit > 0 || e.failed) && strings.HasPrefix(e.text, "command timed out after") {
		e.outcome = TimedOut
	}
	if e.exit >= 0 || e.process != "" || e.outcome != Unsaid {
		return e
	}
	e.outcome = outcomeOf(strings.TrimSpace(e.text), codexSays)
	return e
}

// status notes an exit status. A negative one stands for a command that did not
// come so far.
func (e *codexEnding) status(n int) {
	e.exit, e.failed = max(n, -1), n < 0
}

// above reads the lines above an output.
func (e *codexEnding) above(text string) {
	rest, seen := text, false
	for {
		line, after, more := strings.Cut(rest, "\n")
		switch n, ok := statusLine(line, "Exit code: ", "Process exited with code "); {
		case ok:
			e.status(n)
		case strings.HasPrefix(line, "Process running with session ID "):
			e.process = strings.TrimSpace(strings.TrimPrefix(line, "Process running with session ID "))
		case strings.HasPrefix(line, "Chunk ID: "), strings.HasPrefix(line, "Wall time"), strings.HasPrefix(line, "Original token count: "),
			strings.HasPrefix(line, "Total output lines: "), strings.HasPrefix(line, "Script completed"):
		case line == "Output:" && seen:
			e.text = after
			return
		case line == "" && seen:
		default:
			if seen {
				e.text = rest
			}
			return
		}
		seen = true
		if !more {
			e.text = ""
			return
		}
		rest = after
	}
}
