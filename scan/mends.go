package scan

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// fixKind says in what way a success mends a failure.
type fixKind int

const (
	noFix        fixKind = iota
	changedArgs          // the same program with other words
	changedLine          // another command line for the same purpose
	neighbour            // a near sub-command, for what may be the same purpose
	afterRun             // the same command, after something else made it possible
	otherSetting         // the same command in another folder or with another environment
	afterEdit            // a command for the same purpose, after files were changed
	otherFile            // the same file tool on another file
	sameFile             // a tool on the same file, in another way
	otherInput           // the same tool, asked for something else
	otherTool            // another tool for the same purpose
)

// kind is what the call log calls it.
func (k fixKind) kind() calls.How {
	switch k {
	case changedArgs:
		return calls.ByArguments
	case afterRun:
		return calls.ByRun
	case otherSetting:
		return calls.BySetting
	case afterEdit:
		return calls.ByEdit
	case otherFile, sameFile, otherInput:
		return calls.ByTarget
	}
	return calls.ByOther
}

// mends says in what way the call of a later success mends a failure. A call
// that was made before the failure was seen mends nothing, nor does one that
// repeats a call from before it.
func (w *Window) mends(failed *Step, f *fault, good *Step) fixKind {
	wrong, right := w.Call(failed), w.Call(good)
	if wrong == nil || right == nil || right.seq < failed.seq {
		return noFix
	}
	how := w.mendsAs(wrong, failed, f, right)
	if how != noFix && (looksUp(wrong, f, right) || fetchesAnother(wrong, right, good) || w.planned(wrong, failed, right)) {
		return noFix
	}
	return how
}

// looksUp says whether a call only asks a program that a failed one ran for its help, for a
// list of what it has, or how things are: what it teaches is shown by the call that follows.
func looksUp(wrong *Step, f *fault, right *Step) bool {
	if !isShell(wrong.Tool) || !isShell(right.Tool) {
		return false
	}
	var asked, did bool
	for _, c := range right.line().Commands {
		for _, o := range wrong.line().Commands {
			if !sameProgram(o, c) {
				continue
			}
			if asksHelp(c) && !asksHelp(o) {
				return true
			}
			is := f.class != shellSyntax && lookupOf(c) != "" && lookupOf(c) != lookupOf(o) && !(f.class == usage && noCommand(f, o, c))
			asked, did = asked || is, did || !is
		}
	}
	return asked && !did
}

// noCommand says whether a program does not know a sub-command in whose place another one
// is: that does then what the first was to do.
func noCommand(f *fault, wrong, right *shell.Command) bool {
	a, b := taskWords(wrong), taskWords(right)
	if len(a) == 0 || len(b) == 0 || runsScript(wrong) {
		return false
	}
	return hasAny(f.salient, a) || nearWords(a[len(a)-1], b[len(b)-1])
}

// fetchesAnother says whether a program that a package does not have was fetched from the
// registry instead, and said nothing: it may be any program of that name.
func fetchesAnother(wrong, right, good *Step) bool {
	if !isShell(wrong.Tool) || !isShell(right.Tool) || strings.TrimSpace(good.Text) != "" {
		return false
	}
	return slices.ContainsFunc(right.line().Commands, func(c *shell.Command) bool {
		return slices.ContainsFunc(c.Wrappers, func(w string) bool { return fetchers[w] }) && !slices.ContainsFunc(wrong.line().Commands, func(o *shell.Command) bool { return o.Program == c.Program })
	})
}

// fetchers run programs that they fetch where they are not installed.
var fetchers = map[string]bool{"npx": true, "bunx": true, "pnpx": true, "uvx": true, "pipx": true}

// mendsAs says in what way a call made later would mend a failed one.
func (w *Window) mendsAs(wrong, failed *Step, f *fault, right *Step) fixKind {
	switch {
	case isShell(wrong.Tool) && isShell(right.Tool):
		how := w.mendsLine(wrong, f, right)
		if how == noFix && w.teaches(failed, f, right) {
			how = changedArgs
		}
		return how
	case isShell(wrong.Tool):
		return w.readsInstead(wrong, f, failed, right)
	case wrong.Path != "":
		return w.mendsFile(wrong, failed, f, right)
	case wrong.Tool == right.Tool:
		if !bytes.Equal(wrong.query(), right.query()) && w.nearTry(failed, right) {
			return otherInput
		}
		return noFix
	case webTools[wrong.Tool] && webTools[right.Tool] && w.nearTry(failed, right):
		return otherTool
	case f.class == usage && isShell(right.Tool) && w.nearTry(failed, right):
		return otherTool
	}
	return noFix
}

// nearTries is how many calls later another way may be tried where nothing but
// the order ties it to the failure.
const nearTries = 3

