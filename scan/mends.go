package scan

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

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
		return w.mendsFile(wrong, failed, f, right)
	case wrong.Tool == right.Tool:
		if wrong.Query != right.Query && w.nearTry(failed, right) {
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
		if isShell(right.Tool) && changesFile(right.script(), path.Base(wrong.Path)) {
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
		if finders[right.Tool] && w.nearTry(failed, right) {
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

// finders are tools that find or show files, as many commands do.
var finders = map[string]bool{"Read": true, "Glob": true, "Grep": true, "LS": true}

func scriptCommands(s *shellScript) []*shellCommand {
	if s == nil {
		return nil
	}
	return s.commands
}

// mendsLine says how one command line mends another.
func (w *Window) mendsLine(wrong *Step, f *fault, right *Step) fixKind {
	if f.class == shellSyntax {
		if wrong.Command != right.Command && (w.nextRun(wrong, right) && sharesWord(wrong, right) || sharesProgram(wrong, right)) {
			return changedLine
		}
		return noFix
	}
	bad := faulty(wrong.script(), f)
	if bad == nil || f.class == timedOut && plumbing[bad.program] {
		return noFix
	}
	edited := w.editBetween(wrong, right)
	good := counterpart(bad, right.script())
	if good == nil {
		return w.mendsOtherwise(wrong, bad, f, right, edited)
	}
	r := compare(bad, good)
	if onlyShows(good) && !onlyShows(bad) && (f.class != usage || len(bad.operands) == 0 || !shareOperand(bad, right.script())) {
		return noFix // a look around
	}
	if !slices.Equal(bad.sub, good.sub) && f.class != usage && f.class != missingPath {
		// Another sub-command is another task, unless the first was no command, or
		// the error named the other one.
		switch {
		case edited && samePurpose(bad, right.script()):
			return afterEdit
		case !edited && hintsAt(f, good):
			return changedArgs
		case len(bad.sub) == 1 || f.class == inProgress || len(less(bad.operands, good.operands)) > 0:
			return noFix
		}
		return neighbour
	}
	switch {
	case edited:
		return afterEdit
	case f.class == usage && !related(bad, good) && !hintsAt(f, good):
		return noFix
	case len(r.removed)+len(r.added) == 0 && !r.program:
		if w.runBetween(wrong, right) != nil {
			return afterRun
		}
		if stepsDiffer(wrong, right, bad) || f.class != inProgress && !sameSource(bad, good) {
			return changedLine
		}
		return noFix // the same again is no fix
	case r.edits() <= maxEdits || namesOne(f, r):
		return changedArgs
	}
	return noFix
}

// mendsOtherwise says how a line that runs other programs mends a command.
func (w *Window) mendsOtherwise(wrong *Step, bad *shellCommand, f *fault, right *Step, edited bool) fixKind {
	script := right.script()
	next := w.nextRun(wrong, right)
	switch {
	case edited:
		if f.class != editState && samePurpose(bad, script) {
			return afterEdit
		}
		return noFix
	case next && slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool { return hintsAt(f, c) || spelling(bad) == spelling(c) || misspelt(bad, c) }):
		return changedLine
	case onlyLooks(script) && !onlyLooks(wrong.script()) && (f.class != usage || onlyPlumbing(script)):
		return noFix // a look around
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

// related says whether two commands of one program can have one purpose: the
// same sub-command or one of nearly the same name, or something in common that
// they work on.
func related(a, b *shellCommand) bool {
	n := commonPrefix(a.sub, b.sub)
	if n == len(a.sub) || n == len(b.sub) {
		return true
	}
	if nearWords(a.sub[n], b.sub[n]) {
		return true
	}
	shared := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(t string) bool { return slices.Contains(y, t) })
	}
	return shared(a.flags, b.flags) || shared(a.operands, b.operands) || shared(a.sub[n:], b.operands) || shared(a.operands, b.sub[n:])
}

// nearWords says whether one word is the other with a few letters more or less
// at its end.
func nearWords(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n >= 3 && n >= len(a)-1 && len(b)-n <= 3
}

// sameKind says whether a line runs a tool of the same language for work of the
// same sort: the compiler itself where the script that calls it cannot start.
func sameKind(bad *shellCommand, script *shellScript) bool {
	kind := toolKinds[bad.program]
	work := func(c *shellCommand) bool { p := purposeOf(c); return p == builds || p == tests || p == lints }
	return kind != "" && work(bad) && slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool {
		return toolKinds[c.program] == kind && work(c)
	})
}

// toolKinds groups the tools of one language.
var toolKinds = kinds(map[string]string{
	"js":     "npm pnpm yarn bun npx bunx node deno tsc tsx ts-node jest vitest mocha ava karma cypress playwright eslint biome prettier vite webpack rollup esbuild next turbo nx",
	"python": "python python3 pip pip3 uv poetry pdm pipenv tox nox pytest mypy pyright ruff flake8 black pylint",
	"go":     "go golangci-lint gofmt gofumpt staticcheck gotestsum", "rust": "cargo rustc rustfmt", "jvm": "mvn mvnw gradle gradlew javac java kotlinc sbt",
	"ruby": "bundle rake rspec rails rubocop ruby", "elixir": "mix elixir", "dotnet": "dotnet msbuild", "php": "composer php phpunit pest phpstan",
	"c": "make gmake cmake ninja ctest gcc g++ clang clang++ bazel meson", "swift": "swift xcodebuild", "dart": "dart flutter",
})

func kinds(words map[string]string) map[string]string {
	kind := map[string]string{}
	for k, programs := range words {
		for _, p := range strings.Fields(programs) {
			kind[p] = k
		}
	}
	return kind
}

// hintsAt says whether the error names the command that was run instead.
func hintsAt(f *fault, c *shellCommand) bool {
	return len(c.sub) > 0 && strings.Contains(f.hint, c.name())
}

// spelling is a command's name without the difference between a program with a
// hyphen and one with a sub-command.
func spelling(c *shellCommand) string { return strings.ReplaceAll(c.name(), "-", " ") }

// misspelt says whether two commands differ in a letter or two of what they do.
func misspelt(a, b *shellCommand) bool {
	return sameProgram(a, b) && len(a.sub) > 0 && len(b.sub) > 0 && nearWords(a.sub[0], b.sub[0])
}

// sameSource says whether two commands are written alike, quotes included.
func sameSource(a, b *shellCommand) bool {
	return strings.Join(strings.Fields(a.source), " ") == strings.Join(strings.Fields(b.source), " ")
}

// sharePath says whether a line works on a file that the command worked on.
func sharePath(c *shellCommand, script *shellScript) bool {
	for _, g := range scriptCommands(script) {
		for _, o := range c.operands {
			if strings.ContainsAny(o, "./") && slices.Contains(g.operands, o) && !onlyShows(g) {
				return true
			}
		}
	}
	return false
}

// onlyShows says whether a command only shows what is there.
func onlyShows(c *shellCommand) bool {
	return c != nil && (plumbing[c.program] || showsText(c) || lists[c.name()])
}

// lists are more sub-commands that look.
var lists = map[string]bool{"git stash list": true, "git remote": true, "git worktree list": true, "npm ls": true, "npm list": true, "pip list": true, "pip show": true, "cargo tree": true, "go list": true, "go env": true, "brew list": true, "mise ls": true, "helm list": true, "terraform output": true, "git add": true}

// onlyLooks says whether a line does nothing but look.
func onlyLooks(script *shellScript) bool {
	return !slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool { return !onlyShows(c) })
}

