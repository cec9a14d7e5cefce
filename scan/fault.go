package scan

import (
	"regexp"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/shellwords"
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
	shellSyntax       // the shell refused the line
	inProgress        // tests, linters, compilers: the normal loop of work
	editState         // an edit that did not fit the file: a slip of protocol
	timedOut
)

// fault is a tool call that failed.
type fault struct {
	class   class
	salient string // the line that says what is wrong
	named   []string
	program string // that the salient line names as its author
}

// judge returns what is wrong with a result, or nil when nothing is, or when
// nobody can know. Refused, interrupted, cancelled and blocked calls, calls that
// never ran, and exits that are answers are no failures (algorithms section 5).
func (w *Window) judge(result *Step) *fault {
	call := w.Call(result)
	if result.Kind != transcript.ToolResult || call == nil {
		return nil
	}
	if result.judged {
		return result.fault
	}
	result.judged = true
	switch result.Outcome {
	case transcript.Fail, transcript.TimedOut:
	case transcript.Masked, transcript.OK:
		// The exit status says nothing about a command behind a pipe, and some
		// clients never flag a failure: the words must.
		if !isShell(call.Tool) || !soundsFailed(call, result.Text) {
			return nil
		}
	case transcript.NotRun:
		if !strings.Contains(result.Text, "tool_use_error") && !strings.Contains(result.Text, "Error") {
			return nil
		}
	default:
		return nil
	}
	f := &fault{salient: salientLine(result.Text)}
	f.program, f.named = namedIn(f.salient)
	f.class = timedOut
	if result.Outcome != transcript.TimedOut {
		f.class = classify(call, result.Text, f)
	}
	result.fault = f
	return f
}

// succeeded says whether a result is known to be a success.
func (w *Window) succeeded(result *Step) bool {
	if result.Kind != transcript.ToolResult || w.Call(result) == nil {
		return false
	}
	switch result.Outcome {
	case transcript.OK, transcript.Expected:
		return w.judge(result) == nil
	case transcript.Masked:
		return w.judge(result) == nil && strings.TrimSpace(result.Text) != ""
	}
	return false
}

// patterns are compiled on first use: most processes never scan.
type patterns struct {
	failed, usage, notRunnable, missingPath, missingDep, shellSyntax, editState *regexp.Regexp
	salient, weak, quoted, author, test, exit, passed, someFailed               *regexp.Regexp
}

var faultPatterns = sync.OnceValue(func() patterns {
	c := regexp.MustCompile
	return patterns{
		failed: c(`(?m)^(?:error(?:\[\w+\])?:|fatal:|panic:|Traceback \(most recent call last\)|--- FAIL|FAIL\b|npm (?:ERR!|error)|` +
			`(?:bash|zsh|sh|/bin/\w+|\(eval\)|\w+\.sh)?:? ?(?:line )?\d*:? ?.{0,80}(?:command not found|No such file or directory|Permission denied)\s*$|` +
			`(?:E  +)?(?:ModuleNotFoundError|ImportError|SyntaxError|Error): |[\w./-]+: (?:error|fatal error):|\S+\.go:\d+:\d+: .*|` +
			`(?:\(eval\)|zsh):\d+: (?:no matches found|parse error).*|Error: Cannot find module|error TS\d+)|error TS\d+:|Target shim binary not found`),
		usage: c(`(?i)unknown (?:option|flag|shorthand flag|command|switch|argument|skill)|unrecognized (?:option|argument|subcommand|command)|` +
			`invalid (?:option|flag|argument|choice)|invalid (?:\w+ )?value\b|(?:flag|option) (?:needs|requires) an? |unexpected argument|no such (?:option|command)|flag provided but not defined|is not a \S+ command|^usage:|Missing script|unknown revision|required flag|mutually exclusive`),
		notRunnable: c(`(?i)command not found|not found in PATH|executable file not found|is not recognized as|shim binary not found|Exit code 12[67]\b|permission denied`),
		missingPath: c(`(?i)no such file or directory|does not exist|cannot find (?:the )?(?:path|file|main module)|ENOENT|not a directory|could not find|pathspec|Path not found`),
		missingDep:  c(`(?i)no module named|cannot find (?:module|package)|ModuleNotFoundError|ERR_MODULE_NOT_FOUND|no required module provides|unresolved import|package \S+ is not in`),
		shellSyntax: c(`(?i)\(eval\):\d+:|parse error near|no matches found|syntax error near|unexpected EOF while looking|unmatched ["'` + "`" + `]|bad substitution|event not found`),
		editState:   c(`(?i)string to replace not found|file has not been read yet|modified since read|unexpectedly modified|old_string|found \d+ matches of the string|no changes to make`),
		salient:     c(`(?i)error|fatal|fail|cannot|can't|could not|not found|unknown|unrecognized|invalid|no such|no matches|denied|undefined|unexpected|missing|does not|must not|would be overwritten`),
		weak:        c(`(?i)^(?:exit code \d+|error:?|\s*\^+\s*|FAIL\s*|exit status \d+|traceback.*|\x60*|\$ .*|\[\S+\] \$ .*|\[\S+\] ERROR task failed|.*\bPASS(?:ED)?\b.*|\(pass\).*|✓.*|ok\s.*|[=_-]{3,}.*[=_-]{3,})$|^(?:\[\S+\] )?warning\b|^collected \d+`),
		quoted:      c("[`'\"‘“]([^`'\"‘’“”\\s]{1,60})[`'\"’”]|(?:flag|option|argument|subcommand|command|skill|module named|script):? ([\\w./@:-]{1,60})|(?:^|\\s)(--?[A-Za-z][\\w-]*)"),
		author:      c(`^(?:/\S+/)?([a-z][\w.-]{1,30}):(?: |$)`),
		test: c(`(?i)\b(?:test|tests|vet|lint|check|build|typecheck|tsc|jest|vitest|mocha|pytest|tox|eslint|biome|golangci-lint|staticcheck|ruff|mypy|flake8|clippy|rspec|phpunit|` +
			`compile|verify|ci|precommit|pre-commit)\b`),
		passed:     c(`(?mi)^\s*\d+ pass(?:ed|ing)?\b|\b\d+ passed\b|^ok\s+\S+|^PASS$|^OK(?: \(|$)|\ball (?:\d+ )?tests? passed|test result: ok|\b0 (?:fail(?:ed|ures|ing)?|errors)\b`),
		someFailed: c(`(?mi)\b[1-9]\d* (?:fail(?:ed|ing|ures?)?|errors?)\b|^FAIL\b|^--- FAIL|test result: FAILED`),
		exit:       c(`^(?:Error: )?Exit code \d+\s*`),
	}
})

