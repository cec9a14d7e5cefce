package scan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// class is the kind of a failure, as far as its text tells.
type class int

const (
	otherFault  class = iota
	usage             // unknown flag, sub-command or argument
	notRunnable       // command not found, not executable
	missingPath       // a file or folder that is not there
	missingDep        // a module or package that is not installed
	environment       // a service that is not up, a port in use, no login
	shellSyntax       // the shell refused the line
	inProgress        // tests, linters, compilers: the normal loop of work
	editState         // an edit that did not fit the file: a slip of protocol
	timedOut
)

// fault is a tool call that failed.
type fault struct {
	class   class
	salient string            // the line that says what is wrong
	rule    string            // of a linter or compiler, such as E0382 or errcheck
	rules   map[string]broken // all that the output names
	named   []string
	quoted  bool           // the shell ran words of a text
	program string         // that the salient line names as its author
	message *errorText     // of the whole output, once it was asked for
	about   *shell.Command // what it speaks of
	taught  []*learned     // by the calls that may mend it
	hint    string         // an output that is short enough to propose something
}

// maxHint is the longest output in which a program's proposals are looked for.
const maxHint = 4 << 10

// examine finds out what is wrong with a result. Refused, interrupted, cancelled and
// blocked calls, calls that never ran, and exits that are answers are no failures, nor is a failure that the agent wanted to see.
func (w *Window) examine(call, result *Step) verdict {
	if !failed(call, result) {
		return verdict{}
	}
	f := &fault{salient: salientLine(result.Text)}
	f.program, f.named = namedIn(f.salient)
	if len(result.Text) <= maxHint {
		f.hint = result.Text
	}
	f.class = timedOut
	if result.Outcome != transcript.TimedOut {
		f.class = classify(call, result.Text, f)
	}
	if f.class == inProgress || f.class == otherFault && isShell(call.Tool) && !onlyLooks(call.line()) {
		f.rule = ruleIn(f.salient, result.Text)
	}
	if f.rule != "" {
		f.class = inProgress // whatever the linter is called
	}
	switch f.class {
	case usage:
		// How the program under development answers is no failure of the agent.
		if w.builtHere(call) {
			return verdict{excused: true}
		}
	case inProgress:
		if w.wantedToFail(call) {
			return verdict{excused: true}
		}
		if f.rule != "" {
			f.rules = rulesIn(result.Text)
		}
	}
	return verdict{fault: f}
}

// failed says whether a result is known to be a failure.
func failed(call, result *Step) bool {
	switch result.Outcome {
	case transcript.Fail, transcript.TimedOut:
		return true
	case transcript.Masked, transcript.OK:
		// The exit status says nothing about a command behind a pipe, and some
		// clients never flag a failure: the words must.
		if isShell(call.Tool) {
			if exit, told := echoedStatus(call, result.Text); told {
				return exit != 0
			}
			return soundsFailed(call, result.Text)
		}
		return answersError(call.Tool, result.Text)
	case transcript.NotRun:
		return strings.Contains(result.Text, "tool_use_error") || strings.Contains(result.Text, "Error")
	}
	return false
}

var statusLine = automata.New(`(?i)\b(?:exit|status|rc|ret|code)\b[\w ]{0,10}[:=]? *(\d{1,3})\W*$`)

// echoedStatus reads the exit status that a line prints itself, as in
// "make; echo exit=$?". One that is an answer counts as 0.
func echoedStatus(call *Step, text string) (exit int, told bool) {
	if !strings.Contains(call.Command, "$?") && !strings.Contains(call.Command, "PIPESTATUS") {
		return 0, false
	}
	m := statusLine.FindStringSubmatch(lastLine(text))
	main := mainCommand(call.line())
	if m == nil || main == nil {
		return 0, false
	}
	exit, _ = strconv.Atoi(m[1])
	if plumbing[main.Program] && !main.Answers(1) {
		return 0, false // of a search or a print at the end of a pipe
	}
	if main.Answers(exit) {
		exit = 0
	}
	return exit, true
}

