package scan

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// errorFixes finds a tool call that failed and the changed call that worked
// (algorithms section 5). The newest success is the fix of the nearest failure
// that nothing has mended since.
type errorFixes struct{}

func (errorFixes) Kind() Kind { return ErrorFix }

func (errorFixes) Detect(w *Window) []finding {
	now := w.Last()
	if !w.succeeded(now) {
		return nil
	}
	results := w.attempts(now) // between failure and now, newest first
	for i, failed := range results {
		f := w.judge(failed)
		if f == nil {
			continue
		}
		how := w.mends(failed, f, now)
		if how == noFix {
			continue
		}
		if slices.ContainsFunc(results[:i], func(s *Step) bool {
			return w.succeeded(s) && w.mends(failed, f, s) != noFix
		}) {
			continue
		}
		return []finding{w.errorFix(failed, f, now, how)}
	}
	return nil
}

// attempts returns the results of the thread before a result within reach of a
// fix, newest first. A person's message, an interruption and a compaction end
// the reach.
func (w *Window) attempts(now *Step) []*Step {
	var results []*Step
	for s := range w.before(now, now.Agent) {
		switch s.Kind {
		case transcript.User, transcript.Interrupt, transcript.Compaction, transcript.Rejection:
			return results
		case transcript.ToolResult:
			results = append(results, s)
		}
		if len(results) == lookCalls {
			return results
		}
		if !s.Time.IsZero() && now.Time.Sub(s.Time) > lookTime {
			return results
		}
	}
	return results
}

// fixKind says in what way a success mends a failure.
type fixKind int

const (
	noFix       fixKind = iota
	changedArgs         // the same program with other words
	changedLine         // another command line for the same purpose
	neighbour           // a near sub-command, for what may be the same purpose
	afterRun            // the same command, after something else made it possible
	afterEdit           // the same command, after files were changed
	otherFile           // the same file tool on another file
	sameFile            // the same file tool on the same file, in another way
	otherTool           // another tool for the same purpose
)

// mends says in what way the call of a later success mends a failure.
func (w *Window) mends(failed *Step, f *fault, good *Step) fixKind {
	wrong, right := w.Call(failed), w.Call(good)
	if wrong == nil || right == nil {
		return noFix
	}
	switch {
	case isShell(wrong.Tool) && isShell(right.Tool):
		return w.mendsLine(wrong, f, right)
	case isShell(wrong.Tool):
		return noFix
	case wrong.Tool == right.Tool && wrong.Path != "":
		if wrong.Path == right.Path {
			return sameFile
		}
		if alike(wrong.Path, right.Path) {
			return otherFile
		}
		return noFix
	case f.class == usage && isShell(right.Tool):
		return otherTool
	}
	return noFix
}

func (w *Window) mendsLine(wrong *Step, f *fault, right *Step) fixKind {
	if f.class == shellSyntax {
		if wrong.Command != right.Command {
			return changedLine
		}
		return noFix
	}
	bad := faulty(wrong.script(), f)
	if bad == nil {
		return noFix
	}
	good := counterpart(bad, right.script())
	if good == nil {
		if f.class == notRunnable || f.class == usage && !w.editBetween(wrong, right) {
			if shareOperand(bad, right.script()) {
				return changedLine
			}
		}
		return noFix
	}
	r := compare(bad, good)
	if !slices.Equal(bad.sub, good.sub) && f.class != usage && f.class != missingPath {
		// Another sub-command is another task, unless the first was no command.
		if len(bad.sub) == 1 || f.class == inProgress || len(less(bad.operands, good.operands)) > 0 {
			return noFix
		}
		return neighbour
	}
	switch {
	case w.editBetween(wrong, right):
		return afterEdit
	case len(r.removed)+len(r.added) == 0 && !r.program:
		if w.runBetween(wrong, right) != nil {
			return afterRun
		}
		return noFix // the same again is no fix
	case r.edits() <= maxEdits || namesOne(f, r):
		return changedArgs
	}
	return noFix
}

// namesOne says whether the error speaks of a token that the fix took out.
func namesOne(f *fault, r repair) bool {
	return slices.ContainsFunc(r.removed, func(t string) bool { return slices.Contains(f.named, t) })
}

// shareOperand says whether a line works on what the failed command worked on.
func shareOperand(c *shellCommand, script *shellScript) bool {
	if script == nil {
		return false
	}
	for _, g := range script.commands {
		for _, o := range append(slices.Clone(c.operands), c.sub...) {
			if len(o) > 2 && (slices.Contains(g.operands, o) || slices.Contains(g.sub, o) || g.program == o) {
				return true
			}
		}
	}
	return false
}

// editBetween says whether the agent changed a file between two calls.
func (w *Window) editBetween(from, to *Step) bool {
	for s := range w.before(to, to.Agent) {
		if s.seq <= from.seq {
			return false
		}
		if s.Kind == transcript.ToolCall && isEdit(s.Tool) {
			return true
		}
	}
	return false
}

// runBetween returns the last command line between two calls that did more than
// look, nil when there is none.
func (w *Window) runBetween(from, to *Step) *Step {
	for s := range w.before(to, to.Agent) {
		if s.seq <= from.seq {
			return nil
		}
		if s.Kind != transcript.ToolCall || !isShell(s.Tool) {
			continue
		}
		if c := s.script().main(); c != nil && !plumbing[c.program] && !showsText(c) && !clearsAway[c.program] {
			return s
		}
	}
	return nil
}

