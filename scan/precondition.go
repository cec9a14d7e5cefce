package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// maxFirst is how long a command may be that is told to run first, in bytes.
const maxFirst = 100

// describePrecondition fills in what a command teaches that failed and worked unchanged after
// another one had run. The title names both, so that only sessions which met the same count
// together.
func (w *Window) describePrecondition(out *finding, wrong *Step, f *fault, right *Step) {
	bad := faulty(wrong.line(), f)
	good := counterpart(bad, right.line())
	if good == nil || f.class == shellSyntax || f.class == timedOut || purposeOf(bad) == lints || plumbing[bad.Program] || showsText(bad) {
		return
	}
	ran := lists.Filter(w.preparation(wrong, right, good), func(c *shell.Command) bool { return !tidies[c.Program] })
	if len(ran) != 1 || !prepares(ran[0]) {
		return
	}
	first := oneCommand(ran[0].Source)
	what := strings.Join(append([]string{spelt(bad)}, bad.Sub...), " ")
	out.title = "`" + what + "` fails until `" + first + "` has run"
	out.fix, out.unfit = runFirst(ran), ""
	out.marks = append(out.marks, observe.MarkFirst)
}

// prepares says whether a command may be what others need: one that brings in code, data or a
// service, and no step of work with git, script of the occasion, place of one machine or look at
// something.
func prepares(c *shell.Command) bool {
	return c.Program != "git" && !strings.HasPrefix(c.Path, "/") && len(c.Source) <= maxFirst && !givesCode(c) && !onlyShows(c) && !rewriters[c.Program] &&
		!slices.ContainsFunc(operandsOf(c), instance) && !strings.ContainsAny(c.Source, "`\n")
}