// answersError says whether the answer of a service's tool is an error that the
// client did not flag. Tools that show text are never believed.
func answersError(tool, text string) bool {
	if !answersInWords(tool) || len(text) > 2000 {
		return false
	}
	text = strings.TrimSpace(text)
	return slices.ContainsFunc([]string{"Error:", "error:", "ERROR:", "MCP error", "Failed to ", "Request failed", `{"error"`, `{"isError":true`, `{"success":false`, "Error executing tool", "Tool execution failed", "Input validation error"}, func(p string) bool {
		return strings.HasPrefix(text, p)
	})
}

// answersInWords says whether a tool passes on what a service answers.
func answersInWords(tool string) bool { return strings.HasPrefix(tool, "mcp__") || webTools[tool] }

// webTools are tools that fetch from the network.
var webTools = map[string]bool{"WebFetch": true, "WebSearch": true, "web_fetch": true, "google_web_search": true, "webfetch": true, "web_search": true}

// succeeded says whether a result is known to be a success.
func (w *Window) succeeded(result *Step) bool {
	call := w.Call(result)
	if result.Kind != transcript.ToolResult || call == nil {
		return false
	}
	switch result.Outcome {
	case transcript.OK, transcript.Expected:
		return w.verdict(result) == (verdict{})
	case transcript.Masked:
		if strings.TrimSpace(result.Text) == "" {
			// A checker that prints nothing has nothing to say, if all that it
			// prints came through.
			return strings.Contains(call.Command, "2>&1") && worksOn(call, &fault{})
		}
		return w.verdict(result) == (verdict{})
	}
	return false
}

// faultPatterns are compiled on first use: most processes never scan.
var faultPatterns = struct {
	missingDep, shellSays, editState, hook, salient, quoted, author, exit *automata.Pattern
}{
	missingDep: phrasebook.Pattern("missingDep"),
	shellSays:  automata.New(`^(?:\(eval\)|zsh|bash|sh|-bash|-zsh|/(?:usr/)?bin/\w+)(?::\d+| line \d+|: line \d+|: -c: line \d+|: \d+)?: (?:.*(?:no matches found|parse error|syntax error|unexpected EOF|bad substitution|event not found|command not found|not found|unterminated|bad pattern|No such file))`),
	editState:  phrasebook.Pattern("editState"),
	hook:       phrasebook.Pattern("hook"),
	salient:    phrasebook.Pattern("salient"),
	quoted:     automata.New("[`'\"‘“]([^`'\"‘’“”\\s]{1,60})[`'\"’”]|(?:flag|option|argument|subcommand|command|skill|module named|script):? ([\\w./@:-]{1,60})|(?:^|\\s)(--?[A-Za-z][\\w-]*)"),
	author:     automata.New(`^(?:/\S+/)?([a-z][\w.-]{1,30}):(?: |$)`),
	exit:       automata.New(`^(?:Error: )?Exit code \d+\s*`),
}

// faultKinds are what the line that says what is wrong says of its kind.
var faultKinds = phrasebook.Set(map[automata.Members]string{
	saysUsage: "usage", saysNotRunnable: "notRunnable", saysMissingPath: "missingPath",
	saysMissingDep: "missingDep", saysEnvironment: "environment", saysShellSyntax: "shellSyntax",
})

const (
	saysUsage automata.Members = 1 << iota
	saysNotRunnable
	saysMissingPath
	saysMissingDep
	saysEnvironment
	saysShellSyntax
)