// nearTry says whether a call is among the next ones after a failure.
func (w *Window) nearTry(failed, right *Step) bool {
	n := 0
	for s := range w.between(failed, right) {
		if s.Kind == transcript.ToolCall {
			n++
		}
	}
	return n < nearTries
}

// planned says whether a call repeats one that was made before the failure was
// seen: it was meant all along, as the cancelled siblings of a failed call are.
func (w *Window) planned(wrong, failed, right *Step) bool {
	n := 0
	for s := range w.before(right, right.Agent) {
		if s == wrong || s.Kind != transcript.ToolCall {
			continue
		}
		if n++; n > lookFar {
			return false
		}
		blind := s.seq > wrong.seq && s.seq < failed.seq || unanswered(s)
		if blind && s.Tool == right.Tool && sameAsk(s, right) && !sameAsk(s, wrong) {
			return true
		}
	}
	return false
}

// unanswered says whether a call was cancelled or never came back.
func unanswered(call *Step) bool {
	return call.end == nil || call.end.Outcome == transcript.Cancelled
}

// sameAsk says whether two calls of one tool ask for the same.
func sameAsk(a, b *Step) bool {
	return a.Command == b.Command && a.Path == b.Path && bytes.Equal(a.query(), b.query()) && a.change() == b.change()
}

// mendsFile says how a call mends a failed call of a file tool.
func (w *Window) mendsFile(wrong, failed *Step, f *fault, right *Step) fixKind {
	near := w.nearTry(failed, right)
	switch {
	case isEdit(wrong.Tool) && isEdit(right.Tool), wrong.Tool == right.Tool:
		if wrong.Path == right.Path && (near || isEdit(wrong.Tool) || wrong.Tool == "Read") {
			return sameFile
		}
		if right.Path != "" && right.Path != wrong.Path && f.class != editState && alike(wrong.Path, right.Path) {
			return otherFile
		}
	case isEdit(wrong.Tool):
		if isShell(right.Tool) && changesFile(right.line(), path.Base(wrong.Path)) {
			return otherTool
		}
	case near && f.class != missingPath && (right.Path == wrong.Path || isShell(right.Tool) && len(path.Base(wrong.Path)) > 2 && strings.Contains(right.Command, path.Base(wrong.Path))):
		return otherTool
	}
	if f.class == usage && isShell(right.Tool) && near {
		return otherTool
	}
	return noFix
}

// rewriters are programs that change the files that they are given.
var rewriters = map[string]bool{"sed": true, "perl": true, "python": true, "python3": true, "awk": true, "node": true, "ruby": true, "patch": true, "tee": true, "cat": true, "ed": true, "cp": true, "mv": true, "printf": true, "echo": true}

// changesFile says whether a line runs a program that rewrites a file and names
// it.
func changesFile(script *shell.Line, base string) bool {
	if len(base) < 2 {
		return false
	}
	return slices.ContainsFunc(script.Commands, func(c *shell.Command) bool {
		return rewriters[c.Program] && strings.Contains(c.Source, base) &&
			(c.Program != "sed" && c.Program != "perl" || slices.ContainsFunc(c.FlagNames(), func(f string) bool { return strings.Contains(f, "i") }))
	})
}

// readsInstead says whether a file tool found what a command could not.
func (w *Window) readsInstead(wrong *Step, f *fault, failed, right *Step) fixKind {
	switch f.class {
	case shellSyntax:
		if finders[right.Tool] && w.nearTry(failed, right) {
			return otherTool
		}
	case missingPath:
		if right.Path != "" && slices.ContainsFunc(f.named, func(p string) bool { return alike(p, right.Path) }) {
			return otherTool
		}
		for _, c := range wrong.line().Commands {
			if right.Path != "" && slices.ContainsFunc(operandsOf(c), func(p string) bool {
				return strings.ContainsAny(p, "./") && (path.Base(p) == path.Base(right.Path) || alike(p, right.Path))
			}) {
				return otherTool
			}
		}
	}
	return noFix
}

// finders are tools that find or show files, as many commands do.
var finders = map[string]bool{"Read": true, "Glob": true, "Grep": true, "LS": true}

