package scan

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

// How the outputs of programs say that something failed. An exit status says it
// better; these words are for results that have none, or a hidden one.

// complaints are beginnings of lines that tell of a failure. They are shapes of
// compilers, test runners, package managers, shells and services, and not words:
// "error" in the middle of a line is mostly talk about errors.
var complaints = automata.New(complaintMark + `(?:` + strings.Join([]string{
	// any program
	`error [A-Z\x60]`, `(?:Unhandled|Uncaught) `, `Segmentation fault`, `Killed$`, `Aborted\b`,
	`(?:error|Error|ERROR|fatal|Fatal|FATAL|fatal error|FAILURE|panic|PANIC)(?:\[\w+\])?: `, `(?:failed|FAILED): [^0]`, `error(?:\[\w+\])?:$`,
	`[\w./@+-]+: (?:fatal )?error: `, `\S+ : error `, `\S+:\d+: \*\*\* `,
	// compilers and linters
	`error (?:TS|CS|FS|MSB|NU|BC)\d+`, `✖ [1-9]\d* problems?`, `Found [1-9]\d* (?:error|problem|offense)s?`, `[1-9]\d* errors? (?:generated|found)`, `== Compilation error`, `\*\* \(`, `CMake Error`,
	`\S+\.\w+:\d+(?::\d+)?: (?:fatal )?error\b`, `\S+\.go:\d+:\d+: `, `\S+\(\d+,\d+\): error `, `\S+ - error (?:TS|CS|FS|MSB|NU|BC)\d+`, `error: could not compile`,
	// exceptions
	`Traceback \(most recent call last\)`, `Exception in thread `, `thread '.*' panicked at`, `rake aborted!`,
	`(?:E +)?(?:[a-z]\w*\.)*[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?: `, `(?:[a-z]\w*\.){2,}[A-Z]\w+: `, `(?:[A-Z]\w*::)+[A-Z]\w*: `, `(?:[A-Z]\w*\\)+[A-Z]\w*(?:Error|Exception)\b`,
	// test runners
	`--- FAIL`, `FAILURES!`, `FAIL(?:ED)?\b`, `BUILD FAIL(?:ED|URE)`, `Build FAILED`, `\[ERROR\] `, `Tests?:? +[1-9]\d* failed`, `=+ .*\b[1-9]\d* (?:failed|errors?)\b.*=`,
	`\d+ (?:examples?|tests?|specs?|runs?|scenarios?),.*\b[1-9]\d* (?:failures?|failed|errors?)`, `[1-9]\d* (?:failed|failing|failures?)\b`, `\(fail\) `, `not ok \d+`, `\d\d:\d\d \+\d+(?: ~\d+)? -[1-9]`, `test result: FAILED`,
	// package managers and task runners
	`npm (?:ERR!|error) `, ` *ELIFECYCLE`, ` *ERR_PNPM`, `ERROR +[A-Z]`, `error Command failed`, `husky - .*(?:failed|exited)`, `\[\S+\] ERROR `,
	`g?make(?:\[\d+\])?: \*\*\*`, `error: script "`, `Error: Process completed with exit code`,
	// services and version control
	`Error response from daemon`, `Error from server`, `The connection to the server .* was refused`, `CONFLICT \(`, ` *! \[(?:remote )?rejected\]`, `(?:MCP|mcp) error`,
	`GraphQL: `, `gh: .*HTTP [45]\d\d`, `curl: \(\d+\)`, `ssh: connect to host`,
	// shells
	`(?:\(eval\)|zsh|bash|sh|-bash|-zsh|/bin/\w+)(?::\d+| line \d+|: line \d+)?:(?: \d+:)? `,
	`.* is not recognized as (?:an internal|the name)`,
}, "|") + `)`)

// complaintEnd is the end of a line by which a shell or a system call tells of a
// failure. It is no member of complaints: what may stand before it would multiply the
// states of all others.
var complaintEnd = automata.New(complaintMark + `.{0,120}(?:command not found|: not found|No such file or directory|Permission denied|cannot execute binary file)(?:: \S+|\))?$`)

// complaintMark is what runners put before the lines of what they run.
const complaintMark = `^(?:\[[\w:./-]+\] |> |[|│] *)?`

// complaintWords stand in every line that complains, whatever its shape.
var complaintWords = automata.New(`rror|RROR|ail|FAIL|atal|FATAL|anic|PANIC|raceback|xception|No such|not found|denied|refused|bort|\.go:|matches|ERR|problem|offense|ELIFECYCLE|\*\*\*|\*\* \(|not ok|recognized|` +
	`Segmentation|Killed|CONFLICT|rejected|GraphQL|curl:|ssh:|caught|Unhandled|\(eval\)|zsh:|bash:|sh:|HTTP `)