func classify(call *Step, text string, f *fault) class {
	p, salient := faultPatterns, f.salient
	says := faultKinds.In(salient)
	shell := isShell(call.Tool)
	own := misused(call.line(), salient, f.named)
	f.named = append(f.named, own...)
	if line, quoted := runsQuoted(call, text); shell && quoted {
		f.salient, f.quoted = line, true
		return shellSyntax
	}
	switch {
	case isEdit(call.Tool) && p.editState.MatchString(text), strings.Contains(text, "has not been read yet"):
		return editState
	case says.Has(saysShellSyntax) && !says.Has(saysNotRunnable):
		return shellSyntax
	case strings.HasPrefix(salient, "CONFLICT ("):
		return inProgress // to merge is the work
	case shell && commitsOrPushes(call) && p.hook.MatchString(text):
		return inProgress // a check that runs before a commit
	case says.Has(saysMissingDep), shell && worksOn(call, f) && missesDependency(text):
		return missingDep
	case says.Has(saysUsage), shell && len(own) > 0, strings.Contains(text, "# command-line-arguments\n") && runsGo(call):
		return usage
	case says.Has(saysNotRunnable):
		return notRunnable
	case noManifest.MatchString(salient):
		return missingPath // this is not the project's folder
	case says.Has(saysMissingPath) && (shellPrefix.MatchString(salient) || plumbing[f.program]):
		return missingPath // the line failed before its work began
	case shell && worksOn(call, f) && !says.Has(saysEnvironment):
		return inProgress
	case says.Has(saysEnvironment):
		return environment
	case says.Has(saysMissingPath):
		return missingPath
	}
	return otherFault
}

// noManifest finds what programs say in a folder that is no project of theirs.
var noManifest = phrasebook.Pattern("noManifest")

// runsGo says whether a call runs or builds files of Go by their names. The compiler then
// sees no other file of their package.
func runsGo(call *Step) bool {
	return slices.ContainsFunc(call.line().Commands, func(c *shell.Command) bool {
		return c.Program == "go" && strings.Contains(c.Source, ".go")
	})
}

// missesDependency says whether an output speaks of a dependency that is missing,
// on a line that complains.
func missesDependency(text string) bool {
	for line := range linesOf(text) {
		if len(line) < 400 && complaintWords.MatchString(line) && faultPatterns.missingDep.MatchString(line) {
			return true
		}
	}
	return false
}

// commitsOrPushes says whether a command line runs checks of the repository's
// hooks on its way.
func commitsOrPushes(call *Step) bool {
	return slices.ContainsFunc(call.line().Commands, func(c *shell.Command) bool {
		return c.Program == "git" && len(c.Sub) > 0 && (c.Sub[0] == "commit" || c.Sub[0] == "push" || c.Sub[0] == "merge" || c.Sub[0] == "rebase")
	})
}

// verdictLine finds lines by which test runners and compilers name what they found.
// They go before everything that the tests print on their way.
var verdictLine = automata.New(`^(?:\(fail\) \S|--- FAIL: |FAILED \S+::|not ok \d+ |[✗✕✘×●] \S|test \S+ \.\.\. FAILED|\S+\.\w+:\d+(?::\d+(?:: \S| lint/)|: (?:error|undefined|fatal))|\S+_test\.go:\d+: |\d+:\d+ +error +\S|error(?:\[\w+\]|: \S)|.*\berror (?:TS|CS)\d+: |\* \d+\) |\s*\d+\) \S+.*#)`)

// linePatterns are asked of the lines of an error's text together.
var linePatterns = automata.SetOf(map[automata.Members]*automata.Pattern{
	isVerdict: verdictLine, isSalient: faultPatterns.salient, isWeak: phrasebook.Pattern("weak"),
})

const (
	isVerdict automata.Members = 1 << iota
	isSalient
	isWeak
)

// warning is a line that only warns. It is no member of the set: what may stand
// before the word would multiply the states of all others.
var warning = automata.New(`(?i)^(?:\[[^\]]+\] )?\W*(?:.{0,40}\b)?warn(?:ing)?\b`)

// salientLine returns the line of an error's text that says what is wrong: the
// verdict of a test runner or compiler, else the first with the shape of a
// complaint or the refusal of an argument that follows it, else the first by which a service
// did not answer, else the first that complains in words and is more than a heading, else the
// first with words.
func salientLine(text string) string {
	text = withoutKeys(markup.Replace(text))
	p := faultPatterns
	text = strings.TrimSpace(text)
	if status := p.exit.FindStringIndex(text); status != nil {
		text = text[status[1]:]
	}
	first, words, unanswered, shaped, test := "", "", "", "", ""
	passing, behind := soundsLikeTests(text), 0
	for line := range linesOf(text) {
		long := len(line) > 400
		if test != "" {
			if behind++; behind > linesOfTest {
				break
			}
			if !long && noAnswer().MatchString(line) {
				return line // that is no matter of the test
			}
			continue
		}
		if shaped != "" && !passing {
			if behind++; behind > linesOfHeading {
				break
			}
			if line = withoutMark(line); usageLine.MatchString(line) {
				return line
			}
			continue
		}
		is := linePatterns.In(line)
		if long && first != "" || is.Has(isWeak) || warning.MatchString(line) {
			continue
		}
		if first == "" {
			first = line
		}
		switch {
		case long:
		case is.Has(isVerdict) && !(passing && strings.HasPrefix(line, "error: ")):
			test = line
		case !is.Has(isSalient):
		case shaped == "" && complainsIn(line):
			shaped = line
		case unanswered == "" && noAnswer().MatchString(line):
			unanswered = line
		case words == "":
			words = line
		}
	}
	if test != "" {
		return test
	}
	return withoutMark(cmp.Or(shaped, unanswered, words, first))
}

