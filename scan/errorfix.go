package scan

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// errorFixes finds a tool call that failed and the changed call that worked. The newest success is the fix of the nearest failure
// that nothing has mended since.
type errorFixes struct{}

func (errorFixes) Detect(w *Window) []finding {
	now := w.Last()
	var found []finding
	var last *Step // the failure that was found mended before
	for _, m := range slices.Backward(w.fixes) {
		if last != nil && !w.triedAgain(m.failed, m.fault, last) || !w.tells(m, now) {
			continue
		}
		found, last = append(found, w.errorFixes(m.failed, m.fault, now, m.how)...), m.failed
	}
	return found
}

// triedAgain says whether a call that failed was another try at an older failure, and
// failed of something else. What mends it then mends both.
func (w *Window) triedAgain(older *Step, f *fault, newer *Step) bool {
	return f.class == usage && w.judge(newer).salient != f.salient && w.mends(older, f, newer) == changedArgs
}

// further says whether a command that failed in its turn came further than one
// before: tests that run at last and do not pass, or the next module that is
// missing.
func (w *Window) further(f *fault, later *Step) bool {
	got := stageOf(w, later)
	if stage(f) == 0 || got == 0 {
		return false
	}
	g := w.judge(later)
	return got > stage(f) || f.class == missingDep && g != nil && g.class == missingDep && g.salient != f.salient
}

// stageOf is the stage of a result that failed, wanted or not.
func stageOf(w *Window, result *Step) int {
	v := w.verdict(result)
	if v.excused {
		return 3
	}
	return stage(v.fault)
}

// stage says how far a command came before it failed, 0 when that is not known.
func stage(f *fault) int {
	if f == nil {
		return 0
	}
	switch f.class {
	case shellSyntax, usage, notRunnable, missingPath:
		return 1
	case missingDep, environment:
		return 2
	case inProgress:
		return 3
	}
	return 0
}

// sameAgain says whether a success is so plainly the failed command in another
// form that it mends it whatever was said in between: nothing but flags,
// variables or the program changed.
func (w *Window) sameAgain(failed, good *Step, how fixKind) bool {
	if how != changedArgs {
		return false
	}
	wrong, right := w.Call(failed), w.Call(good)
	bad := faulty(wrong.line(), w.judge(failed))
	match := counterpart(bad, right.line())
	return match != nil && slices.Equal(bad.Sub, match.Sub) && slices.Equal(bad.Operands, match.Operands)
}

// errorFixes describes a pair, and once more for each further rule that was broken.
func (w *Window) errorFixes(failed *Step, f *fault, good *Step, how fixKind) []finding {
	first := w.errorFix(failed, f, good, how)
	found := []finding{first}
	if first.rule == "" {
		return found
	}
	for _, rule := range slices.Sorted(maps.Keys(f.rules)) {
		if rule != f.rule {
			other := first
			other.mend = new(*first.mend)
			w.describeRule(&other, rule, f, w.Call(failed), w.Call(good))
			found = append(found, other)
		}
	}
	return found
}

// errorFix describes a pair. Only a change of command may be fit to be written
// down: edits in the course of work and slips of protocol are evidence alone.
func (w *Window) errorFix(failed *Step, f *fault, good *Step, how fixKind) finding {
	wrong, right := w.Call(failed), w.Call(good)
	out := finding{
		kind: ErrorFix, typ: knowledge.Pitfall, origin: observe.OriginErrorFix,
		line: good.Line, errorLine: failed.Line, at: good.Time, tool: wrong.Tool,
		marks:   []observe.Mark{observe.MarkErrorFix, observe.MarkFixConfirmed},
		failure: failureOf(wrong, f), unfit: ownWork, mend: &mend{call: calls.IDOf(wrong.ToolUse, wrong.Line), how: how.kind()},
	}
	if f.class == timedOut {
		out.marks = append(out.marks, observe.MarkHang)
	}
	if w.causeNamed(failed, good) {
		out.marks = append(out.marks, observe.MarkCausal)
	}
	if w.triedBefore(failed, f) {
		out.marks = append(out.marks, observe.MarkRetryLoop)
	}
	if !isShell(wrong.Tool) {
		w.describeTool(&out, wrong, f, right)
		return out
	}
	w.describeLines(&out, wrong, f, right, how)
	if how == afterRun {
		w.describePrecondition(&out, wrong, f, right)
	}
	if how == changedArgs || how == changedLine || how == otherSetting {
		w.teach(&out, failed, f, right, how)
	}
	return out // without a title where the failure says it all
}