// complainsIn says whether a line tells of a failure.
func complainsIn(line string) bool {
	return complaintWords.MatchString(line) && (complaints.MatchString(line) || complaintEnd.MatchString(line))
}

// maxLines bounds how many lines of an output are looked at, from its beginning
// and from its end.
const maxLines = 200

// complaint returns the first line of an output that tells of a failure, without
// its colours, or nothing.
func complaint(text string) string {
	if !complaintWords.MatchString(text) {
		return ""
	}
	for line := range linesOf(text) {
		if len(line) <= 2000 && complainsIn(line) {
			return line
		}
	}
	return ""
}

// linesOf are the lines of an output without colours and blanks around them:
// the first and the last maxLines, as far as they say anything.
func linesOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, end := range endsOf(text) {
			for line := range strings.Lines(end) {
				if line = strings.TrimSpace(line); line != "" && !yield(line) {
					return
				}
			}
		}
	}
}

// endsOf returns the first and the last maxLines lines of a text, or all of it
// when it has no more.
func endsOf(text string) [2]string {
	if strings.Count(text, "\n") < 2*maxLines {
		return [2]string{text}
	}
	head, tail := 0, len(text)
	for range maxLines {
		head += strings.IndexByte(text[head:], '\n') + 1
		tail = strings.LastIndexByte(text[:tail], '\n')
	}
	return [2]string{text[:head], text[tail+1:]}
}

// soundsFailed says whether the output of a command whose status is hidden, or
// whose client flags nothing, tells of a failure. Commands that only show text
// are believed where the words are their own: what they show is about something
// else.
func soundsFailed(call *Step, text string) bool {
	if shellRefused(text) {
		return true
	}
	script := call.line()
	if len(script.Commands) == 0 {
		return false
	}
	main := mainCommand(script)
	who, speaks := complainer(text)
	switch {
	case speaks && who.complainsFor(script), clients[main.Program] && cannotReach(main, text):
		return true
	case plumbing[main.Program], showsText(main):
		return false // most of all that is printed
	case complaint(text) != "", purposeOf(main) == lints && ruleIn("", text) != "":
		return !soundsPassed(text)
	}
	return !runsOwn(main) && endsShort(text) && purposeOf(main) != noPurpose
}

// speaker is whose words the first line of an output is.
type speaker struct {
	program   string // that names itself, or the word before what is said
	complains bool   // what it says is a complaint if program is one
	refuses   bool   // it refuses its arguments, whatever it is
}

// complainsFor says whether the words are a complaint of one of a line's own
// programs: their usage, "cat: notes.txt: No such file or directory", "fatal: bad
// revision" of git.
func (s speaker) complainsFor(script *shell.Line) bool {
	return s.refuses || slices.ContainsFunc(script.Commands, func(c *shell.Command) bool {
		return s.complains && (c.Program == s.program || slices.Contains(c.Wrappers, s.program)) || slices.Contains(prefixes[c.Program], s.program)
	})
}

// complainer returns who speaks in an output's first line. It is not ok where that
// cannot be a complaint.
func complainer(text string) (s speaker, ok bool) {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	if first == "" || len(first) > 600 {
		return s, false
	}
	first = strings.TrimSpace(first)
	if usageLine.MatchString(first) {
		return speaker{refuses: true}, true
	}
	program, said, ok := strings.Cut(first, ": ")
	if !ok || len(text) > 2000 || strings.Count(rest, "\n") > 12 {
		return s, false
	}
	s.program = program[strings.LastIndexByte(program, '/')+1:]
	s.complains = said != "" && strings.Count(rest, "\n") < 2 && !progress.MatchString(said) || faultPatterns.salient.MatchString(said)
	return s, s.complains || isPrefix()[s.program]
}

// progress is how programs say what they do: "go: downloading …", "go: added …".
var progress = automata.New(`^[a-z]+(?:ing|ed) \S`)

// prefixes are the words with which programs begin their errors, where that is
// not their name. They are believed even where a program shows text.
var prefixes = map[string][]string{
	"git": {"fatal", "error"}, "kubectl": {"error", "Error from server (NotFound)", "Error from server (Forbidden)", "Error from server"}, "helm": {"Error"},
	"docker": {"Error response from daemon", "Error", "ERROR", "error during connect"}, "podman": {"Error"}, "gh": {"GraphQL", "HTTP 404", "HTTP 403", "HTTP 422", "error"}, "terraform": {"Error"},
	"psql": {"ERROR", "FATAL"}, "systemctl": {"Failed to connect to bus"}, "apt-get": {"E"}, "apt": {"E"}, "jq": {"parse error", "jq"}, "rg": {"regex parse error"},
}

