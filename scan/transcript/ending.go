package transcript

import (
	"strconv"
	"strings"
)

// judge says how another agent's call ended, from its status and its text. It
// puts both into the form in which Claude Code gives them, so that there is one
// judgement for all.
func judge(made call, e ended) (Outcome, int) {
	r := Result{Tool: made.tool, Command: made.command, Text: e.text, IsError: e.failed || e.exit > 0}
	if e.exit > 0 {
		r.Text = "Exit code " + strconv.Itoa(e.exit) + "\n" + e.text
	}
	outcome, _ := r.Judge()
	if outcome == Masked {
		return outcome, -1
	}
	return outcome, e.exit
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

// withoutOurs takes off what our own hooks put behind a tool's output, which
// must not be learned from.
func withoutOurs(text string) string {
	for {
		at := strings.LastIndex(text, "\n[lessons] ")
		if at < 0 {
			return text
		}
		text = strings.TrimRight(text[:at], "\n")
	}
}