// triedBefore says whether the same thing had failed before this failure, with
// nothing but tries between.
func (w *Window) triedBefore(failed *Step, f *fault) bool {
	about := w.subject(failed, f)
	if about == (subject{}) {
		return false
	}
	results, turn := w.attempts(failed)
	for _, s := range results[:min(turn, lookCalls)] {
		if g := w.judge(s); w.isAbout(s, g, about) {
			return g != nil
		}
	}
	return false
}

// describeTool fills in what a pair of other tools' calls teaches.
func (w *Window) describeTool(out *finding, wrong *Step, f *fault, right *Step) {
	about := cmp.Or(wrong.Path, asked(wrong))
	out.mistake = wrong.Tool
	if about != "" {
		out.mistake += " of " + about
	}
	out.mistake += " failed: " + f.salient
	out.area = wrong.Path
	if wrong.Path != "" {
		out.title = fileTitle(wrong.Tool, wrong.Path, f.salient)
	}
	switch {
	case isShell(right.Tool):
		out.fix = "Use `" + oneCommand(right.Command) + "`"
	case right.Tool != wrong.Tool:
		out.fix = "Use " + right.Tool + " with " + cmp.Or(right.Path, asked(right), "other arguments")
	case right.Path == wrong.Path && wrong.Path != "":
		out.fix = "The same file in another way, after it was looked at again"
		if f.class != editState {
			out.fix = right.Tool + " of " + right.Path + " with other arguments"
		}
	case right.Path != "":
		out.fix = right.Tool + " of " + right.Path
	default:
		out.fix = cmp.Or(renamedField(wrong, right), "Use "+right.Tool+" with "+cmp.Or(asked(right), "other arguments"))
	}
}

// asked is what a tool was asked for, in few words: the field that says it best.
func asked(call *Step) string {
	var in map[string]any
	if json.Unmarshal(call.query(), &in) != nil {
		return ""
	}
	for _, key := range []string{"url", "query", "pattern", "skill", "name", "file", "uri", "id", "subagent_type", "description", "prompt"} {
		if v, ok := in[key].(string); ok && v != "" {
			if len(v) > 120 {
				v = headline(v)
			}
			return "`" + v + "`"
		}
	}
	return ""
}

// renamedField says which field of its input the second of two calls of a tool has in
// place of one of the first, if that is all that differs in their fields.
func renamedField(wrong, right *Step) string {
	var before, after map[string]any
	if json.Unmarshal(wrong.query(), &before) != nil || json.Unmarshal(right.query(), &after) != nil {
		return ""
	}
	gone, fresh := fieldsBeside(before, after), fieldsBeside(after, before)
	if len(gone) != 1 || len(fresh) != 1 {
		return ""
	}
	return "Use `" + fresh[0] + "` instead of `" + gone[0] + "`"
}

// fieldsBeside are the fields of an object that another one does not have.
func fieldsBeside(object, other map[string]any) []string {
	var names []string
	for name := range object {
		if _, both := other[name]; !both {
			names = append(names, name)
		}
	}
	return names
}

// describeLines fills in what a pair of command lines teaches.
func (w *Window) describeLines(out *finding, wrong *Step, f *fault, right *Step, how fixKind) {
	bad := faulty(wrong.line(), f)
	shown := wrong.Command
	if bad != nil && f.class != shellSyntax {
		shown = bad.Source
	}
	out.mistake = "`" + oneCommand(shown) + "` failed: " + f.salient
	out.fix = "`" + oneCommand(right.Command) + "`"
	out.quotes = []string{f.salient}
	out.tags = toolTags(bad)
	switch how {
	case changedArgs:
		if good := counterpart(bad, right.line()); good != nil && runBy(good) {
			out.fix = "Use `" + oneCommand(good.Source) + "`"
		} else if good != nil {
			out.fix = "Use `" + oneCommand(right.Command) + "`"
		}
	case otherSetting:
		if prepared := w.preparation(wrong, right, counterpart(bad, right.line())); prepared != nil {
			out.fix = runFirst(prepared)
		} else if good := counterpart(bad, right.line()); good != nil {
			out.fix = "Use `" + oneCommand(good.Source) + "`"
		}
	case afterRun: // the same command fails and succeeds
		out.fix = runFirst(w.preparation(wrong, right, counterpart(bad, right.line())))
	case afterEdit:
		w.describeEdit(out, bad, f, wrong, right)
	case otherTool:
		out.fix = right.Tool + " of " + cmp.Or(right.Path, asked(right), "the file")
	}
}