// soundsFailed says whether the output of a command whose status is hidden
// begins its complaint at a line's start. Commands that only show text are not
// believed: what they print is about something else.
func soundsFailed(call *Step, text string) bool {
	script := call.script()
	if script == nil {
		return false
	}
	main := script.main()
	if main == nil || plumbing[main.program] || showsText(main) {
		return shellRefused(text)
	}
	return faultPatterns().failed.MatchString(text) && !soundsPassed(text)
}

// soundsPassed says whether an output ends with the summary of a test run in
// which nothing failed: what the tests print on their way is no failure.
func soundsPassed(text string) bool {
	const summary = 600
	end := strings.TrimSpace(stripANSI(text))
	end = end[max(0, len(end)-summary):]
	return faultPatterns().passed.MatchString(end) && !faultPatterns().someFailed.MatchString(end)
}

// shellRefused says whether the shell itself could not run a line.
func shellRefused(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return faultPatterns().shellSyntax.MatchString(first) && strings.Contains(first, "(eval)")
}

// showsText says whether a command's output is the content of something.
func showsText(c *shellCommand) bool {
	switch c.program {
	case "ls", "find", "fd", "less", "more", "strings", "curl", "wget", "diff", "jq", "tree", "stat", "git", "gh", "docker", "kubectl", "journalctl":
		return c.program != "git" && c.program != "gh" || len(c.sub) == 0 || readsOnly[c.name()]
	}
	return false
}

var readsOnly = map[string]bool{
	"git log": true, "git show": true, "git diff": true, "git grep": true, "git blame": true, "git status": true, "git cat-file": true,
	"gh run view": true, "gh pr view": true, "gh pr diff": true, "gh issue view": true, "gh api": true, "gh run list": true,
}

func classify(call *Step, text string, f *fault) class {
	p, salient := faultPatterns(), f.salient
	switch {
	case isEdit(call.Tool) && p.editState.MatchString(text), strings.Contains(text, "has not been read yet"):
		return editState
	case p.shellSyntax.MatchString(salient):
		return shellSyntax
	case p.missingDep.MatchString(salient), isShell(call.Tool) && worksOn(call, f) && p.missingDep.MatchString(text):
		return missingDep
	case p.usage.MatchString(salient):
		return usage
	case p.notRunnable.MatchString(salient):
		return notRunnable
	case isShell(call.Tool) && worksOn(call, f):
		return inProgress
	case p.missingPath.MatchString(salient):
		return missingPath
	}
	return otherFault
}

// worksOn says whether the command that failed tests, checks or builds.
func worksOn(call *Step, f *fault) bool {
	c := faulty(call.script(), f)
	if c == nil {
		return faultPatterns().test.MatchString(call.Command)
	}
	switch {
	case c.program == "git":
		return false
	case c.program == "go" && len(c.sub) > 0 && (c.sub[0] == "run" || c.sub[0] == "generate"):
		return true
	}
	words := c.name()
	if shellwords.HasSubcommands(c.program) {
		words += " " + strings.Join(c.operands, " ")
	}
	return faultPatterns().test.MatchString(words)
}

// salientLine returns the line of an error's text that says what is wrong:
// the first that complains and is more than a heading, else the first with
// words.
func salientLine(text string) string {
	text = strings.NewReplacer("<tool_use_error>", "", "</tool_use_error>", "").Replace(text)
	text = faultPatterns().exit.ReplaceAllString(strings.TrimSpace(text), "")
	first := ""
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(stripANSI(line))
		if line == "" || faultPatterns().weak.MatchString(line) {
			continue
		}
		if first == "" {
			first = line
		}
		if len(line) <= 400 && faultPatterns().salient.MatchString(line) {
			return line
		}
		if n++; n > 200 {
			break
		}
	}
	return first
}

var ansi = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]") })

func stripANSI(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	return ansi().ReplaceAllString(s, "")
}

// namedIn returns the program that an error line names as its author, and the
// tokens that it complains about.
func namedIn(line string) (program string, tokens []string) {
	p := faultPatterns()
	if m := p.author.FindStringSubmatch(line); m != nil && m[1] != "error" && m[1] != "fatal" && m[1] != "warning" {
		program = m[1]
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