// isPrefix holds all of prefixes.
var isPrefix = sync.OnceValue(func() map[string]bool {
	return lists.Set(slices.Concat(slices.Collect(maps.Values(prefixes))...))
})

// usageLine is the beginning of an output by which a program refuses its
// arguments. No text that is shown begins so.
var usageLine = automata.New(`^(?:(?:error|fatal|usage error|[\w./-]+): |> |error )?(?i:(?:unknown|unrecogni[sz]ed|unexpected|illegal|invalid|unsupported) (?:\w+[ -]){0,2}(?:options?|flags?|(?:sub-?)?commands?|switch|arguments?|choice|parameter|json field|verb|value)\b|flag provided but not defined|(?:the )?option \S+ (?:does not exist|was |is not|requires|needs|must)|` +
	`option \S+: |flag needs an argument|the following (?:required )?arguments|missing required (?:argument|flag|option)|required flags?\b|accepts (?:at most |between )?\d|requires (?:at least|exactly) \d|too (?:many|few) arguments|'\S+' is not a \S+ command|no such (?:sub-?)?command|"[^"]+" requires)|^\S+: '\S+' is not a \S+ command`)

// runsOwn says whether a command runs a program of the repository: what that
// prints is its own matter.
func runsOwn(c *shell.Command) bool {
	return interpreters[c.Program] || len(c.Sub) > 0 && (c.Sub[0] == "run" || c.Sub[0] == "exec" || c.Sub[0] == "start") || strings.Contains(c.Path, "/")
}

// interpreters run scripts.
var interpreters = lists.Words(`python python3 node ruby php perl deno java bash sh`)

var couldNot = phrasebook.Pattern("couldNot")

// endsShort says whether a program for daily work said little, and that it could
// not work.
func endsShort(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 600 || strings.Count(text, "\n") > 5 {
		return false
	}
	return couldNot.MatchString(firstLineOf(text)) && !fine.MatchString(text) && !soundsPassed(text)
}

var fine = phrasebook.Pattern("fine")

func firstLineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// soundsPassed says whether an output ends with the summary of a run in which
// nothing failed: what the tests print on their way is no failure.
func soundsPassed(text string) bool {
	const summary = 600
	end := strings.TrimSpace(text)
	end = end[max(0, len(end)-summary):]
	return summaries.In(end) == passed
}

// shellRefused says whether the shell itself could not run a line.
func shellRefused(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(first) > 1000 || !strings.Contains(first, ":") {
		return false
	}
	return faultPatterns.shellSays.MatchString(first)
}

// clients are programs that ask a service.
var clients = lists.Words(`gh glab docker podman kubectl helm aws gcloud az heroku terraform psql mysql redis-cli mongosh systemctl ssh scp rsync`)

// cannotReach says whether a client says nothing but that it could not do what it was asked
// for. What it shows of others' logs is not its own.
func cannotReach(c *shell.Command, text string) bool {
	text = strings.TrimSpace(text)
	return strings.Count(text, "\n") <= 1 && cannotStart().MatchString(text) && !slices.Contains(c.Sub, "logs")
}

var cannotStart = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`^(?:Error|ERROR|error|Unable to|Cannot|Could not|Failed to)\b[^\n]*: \S`)
})

// showsText says whether a command's output is the content of something.
func showsText(c *shell.Command) bool {
	switch c.Program {
	case "ls", "find", "fd", "less", "more", "strings", "curl", "wget", "http", "diff", "jq", "yq", "tree", "stat", "journalctl", "file", "xxd", "od", "hexdump", "bat", "env", "printenv", "ps", "du", "df", "which", "man", "history", "sqlite3":
		return true
	case "git", "gh", "docker", "podman", "kubectl", "glab", "aws", "gcloud", "heroku", "terraform", "systemctl":
		return len(c.Sub) == 0 || readsOnly[c.Name()] || readsOnly[c.Program+" "+c.Sub[0]]
	}
	return false
}

// readsOnly are sub-commands that show what is there.
var readsOnly = map[string]bool{
	"git log": true, "git show": true, "git diff": true, "git grep": true, "git blame": true, "git status": true, "git cat-file": true, "git ls-files": true, "git branch": true,
	"gh run view": true, "gh pr view": true, "gh pr diff": true, "gh issue view": true, "gh api": true, "gh run list": true, "gh pr list": true, "gh issue list": true, "gh search": true,
	"docker logs": true, "docker ps": true, "docker images": true, "docker inspect": true, "docker exec": true, "podman logs": true, "podman ps": true,
	"kubectl get": true, "kubectl describe": true, "kubectl logs": true, "kubectl exec": true, "glab ci": true, "aws logs": true, "gcloud logging": true, "heroku logs": true, "terraform show": true, "terraform state": true, "systemctl status": true,
}
