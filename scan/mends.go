package scan

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/shellwords"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// fixKind says in what way a success mends a failure.
type fixKind int

const (
	noFix       fixKind = iota
	changedArgs         // the same program with other words
	changedLine         // another command line for the same purpose
	neighbour           // a near sub-command, for what may be the same purpose
	afterRun            // the same command, after something else made it possible
	afterEdit           // a command for the same purpose, after files were changed
	otherFile           // the same file tool on another file
	sameFile            // a tool on the same file, in another way
	otherInput          // the same tool, asked for something else
	otherTool           // another tool for the same purpose
)

// mends says in what way the call of a later success mends a failure. A call
// that was made before the failure was seen mends nothing, nor does one that
// repeats a call from before it.
func (w *Window) mends(failed *Step, f *fault, good *Step) fixKind {
	wrong, right := w.Call(failed), w.Call(good)
	if wrong == nil || right == nil || right.seq < failed.seq || w.planned(wrong, failed, right) {
		return noFix
	}
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
		return w.mendsFile(wrong, f, right)
	case wrong.Tool == right.Tool:
		if wrong.Query != right.Query && w.nearTry(failed, right) {
			return otherInput
		}
		return noFix
	case webTools[wrong.Tool] && webTools[right.Tool] && w.nearTry(failed, right):
		return otherTool
	case f.class == usage && isShell(right.Tool):
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
	for s := range w.before(right, right.Agent) {
		if s.seq <= failed.seq {
			return true
		}
		if s.Kind == transcript.ToolCall {
			if n++; n >= nearTries {
				return false
			}
		}
	}
	return false
}