// clearsAway are programs that no one should be told to run first.
var clearsAway = map[string]bool{"rm": true, "rmdir": true, "kill": true, "pkill": true, "killall": true, "mv": true, "git": true, "chmod": true, "chown": true}

// alike says whether two paths may be a wrong and a right guess at one file.
func alike(a, b string) bool {
	if path.Base(a) == path.Base(b) || path.Dir(a) == path.Dir(b) {
		return true
	}
	stem := func(p string) string { p = path.Base(p); return strings.TrimSuffix(p, path.Ext(p)) }
	return strings.Contains(stem(a), stem(b)) || strings.Contains(stem(b), stem(a))
}

// errorFix describes a pair. What is kept for the log is a change of command:
// edits in the course of work and slips of protocol are shown only.
func (w *Window) errorFix(failed *Step, f *fault, good *Step, how fixKind) finding {
	wrong, right := w.Call(failed), w.Call(good)
	out := finding{
		kind: ErrorFix, typ: knowledge.Pitfall, origin: knowledge.OriginErrorFix,
		line: good.Line, errorLine: failed.Line, at: good.Time, tool: wrong.Tool,
		marks:   []knowledge.Mark{knowledge.MarkErrorFix, knowledge.MarkFixConfirmed},
		failure: failureOf(wrong, f),
	}
	if f.class == timedOut {
		out.marks = append(out.marks, knowledge.MarkHang)
	}
	if w.causeNamed(failed, good) {
		out.marks = append(out.marks, knowledge.MarkCausal)
	}
	if !isShell(wrong.Tool) {
		out.mistake = firstOf(wrong.Path, wrong.Tool) + ": " + f.salient
		out.fix = firstOf(right.Path, oneCommand(right.Command), right.Tool)
		out.area = wrong.Path
		out.title = wrong.Tool + ": " + f.salient
		return out
	}
	w.describeLines(&out, wrong, f, right, how)
	return out
}

// describeLines fills in what a pair of command lines teaches.
func (w *Window) describeLines(out *finding, wrong *Step, f *fault, right *Step, how fixKind) {
	bad := faulty(wrong.script(), f)
	shown := wrong.Command
	if bad != nil && f.class != shellSyntax {
		shown = bad.source
	}
	out.mistake = "`" + oneCommand(shown) + "` failed: " + f.salient
	out.fix = "`" + oneCommand(right.Command) + "`"
	out.quotes = []string{f.salient}
	out.tags = toolTags(bad)
	switch how {
	case changedArgs:
		good := counterpart(bad, right.script())
		r := compare(bad, good)
		out.fix = "Use `" + oneCommand(good.source) + "`"
		out.trigger = synthesise(r, f)
		out.title = bad.name() + ": " + normalSalient(f.salient)
		out.keep = out.trigger != nil && f.class != inProgress
		out.qualityOK = out.keep
	case changedLine:
		out.title = normalSalient(f.salient)
		if bad != nil && f.class != shellSyntax {
			out.title = bad.program + ": " + out.title
			out.trigger = &knowledge.Trigger{Tools: []string{"Bash"}, Commands: []string{commandShape(bad, shapes(less(f.named, []string{bad.program})))}}
		}
		out.keep = true
		out.qualityOK = out.trigger != nil
	case afterRun:
		ran := w.runBetween(wrong, right)
		out.fix = "Run `" + oneCommand(ran.Command) + "` first"
		out.title = bad.name() + ": " + normalSalient(f.salient)
		out.keep = f.class == missingDep || f.class == missingPath || f.class == notRunnable
		out.trigger = &knowledge.Trigger{Tools: []string{"Bash"}, Commands: []string{bad.name()}}
	default:
		out.title = bad.name() + ": " + normalSalient(f.salient)
	}
}

// causeNamed says whether the agent named a cause between failure and fix.
func (w *Window) causeNamed(failed, good *Step) bool {
	for s := range w.before(good, good.Agent) {
		if s.seq <= failed.seq {
			return false
		}
		if s.Kind == transcript.Assistant && causal().MatchString(s.Text) {
			return true
		}
	}
	return false
}

var causal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:because|root cause|the (?:issue|problem|cause) (?:is|was)|due to|caused by)\b`)
})

// oneCommand is a command line fit for a sentence: its first lines, without a
// document that it carries along.
func oneCommand(line string) string {
	line = strings.TrimSpace(line)
	if i := strings.Index(line, "<<"); i > 0 {
		if j := strings.IndexByte(line[i:], '\n'); j > 0 {
			line = line[:i+j] + " …"
		}
	}
	return strings.Join(strings.Fields(line), " ")
}

func toolTags(c *shellCommand) []string {
	if c == nil || !programName().MatchString(c.program) {
		return nil
	}
	return []string{"tool:" + trimVersion(c.program)}
}

var particulars = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:~|\.{0,2}/|[A-Za-z]:\\)[^\s:'"` + "`" + `]*[/\\]|:\d+(?::\d+)?|\b[0-9a-f]{7,64}\b|\b\d+\b`)
})

// normalSalient takes from an error line what differs from session to session:
// folders, positions, hashes and numbers.
func normalSalient(line string) string {
	line = strings.Join(strings.Fields(particulars().ReplaceAllString(line, "")), " ")
	return strings.NewReplacer(` "" `, " ", ` '' `, " ", "``", "").Replace(line)
}