// linesOfTest is how many lines behind the name of a test say why it failed.
const linesOfTest = 8

// linesOfHeading is how many lines behind an error may say which argument it is about.
const linesOfHeading = 3

// noAnswer finds lines by which a service did not answer.
var noAnswer = automata.Lazily(`(?i)\b(?:connection refused|ECONNREFUSED|(?:could not|cannot|can't|failed to|unable to) connect to)\b`)

// withoutKeys leaves out keys and certificates: a line of one, without the line with which it
// begins, is not known for a secret.
func withoutKeys(text string) string {
	before, rest, found := strings.Cut(text, "-----BEGIN ")
	if !found {
		return text
	}
	var b strings.Builder
	for found {
		b.WriteString(before)
		if _, rest, found = strings.Cut(rest, "-----END "); found {
			_, rest, _ = strings.Cut(rest, "\n")
			before, rest, found = strings.Cut(rest, "-----BEGIN ")
			if !found {
				b.WriteString(before)
			}
		}
	}
	return b.String()
}

// markup is the element that clients put round errors.
var markup = strings.NewReplacer("<tool_use_error>", "", "</tool_use_error>", "")

// withoutMark takes off what runners draw before a line, and where the client says that it is.
func withoutMark(line string) string {
	line, _, _ = strings.Cut(line, " Note: your current working directory is ")
	for _, mark := range []string{"E ", "│ ", "| ", "> "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	return line
}

// summaries are how runs of tests and builds end.
var summaries = automata.NewSet(map[automata.Members]string{
	passed:     `(?mi)^\s*\d+ pass(?:ed|ing)?\b|\b\d+ passed\b|^ok\s+\S+|^PASS$|^OK(?: \(|$)|\ball (?:\d+ )?tests? passed|test result: ok|\b0 (?:fail(?:ed|ures|ing)?|errors?)\b|BUILD SUCCESS|build succeeded|compiled successfully|^✓ built in`,
	someFailed: `(?mi)\b[1-9]\d* (?:fail(?:ed|ing|ures?)?|errors?)\b|^FAIL\b|^--- FAIL|test result: FAILED|exited with code [1-9]|BUILD FAIL`,
})

const (
	passed automata.Members = 1 << iota
	someFailed
)

// soundsLikeTests says whether an output counts tests: then what looks like a
// complaint may be what a passing test prints.
func soundsLikeTests(text string) bool {
	return summaries.In(text[max(0, len(text)-1000):]) != 0
}

// namedIn returns the program that an error line names as its author, and the
// tokens that it complains about.
func namedIn(line string) (program string, tokens []string) {
	p := faultPatterns
	if m := p.author.FindStringSubmatch(line); m != nil && m[1] != "error" && m[1] != "fatal" && m[1] != "warning" {
		program = m[1]
	}
	if said := shellPrefix.ReplaceAllString(line, ""); said != line {
		if what, _, ok := strings.Cut(said, ": "); ok && !strings.ContainsAny(what, " \t") {
			tokens = append(tokens, what)
		}
	}
	for _, m := range p.quoted.FindAllStringSubmatch(line, 8) {
		for _, t := range m[1:] {
			if t = strings.Trim(t, ".,;:"); t != "" {
				tokens = append(tokens, t)
			}
		}
	}
	return program, tokens
}