// planned says whether a call repeats one that was made before the failure was
// seen: it was meant all along, as the cancelled siblings of a failed call are.
func (w *Window) planned(wrong, failed, right *Step) bool {
	n := 0
	for s := range w.before(right, right.Agent) {
		if s.Kind != transcript.ToolCall || s == wrong {
			continue
		}
		if n++; n > lookFar {
			return false
		}
		if s.Tool != right.Tool || !sameAsk(s, right) || sameAsk(s, wrong) {
			continue
		}
		if s.seq > wrong.seq && s.seq < failed.seq || unanswered(s) {
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
	return a.Command == b.Command && a.Path == b.Path && a.Query == b.Query && a.Old == b.Old && a.New == b.New
}

// mendsFile says how a call mends a failed call of a file tool.
func (w *Window) mendsFile(wrong *Step, f *fault, right *Step) fixKind {
	switch {
	case isEdit(wrong.Tool) && isEdit(right.Tool), wrong.Tool == right.Tool:
		if wrong.Path == right.Path {
			return sameFile
		}
		if right.Path != "" && f.class != editState && alike(wrong.Path, right.Path) {
			return otherFile
		}
	case isShell(right.Tool) && isEdit(wrong.Tool):
		if changesFile(right.script(), path.Base(wrong.Path)) {
			return otherTool
		}
	case f.class == usage && isShell(right.Tool):
		return otherTool
	}
	return noFix
}

// rewriters are programs that change the files that they are given.
var rewriters = map[string]bool{"sed": true, "perl": true, "python": true, "python3": true, "awk": true, "node": true, "ruby": true, "patch": true, "tee": true, "cat": true, "ed": true, "cp": true, "mv": true, "printf": true, "echo": true}

// changesFile says whether a line runs a program that rewrites a file and names
// it.
func changesFile(script *shellScript, base string) bool {
	if script == nil || len(base) < 2 {
		return false
	}
	return slices.ContainsFunc(script.commands, func(c *shellCommand) bool {
		return rewriters[c.program] && strings.Contains(c.source, base) &&
			(c.program != "sed" && c.program != "perl" || slices.ContainsFunc(c.flags, func(f string) bool { return strings.Contains(f, "i") }))
	})
}

// readsInstead says whether a file tool found what a command could not.
func (w *Window) readsInstead(wrong *Step, f *fault, failed, right *Step) fixKind {
	switch f.class {
	case shellSyntax:
		if w.nearTry(failed, right) {
			return otherTool
		}
	case missingPath:
		if right.Path != "" && slices.ContainsFunc(f.named, func(p string) bool { return alike(p, right.Path) }) {
			return otherTool
		}
		for _, c := range scriptCommands(wrong.script()) {
			if right.Path != "" && slices.ContainsFunc(c.operands, func(p string) bool {
				return strings.ContainsAny(p, "./") && (path.Base(p) == path.Base(right.Path) || alike(p, right.Path))
			}) {
				return otherTool
			}
		}
	}
	return noFix
}

func scriptCommands(s *shellScript) []*shellCommand {
	if s == nil {
		return nil
	}
	return s.commands
}

// mendsLine says how one command line mends another.
func (w *Window) mendsLine(wrong *Step, f *fault, right *Step) fixKind {
	if f.class == shellSyntax {
		if wrong.Command != right.Command && (w.nextRun(wrong, right) || sharesProgram(wrong, right)) {
			return changedLine
		}
		return noFix
	}
	bad := faulty(wrong.script(), f)
	if bad == nil {
		return noFix
	}
	edited := w.editBetween(wrong, right)
	good := counterpart(bad, right.script())
	if good == nil {
		switch {
		case edited && f.class != editState && samePurpose(bad, right.script()):
			return afterEdit
		case edited, !otherWay(f):
			return noFix
		case shareOperand(bad, right.script()), w.nextRun(wrong, right) && worksOn(wrong, f) && worksOn(right, &fault{}):
			return changedLine
		}
		return noFix
	}
	r := compare(bad, good)
	if !slices.Equal(bad.sub, good.sub) && f.class != usage && f.class != missingPath {
		// Another sub-command is another task, unless the first was no command.
		switch {
		case edited && samePurpose(bad, right.script()):
			return afterEdit
		case len(bad.sub) == 1 || f.class == inProgress || len(less(bad.operands, good.operands)) > 0:
			return noFix
		}
		return neighbour
	}
	switch {
	case edited:
		return afterEdit
	case len(r.removed)+len(r.added) == 0 && !r.program:
		if w.runBetween(wrong, right) != nil {
			return afterRun
		}
		if stepsDiffer(wrong, right, bad) {
			return changedLine
		}
		return noFix // the same again is no fix
	case r.edits() <= maxEdits || namesOne(f, r):
		return changedArgs
	}
	return noFix
}

// otherWay says whether a failure is one of the way and not of the work: then
// another program may do what the first could not.
func otherWay(f *fault) bool {
	switch f.class {
	case notRunnable, usage, missingDep, environment:
		return true
	}
	return false
}

// stepsDiffer says whether two lines run the same command beside other ones: a
// different folder, another file sourced before it.
func stepsDiffer(wrong, right *Step, bad *shellCommand) bool {
	words := func(s *Step) []string {
		var all []string
		for _, c := range scriptCommands(s.script()) {
			if c.program != bad.program && prepares[c.program] {
				all = append(all, c.source)
			}
		}
		return all
	}
	return !slices.Equal(words(wrong), words(right))
}

// prepares are programs that set the scene for the command behind them.
var prepares = map[string]bool{"cd": true, "pushd": true, "source": true, ".": true, "export": true, "set": true, "unset": true, "ulimit": true, "nvm": true, "conda": true, "eval": true, "pyenv": true, "mise": true, "asdf": true, "sdk": true, "rbenv": true}

// namesOne says whether the error speaks of a token that the fix took out.
func namesOne(f *fault, r repair) bool {
	return slices.ContainsFunc(r.removed, func(t string) bool { return slices.Contains(f.named, t) })
}

// sharesProgram says whether two lines have a program in common that does more
// than trim.
func sharesProgram(a, b *Step) bool {
	for _, c := range scriptCommands(a.script()) {
		if c.program != "cd" && c.program != "echo" && slices.ContainsFunc(scriptCommands(b.script()), func(d *shellCommand) bool { return sameProgram(c, d) }) {
			return true
		}
	}
	return false
}

// nextRun says whether a command line is the next one after another.
func (w *Window) nextRun(wrong, right *Step) bool {
	for s := range w.before(right, right.Agent) {
		if s.seq <= wrong.seq {
			return true
		}
		if s.Kind == transcript.ToolCall && isShell(s.Tool) {
			return false
		}
	}
	return false
}

// shareOperand says whether a line works on what the failed command worked on.
func shareOperand(c *shellCommand, script *shellScript) bool {
	for _, g := range scriptCommands(script) {
		for _, o := range append(slices.Clone(c.operands), c.sub...) {
			if len(o) > 2 && (slices.Contains(g.operands, o) || slices.Contains(g.sub, o) || g.program == o) {
				return true
			}
		}
	}
	return false
}

// purpose is what a command of the daily work is run for.
type purpose int

const (
	noPurpose purpose = iota
	builds
	tests
	lints
	commits
)

var purposeWords = sync.OnceValue(func() []*pattern {
	c := newPattern
	return []*pattern{
		lints:  c(`(?i)(?:^|[^a-z])(?:lint|linter|eslint|biome|golangci-lint|staticcheck|ruff|flake8|pylint|clippy|rubocop|credo|checkstyle|spotless\w*|ktlint|detekt|prettier|fmt|format|gofmt|gofumpt|vet|shellcheck|stylelint|hadolint|tflint|black|isort|phpcs|phpstan|swiftlint|dialyzer)(?:[^a-z]|$)`),
		tests:  c(`(?i)(?:^|[^a-z])(?:tests?|jest|vitest|mocha|pytest|tox|nox|unittest|rspec|phpunit|minitest|spec|specs|ctest|e2e|cypress|playwright|nextest|check|verify|ci|karma|ava|bats)(?:[^a-z]|$)`),
		builds: c(`(?i)(?:^|[^a-z])(?:build|compile|compileJava|compileKotlin|tsc|typecheck|type-check|types|mypy|pyright|assemble|bundle|package|javac|gcc|g\+\+|clang|cc|rustc|run|webpack|vite|esbuild|rollup|next|generate|validate|plan|install)(?:[^a-z]|$)`),
	}
})

// purposeOf returns what a command is run for. A check may be of any kind.
func purposeOf(c *shellCommand) purpose {
	if c.program == "git" {
		if len(c.sub) > 0 && (c.sub[0] == "commit" || c.sub[0] == "push") {
			return commits
		}
		return noPurpose
	}
	words := c.name()
	if shellwords.HasSubcommands(c.program) || launcherOf(c) != "" {
		words += " " + strings.Join(c.operands, " ")
	}
	for _, p := range []purpose{lints, tests, builds} {
		if purposeWords()[p].MatchString(words) {
			return p
		}
	}
	if c.program == "make" || c.program == "just" || c.program == "ninja" || c.program == "cmake" {
		return builds
	}
	return noPurpose
}

// samePurpose says whether a line proves what a failed command should have
// proved: tests prove that something builds, and nothing proves a lint but a
// lint.
func samePurpose(bad *shellCommand, script *shellScript) bool {
	want := purposeOf(bad)
	return want != noPurpose && slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool {
		got := purposeOf(c)
		return got == want || want == builds && got == tests
	})
}

// worksOn says whether the command that failed tests, checks or builds.
func worksOn(call *Step, f *fault) bool {
	c := faulty(call.script(), f)
	if c == nil {
		return len(call.Command) < 4<<10 && (purposeWords()[tests].MatchString(call.Command) || purposeWords()[lints].MatchString(call.Command))
	}
	return c.program != "git" && purposeOf(c) != noPurpose
}

// editBetween says whether the agent changed a file between two calls.
func (w *Window) editBetween(from, to *Step) bool {
	for s := range w.before(to, to.Agent) {
		if s.seq <= from.seq {
			return false
		}
		if s.Kind == transcript.ToolCall && changesFiles(s) {
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
		return isEdit(call.Tool) || isShell(call.Tool) && editsInPlace(call)
	}
	return false
}

// editsInPlace says whether a command line changes source files as an edit
// does.
func editsInPlace(call *Step) bool {
	if !strings.Contains(call.Command, "-i") && !strings.Contains(call.Command, "patch") && !strings.Contains(call.Command, "cat >") {
		return false
	}
	return slices.ContainsFunc(scriptCommands(call.script()), func(c *shellCommand) bool {
		switch c.program {
		case "sed", "perl":
			return slices.ContainsFunc(c.flags, func(f string) bool { return strings.HasPrefix(f, "-i") || strings.HasSuffix(f, "i") })
		case "patch", "apply_patch":
			return true
		case "git":
			return len(c.sub) > 0 && c.sub[0] == "apply"
		case "cat":
			return strings.Contains(call.Command, "cat >")
		}
		return false
	})
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
		if c := s.script().main(); c != nil && !plumbing[c.program] && !showsText(c) {
			return s
		}
	}
	return nil
}

// advisable says whether a command may be named as what to run first. Some do
// it for once and away, and none that throws away should be advised.
func advisable(c *shellCommand) bool {
	return c != nil && !clearsAway[c.program]
}

// clearsAway are programs that no one should be told to run first.
var clearsAway = map[string]bool{"rm": true, "rmdir": true, "kill": true, "pkill": true, "killall": true, "mv": true, "git": true, "chmod": true, "chown": true}

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
		return strings.NewReplacer("-", "", "_", "", ".", "").Replace(s)
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