// onlyPlumbing says whether a line does nothing but list and show.
func onlyPlumbing(script *shellScript) bool {
	return !slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool {
		return !plumbing[c.program] && c.program != "ls" && c.program != "find" && c.program != "which" && c.program != "tree"
	})
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

// sharesWord says whether two lines speak of one thing: a name or a part of a
// path.
func sharesWord(a, b *Step) bool {
	words := func(line string) []string {
		return strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	}
	have := words(b.Command)
	return slices.ContainsFunc(words(a.Command), func(t string) bool {
		return len(t) > 3 && t != "null" && t != "head" && t != "tail" && t != "echo" && t[0] != '-' && slices.Contains(have, t)
	})
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
// That both test or install something is not enough.
func shareOperand(c *shellCommand, script *shellScript) bool {
	for _, g := range scriptCommands(script) {
		for _, o := range append(slices.Clone(c.operands), c.sub...) {
			if len(o) < 2 || everyday[o] && (toolKinds[c.program] == "" || toolKinds[c.program] != toolKinds[g.program]) {
				continue
			}
			if slices.Contains(g.operands, o) || slices.Contains(g.sub, o) || g.program == o {
				return true
			}
		}
	}
	return false
}

// everyday are sub-commands and scripts that many programs have.
var everyday = map[string]bool{
	"test": true, "tests": true, "build": true, "run": true, "install": true, "add": true, "check": true, "lint": true, "start": true, "exec": true, "list": true, "ls": true,
	"help": true, "init": true, "new": true, "create": true, "update": true, "clean": true, "all": true, "dev": true, "get": true, "show": true, "view": true, "status": true, "-": true,
}

// purpose is what a command of the daily work is run for.
type purpose int

const (
	noPurpose purpose = iota
	builds
	tests
	lints
	installs
	commits
)

var purposeWords = sync.OnceValue(func() []*pattern {
	c := newPattern
	return []*pattern{
		lints:  c(`(?i)(?:^|[^a-z])(?:lint|linter|eslint|biome|golangci-lint|staticcheck|ruff|flake8|pylint|clippy|rubocop|credo|checkstyle|spotless\w*|ktlint|detekt|prettier|fmt|format|gofmt|gofumpt|vet|shellcheck|stylelint|hadolint|tflint|black|isort|phpcs|phpstan|swiftlint|dialyzer)(?:[^a-z]|$)`),
		tests:  c(`(?i)(?:^|[^a-z])(?:tests?|jest|vitest|mocha|pytest|tox|nox|unittest|rspec|phpunit|minitest|spec|specs|ctest|e2e|cypress|playwright|nextest|check|verify|karma|ava|bats)(?:[^a-z]|$)`),
		builds: c(`(?i)(?:^|[^a-z])(?:build|compile\w*|tsc|typecheck|type-check|types|mypy|pyright|assemble|package|javac|kotlinc|gcc|g\+\+|clang|rustc|webpack|vite|esbuild|rollup|codegen|generate|validate)(?:[^a-z]|$)`),
	}
})

func purposeIn(words string) purpose {
	for _, p := range []purpose{lints, tests, builds} {
		if purposeWords()[p].MatchString(words) {
			return p
		}
	}
	return noPurpose
}

// purposeOf returns what a command is run for. A check may be of any kind.
func purposeOf(c *shellCommand) purpose {
	sub := ""
	if len(c.sub) > 0 {
		sub = c.sub[0]
	}
	switch c.program {
	case "git":
		if sub == "commit" || sub == "push" {
			return commits
		}
		return noPurpose
	case "gh", "glab", "kubectl", "helm", "aws", "gcloud", "az", "systemctl", "ssh", "scp", "curl", "wget", "psql", "mysql", "claude", "docker-compose", "heroku":
		return noPurpose
	case "docker", "podman":
		if sub == "build" {
			return builds
		}
		return noPurpose
	case "go", "cargo", "dotnet", "swift":
		if sub == "run" {
			return builds
		}
	}
	if sub == "install" || sub == "add" || sub == "ci" || sub == "i" || sub == "get" || sub == "sync" {
		return installs
	}
	if p := purposeIn(c.name()); p != noPurpose {
		return p
	}
	if shellwords.HasSubcommands(c.program) || launcherOf(c) != "" {
		for _, o := range c.operands {
			if p := purposeIn(o); p != noPurpose && !strings.ContainsAny(o, "/.") {
				return p
			}
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
	switch purposeOf(c) {
	case builds, tests, lints:
		return true
	}
	return false
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