// runBy says whether a command's source has all that runs it. One in a text for a shell has not.
func runBy(c *shell.Command) bool {
	return !slices.ContainsFunc(runners(c), func(w string) bool { return !strings.Contains(c.Source, w) })
}

// describeEdit tells of a failure that edits mended: the normal loop of work,
// unless a rule has a name, which other sessions can break too.
func (w *Window) describeEdit(out *finding, bad *shell.Command, f *fault, wrong, right *Step) {
	file, change := w.edits(wrong, right)
	passed := "then `" + oneCommand(right.Command) + "` passed"
	switch {
	case file == "":
		out.fix = "An edit of the sources, " + passed
	case change == lineChange{}:
		out.fix, out.area = "An edit of "+file+", "+passed, file
	default:
		out.fix, out.area = "In "+file+" "+change.String()+", "+passed, file
	}
	if bad != nil && f.rule != "" {
		w.describeRule(out, f.rule, f, wrong, right)
	}
}

// edits returns the file that was changed between two calls, "" when none or
// several were, and the change, where it was a single one of a few words.
func (w *Window) edits(from, to *Step) (file string, change lineChange) {
	n := 0
	var last *Step
	for s := range w.between(from, to) {
		if !isEdit(s.Tool) || !changesFiles(s) {
			continue
		}
		if n++; last != nil && s.Path != last.Path && last.Path != "" {
			return "", lineChange{}
		}
		last = s
	}
	switch {
	case n == 1:
		return last.Path, oneChange(last.change())
	case n > 1:
		return last.Path, lineChange{}
	}
	return "", lineChange{}
}

// switchesOff says whether a fix turned a check off. That is a person's to
// allow, and nothing to repeat.
func switchesOff(added []string) bool {
	return slices.ContainsFunc(added, func(t string) bool {
		switch t {
		case "--no-verify", "--force", "-f", "--force-with-lease", "--no-gpg-sign", "-k", "--insecure", "--no-check", "--legacy-peer-deps", "--break-system-packages", "--no-strict":
			return true
		}
		return strings.HasPrefix(t, "--skip") || strings.HasPrefix(t, "--ignore") || strings.HasPrefix(t, "-DskipTests") || strings.HasPrefix(t, "HUSKY=") || strings.HasPrefix(t, "SKIP=")
	})
}

// causeNamed says whether the agent named a cause between failure and fix.
func (w *Window) causeNamed(failed, good *Step) bool {
	for s := range w.between(failed, good) {
		if s.Kind == transcript.Assistant && causal.MatchString(s.Text) {
			return true
		}
	}
	return false
}

var causal = automata.New(`(?i)\b(?:because|root cause|the (?:issue|problem|cause) (?:is|was)|due to|caused by)\b`)

// oneCommand is a command line fit for a sentence: one line without a document
// that it carries along, and not too long.
func oneCommand(line string) string {
	line = strings.TrimSpace(line)
	if i := strings.Index(line, "<<"); i > 0 && strings.IndexByte(line[i:], '\n') > 0 {
		before := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(line[:i], " "), "$(cat"), " \"'")
		line = before + " …"
	}
	line = strings.TrimSuffix(onOneLine(line), " 2>&1")
	if len(line) > maxCommand {
		// Whole words only: half a key has no shape by which redaction could know it.
		line = line[:max(0, strings.LastIndexByte(line[:maxCommand], ' '))] + " …"
	}
	return line
}

// maxCommand is how many bytes of a command are shown.
const maxCommand = 200

func toolTags(c *shell.Command) []string {
	if c == nil || plumbing[c.Program] || !programName.MatchString(c.Program) {
		return nil
	}
	return []string{"tool:" + trimVersion(c.Program)}
}
