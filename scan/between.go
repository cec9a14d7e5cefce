package scan

import (
	"iter"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// between yields the steps of a thread after one event and before another, newest
// first.
func (w *Window) between(from, to *Step) iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for s := range w.before(to, to.Agent) {
			if s.seq <= from.seq || !yield(s) {
				return
			}
		}
	}
}

// editBetween says whether the agent changed a file between two calls.
func (w *Window) editBetween(from, to *Step) bool {
	for s := range w.between(from, to) {
		if changesFiles(s) {
			return true
		}
	}
	return false
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
	for s := range w.between(from, to) {
		if !runs(s) {
			continue
		}
		if c := mainCommand(s.line()); c != nil && !plumbing[c.Program] && !showsText(c) {
			return s
		}
	}
	return nil
}
