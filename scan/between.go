package scan

import (
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// callsBefore yields the calls of a step's thread before it, newest first.
func (w *Window) callsBefore(s *Step) func(yield func(*Step) bool) {
	return func(yield func(*Step) bool) {
		for i := s.seq - w.steps[0].seq - 1; i >= 0; i-- {
			if c := w.steps[i]; c.Kind == transcript.ToolCall && c.Agent == s.Agent && !yield(c) {
				return
			}
		}
	}
}

// editBetween says whether the agent changed a file between two calls.
func (w *Window) editBetween(from, to *Step) bool {
	e := &w.edit
	if e.before != to || e.at != w.seq {
		*e = lastEdit{before: to, at: w.seq, looked: to.seq}
	}
	for e.call == nil && e.looked > max(from.seq+1, w.steps[0].seq) {
		e.looked--
		if s := w.at(e.looked); s.Kind == transcript.ToolCall && s.Agent == to.Agent && changesFiles(s) {
			e.call = s
		}
	}
	return e.call != nil && e.call.seq > from.seq
}

// lastEdit is the last call before another that changed files, as far as was looked:
// one success is held against many failures.
type lastEdit struct {
	before *Step
	at     int   // where the file was read to then: what a call did its result tells
	looked int   // the number of the step down to which
	call   *Step // nil while there is none
}

// changesFiles says whether a call changed files, as far as its end tells.
func changesFiles(call *Step) bool {
	if call.end == nil || call.end.Kind != transcript.ToolResult {
		return false
	}
	switch call.end.Outcome {
	case transcript.OK, transcript.Masked, transcript.Expected:
		return isEdit(call.Tool) || isShell(call.Tool) && call.editsInPlace()
	}
	return false
}

// runBetween returns the last command line between two calls that did more than
// look, nil when there is none.
func (w *Window) runBetween(from, to *Step) *Step {
	for s := range w.callsBefore(to) {
		if s.seq <= from.seq {
			return nil
		}
		if !isShell(s.Tool) {
			continue
		}
		if c := mainCommand(s.line()); c != nil && !plumbing[c.Program] && !showsText(c) {
			return s
		}
	}
	return nil
}

// advisable says whether a command may be named as what to run first. Some do
// it for once and away, and none that throws away should be advised.
func advisable(c *shell.Command) bool {
	return c != nil && !clearsAway[c.Program]
}

// clearsAway are programs that no one should be told to run first.
var clearsAway = map[string]bool{"rm": true, "rmdir": true, "kill": true, "pkill": true, "killall": true, "mv": true, "git": true, "chmod": true, "chown": true}
