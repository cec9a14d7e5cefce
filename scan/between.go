package scan

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"

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

// editHelps says whether a change of a file between two calls can have mended the first.
// What is not installed, does not answer or has to be set is mended by no change of other
// sources, nor is what refuses to install something.
func (w *Window) editHelps(from, to *Step, bad *shell.Command, f *fault) bool {
	around := f.class == notRunnable || f.class == missingDep || f.class == environment || noManifest.MatchString(f.salient) || purposeOf(bad) == installs
	for s := range w.between(from, to) {
		if changesFiles(s) && !(around && isEdit(s.Tool) && otherSource(s, f)) {
			return true
		}
	}
	return false
}

// otherSource says whether a call changed a source that was there before, and of which the
// failure does not speak.
func otherSource(edit *Step, f *fault) bool {
	base := path.Base(edit.Path)
	return edit.Tool != "Write" && f.hint != "" && !loose[path.Ext(base)] && !hasAny(f.hint, []string{base})
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

// runBetween returns the last command between two calls that can have made the second one
// possible, nil when there is none.
func (w *Window) runBetween(from, to *Step, failed *shell.Command) *shell.Command {
	for s := range w.between(from, to) {
		if !runs(s) || s.end != nil && w.judge(s.end) != nil {
			continue
		}
		for _, c := range slices.Backward(s.line().Commands) {
			if readies(c, failed) {
				return c
			}
			if !plumbing[c.Program] && lookupOf(c) == "" {
				break // what the line is about
			}
		}
	}
	return nil
}

// readies says whether a command can make another one possible: it does more than look.
// Checks of the sources make only checks pass.
func readies(c, failed *shell.Command) bool {
	if plumbing[c.Program] || showsText(c) || lookupOf(c) != "" || slices.ContainsFunc(c.FlagNames(), protects.MatchString) {
		return false
	}
	checks := purposeOf(c) == lints || purposeIn(strings.Join(leadingWords(c), " ")) == lints
	return purposeOf(failed) == lints || !checks
}

// onlyTidies says whether a line makes room, and looks around at most.
func onlyTidies(line *shell.Line) bool {
	return !onlyLooks(line) && !slices.ContainsFunc(line.Commands, func(c *shell.Command) bool { return !onlyShows(c) && !tidies[c.Program] })
}

// tidies are programs that only make room.
var tidies = lists.Words(`rm rmdir touch kill pkill killall sleep wait`)