// mendsLine says how one command line mends another.
func (w *Window) mendsLine(wrong *Step, f *fault, right *Step) fixKind {
	if f.class == shellSyntax {
		if wrong.Command != right.Command && (w.nextRun(wrong, f, right) && sharesWord(wrong, right) || sharesProgram(wrong, right)) {
			return changedLine
		}
		return noFix
	}
	bad := faulty(wrong.line(), f)
	if bad == nil || f.class == timedOut && plumbing[bad.Program] {
		return noFix
	}
	edited := w.editHelps(wrong, right, bad, f)
	good := counterpart(bad, right.line())
	if good == nil {
		return w.mendsOtherwise(wrong, bad, f, right, edited)
	}
	if onlyShows(good) && !onlyShows(bad) && (f.class != usage || len(bad.Operands) == 0 || !shareOperand(bad, right.line())) {
		return noFix // a look around
	}
	if !slices.Equal(task(bad), task(good)) && f.class != usage && f.class != missingPath {
		// Another sub-command is another task, unless the first was no command, or
		// the error named the other one.
		switch {
		case edited && samePurpose(bad, right.line()):
			return afterEdit
		case !edited && hintsAt(f, good):
			return changedArgs
		case len(bad.Sub) == 1 || f.class == inProgress || len(less(bad.Operands, good.Operands)) > 0:
			return noFix
		}
		return neighbour
	}
	r := compare(bad, good)
	anew := w.preparedAnew(wrong, right, bad, r)
	switch {
	case runsScript(bad) && givesCode(good):
		return noFix // what the script needs, or another task
	case edited && !(f.class == usage && namesOne(f, r)):
		return afterEdit
	case f.class == usage && (!related(bad, good) || otherSubject(bad, good)) && !hintsAt(f, good) && !hasAny(f.salient, leadingWords(bad)):
		return noFix
	case f.class != usage && anew != nil:
		return afterPreparation(anew)
	case len(r.removed)+len(r.added) == 0 && !r.program:
		prepared := w.preparation(wrong, right, good)
		switch {
		case prepared != nil && settings[prepared[0].Program]:
			return otherSetting
		case f.class == usage && !sameSource(bad, good) && slices.ContainsFunc(wordsOf(bad), func(t string) bool { return slices.Contains(f.named, t) }):
			return changedArgs // what it does not know stands elsewhere now
		case prepared != nil:
			return afterRun
		}
		if f.class != inProgress && !sameSource(bad, good) {
			return changedLine
		}
		return noFix // the same again is no fix
	case r.onlySets(bad):
		return otherSetting
	case r.edits() <= maxEdits || namesOne(f, r):
		return changedArgs
	}
	return noFix
}

// mendsOtherwise says how a line that runs other programs mends a command.
func (w *Window) mendsOtherwise(wrong *Step, bad *shell.Command, f *fault, right *Step, edited bool) fixKind {
	script := right.line()
	next := w.nextRun(wrong, f, right)
	switch {
	case edited:
		if f.class != editState && samePurpose(bad, script) {
			return afterEdit
		}
		return noFix
	case next && slices.ContainsFunc(script.Commands, func(c *shell.Command) bool {
		return hintsAt(f, c) && !toRun(f, c) || spelling(bad) == spelling(c) || misspelt(bad, c)
	}):
		return changedLine
	case onlyLooks(script) && !onlyLooks(wrong.line()) && (f.class != usage || onlyPlumbing(script)):
		return noFix // a look around
	case onlyTidies(script):
		return noFix
	}
	switch f.class {
	case notRunnable, usage, missingDep, environment:
		// These are failures of the way and not of the work: another program may
		// do what the first could not.
		if shareOperand(bad, script) || next && f.class != usage && sameKind(bad, script) {
			return changedLine
		}
	case otherFault, inProgress:
		if next && (sharePath(bad, script) && f.class == otherFault || shareOperand(bad, script) && samePurpose(bad, script)) {
			return changedLine
		}
	}
	return noFix
}

// nextRun says whether a command line is the next one after another that does more than look.
// What tests and checks find is looked at in many ways: there it is the very next.
func (w *Window) nextRun(wrong *Step, f *fault, right *Step) bool {
	for s := range w.between(wrong, right) {
		if runs(s) && (f.class == inProgress || !onlyLooks(s.line())) {
			return false
		}
	}
	return true
}

var wordMarks = strings.NewReplacer("-", "", "_", "", ".", "")

// alike says whether two paths may be a wrong and a right guess at one file: the
// same name elsewhere, a name that contains the other, or two sources of one
// kind in one folder. Notes and settings of one folder have nothing in common.
func alike(a, b string) bool {
	baseA, baseB := path.Base(a), path.Base(b)
	if baseA == baseB {
		return true
	}
	stem := func(base string) string {
		s := strings.ToLower(strings.TrimLeft(strings.TrimSuffix(base, path.Ext(base)), "._"))
		return wordMarks.Replace(s)
	}
	sa, sb := stem(baseA), stem(baseB)
	if len(sa) > 2 && len(sb) > 2 && (strings.Contains(sa, sb) || strings.Contains(sb, sa)) {
		return true
	}
	return path.Dir(a) == path.Dir(b) && path.Ext(a) == path.Ext(b) && !loose[path.Ext(a)]
}

// loose are endings of files that stand for themselves: a guess at one is not
// answered by another.
var loose = map[string]bool{"": true, ".md": true, ".txt": true, ".rst": true, ".json": true, ".toml": true, ".yml": true, ".yaml": true, ".ini": true, ".cfg": true, ".env": true, ".lock": true, ".xml": true, ".log": true, ".csv": true}
