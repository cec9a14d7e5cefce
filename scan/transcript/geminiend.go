package transcript

import "strings"

// geminiSays are texts by which Gemini CLI says what became of a call that did
// not succeed.
var geminiSays = []sentinel{
	{"Tool execution blocked", true, Blocked},
	{"Tool execution denied by policy", true, Blocked},
	{"Tool execution stopped by hook", true, Blocked},
	{"Agent execution stopped by hook", true, Blocked},
	{"Blocked by policy", true, Blocked},
	{"User did not allow tool call", true, Rejected},
	{"User denied execution", true, Rejected},
	{"User dismissed ask_user dialog", false, Rejected},
	{"user rejected", true, Rejected},
	{"[Operation Cancelled]", true, Interrupted},
	{"User cancelled", true, Interrupted},
	{"not found. Did you mean", true, NotRun},
	{"not found in registry", true, NotRun},
	{"could not be loaded", true, NotRun},
	{"params must have", true, NotRun},
	{"params/", false, NotRun},
	{"params must NOT", true, NotRun},
}

// geminiFeet are the lines that stand behind a command's output.
var geminiFeet = []string{"Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ", "Error: "}

// geminiEnd reads a call's end. A command that failed still has the status
// "success"; what became of it stands behind its output.
func geminiEnd(shell bool, status, text string) ended {
	e := ended{text: plainAnswer(text), exit: -1, failed: status == "error"}
	if status != "success" {
		e.outcome = outcomeOf(e.text, geminiSays)
		if e.outcome == Unsaid && status == "cancelled" {
			e.outcome = Interrupted
		}
		if e.outcome != Unsaid {
			return e
		}
	}
	if shell {
		e.geminiCommand()
	}
	return e
}

// geminiCommand reads the answer of a shell call.
func (e *ended) geminiCommand() {
	switch {
	case strings.HasPrefix(e.text, "Command was automatically cancelled because it exceeded the timeout"), strings.HasPrefix(e.text, "Command timed out"):
		e.outcome = TimedOut
	case strings.HasPrefix(e.text, "Command was cancelled by user"), strings.HasPrefix(e.text, "Command cancelled by user"):
		e.outcome = Interrupted
	case strings.HasPrefix(e.text, "Command moved to background"), strings.HasPrefix(e.text, "Command is running in background"):
		e.outcome = NotRun
	}
	text, exit, complaint := e.text, 0, ""
	for text != "" {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		foot := ""
		for _, f := range geminiFeet {
			if strings.HasPrefix(last, f) {
				foot = f
			}
		}
		if foot == "" {
			break
		}
		text = strings.TrimSuffix(text[:len(text)-len(last)], "\n")
		said := strings.TrimSpace(strings.TrimPrefix(last, foot))
		switch foot {
		case "Exit Code: ":
			exit, _ = statusLine(last, foot)
		case "Signal: ":
			if said != "0" && said != "(none)" && exit == 0 {
				exit = 128 // ended by a signal
			}
		case "Error: ":
			if said != "(none)" {
				complaint = said
			}
		}
	}
	e.text = outputOf(text)
	if complaint != "" {
		e.text = strings.TrimSpace(e.text + "\n" + complaint)
	}
	switch {
	case e.outcome == Unsaid && (exit > 0 || !e.failed):
		e.exit = exit
	case e.outcome == Unsaid:
		e.exit = -1
	}
}

// outputOf takes off what stands above and between the streams of a command.
func outputOf(text string) string {
	if strings.HasPrefix(text, "Command: ") {
		if _, rest, ok := strings.Cut(text, "\nDirectory: "); ok {
			_, text, _ = strings.Cut(rest, "\n")
		}
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "Output: "), "Stdout: ")
	if out, err, ok := strings.Cut(text, "\nStderr: "); ok {
		text = empty(out) + "\n" + empty(err)
	}
	return strings.TrimSpace(empty(text))
}

func empty(text string) string {
	if strings.TrimSpace(text) == "(empty)" {
		return ""
	}
	return text
}

// plainAnswer takes off the marks and remarks that clients and hooks put round
// and behind an answer.
func plainAnswer(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(strings.TrimSuffix(text, "[System] Tool input parameters were modified by a hook before execution."))
	for strings.HasSuffix(text, "</hook_context>") {
		at := strings.LastIndex(text, "<hook_context>")
		if at < 0 {
			break
		}
		text = strings.TrimSpace(text[:at])
	}
	if inner, ok := strings.CutPrefix(text, "<untrusted_context>"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "</untrusted_context>"))
	}
	return withoutOurs(text)
}
