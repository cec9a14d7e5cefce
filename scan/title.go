package scan

import (
	"cmp"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// A title says in plain words what is to be known. It names the command, flag
// or module, and nothing that belongs to one session: no folders, positions,
// hashes or numbers. Equal titles make one observation, so a title that would
// fit many mistakes says which one is meant.

var failureTitles = struct {
	flag, command, script, program, module, needs, takes, lead, author, glob, parse *automata.Pattern
}{
	flag: automata.New("(?i)(?:unknown|unrecognized|unsupported|invalid|illegal|unexpected|no such)(?: long| short| shorthand| command[- ]line)? (?:flags?|options?|arguments?|switch)(?:[^-\n]{0,19}[^\\w\n-])?(--?[A-Za-z][\\w-]*)|(?:unknown|unrecognized) (?:option|switch):? [`'\"]([A-Za-z][\\w-]*)['\"`]|" +
		"(?:illegal|invalid|unrecognized|unknown) option --? ?[`'\"]?(\\w)\\b|(?:flag|option) provided but not defined: (--?[A-Za-z][\\w-]*)|(--?[A-Za-z][\\w-]*)[`'\"]? is not (?:a|an) (?:\\w+ )?(?:flag|option)"),
	command: automata.New("(?i)(?:unknown|unrecognized|no such|invalid) (?:sub-?)?command:? " + namedThing + "|" + namedThing + " is not a \\S+ command"),
	script:  automata.New("(?i)missing script:? " + namedThing),
	program: automata.New("(?i)(?:^|[:\\s])([\\w.+-]+): (?:command )?not found\\s*$|command not found: ([\\w.+-]+)|exec(?:utable)?:? " + namedThing + ":? (?:executable )?(?:file )?not found"),
	module: automata.New("(?i)no module named " + namedThing + "|cannot find (?:module|package) " + namedThing + "|no required module provides package " + namedThing + "|" +
		"ModuleNotFoundError: .*? " + namedThing + "$"),
	needs:  automata.New("(?i)(?:flag|option) (?:needs|requires) (?:an? )?(?:argument|value)[^-\n]{0,10}(--?[A-Za-z][\\w-]*)"),
	takes:  automata.New(`(?i)\baccepts ((?:at most |at least |between \d+ and )?\d+) arg`),
	lead:   automata.New(`(?i)^(?:(?:error|fatal|warning|err!|npm err!|npm error|usage)(?:\[\w+\])?[:\s]+|\[[\w ./-]+\]\s*|exit code \d+\s*)+`),
	author: automata.New(`^(?:[\w./-]*/)?([\w.+-]+): `),
	glob:   automata.New(`(?i)no matches found`),
	parse:  automata.New("(?i)(?:parse error|syntax error) near(?: unexpected token)? [`'\"]?([^`'\"\\s]{1,12})"),
}

// namedThing is what a message names, with or without quotes.
const namedThing = "[`'\"‘“]?([\\w@][\\w@./:-]*)[`'\"’”]?"

// phrase puts title and fix in plain words, where the detector left them to the
// tables here. A failure is redacted first: what a title takes out of its text
// may be half a secret.
func (f *finding) phrase(r *redact.Redactor) {
	detected := f.failure != nil && f.asDetected()
	f.failure = redactFailure(f.failure, r)
	if f.failure != nil {
		f.mistake = plainMistake(r.Text(f.mistake).String())
	}
	switch {
	case f.failure == nil:
		if f.origin == observe.OriginUserCorrection || f.origin == observe.OriginDecision {
			if f.kind == UserCorrection && requests.MatchString(f.fix) {
				f.fix, f.unfit = plainTitle(f.fix), "" // a request in the form of a question
			}
			if !f.judged {
				f.title = plainTitle(f.title)
			}
		}
	case f.failure.Class == shellSyntax.String() && shellFix(f.failure.Text) != "":
		f.title, f.fix = failureTitle(f.failure), shellFix(f.failure.Text)
		f.unfit = ""
	case detected:
		f.title = failureTitle(f.failure)
	case strings.HasSuffix(f.title, "` fails"):
		f.title = cmp.Or(f.withoutFlag(), knownFailure(f.triggered()), f.title) // it says why
	}
}

// withoutFlag is the title where the program says that it has no such flag as the trigger's,
// else "".
func (f *finding) withoutFlag() string {
	if f.trigger == nil || len(f.trigger.Commands) != 1 || f.failure.Class != usage.String() || !unknownToIt.MatchString(f.failure.Text) {
		return ""
	}
	c := mainCommand(shell.Parse(f.trigger.Commands[0]))
	if c == nil || len(c.Operands) > 2 || len(c.FlagNames()) != 1 || !plainFlag.MatchString(c.FlagNames()[0]) {
		return ""
	}
	flag := c.FlagNames()[0]
	if !(errorText{text: f.failure.Text}).names(flag) && !ofFlags.MatchString(f.failure.Text) {
		return ""
	}
	return code(strings.Join(append([]string{c.Name()}, c.Operands...), " ")) + " has no flag " + code(flag)
}

// plainFlag is a flag, and no pattern that begins with a dash.
var plainFlag = automata.New(`^--?[A-Za-z][\w.-]*$`)

// ofFlags is a message about flags. One about a value, a revision or a field may be the flag's
// fault in no way.
var ofFlags = automata.New(`(?i)\b(?:flag|option|switch)(?:e?s)?\b`)

var unknownToIt = automata.New(`(?i)unknown|unrecogni[sz]ed|not defined|unexpected argument|(?:invalid|illegal|bad) (?:option|flag|argument|switch)|no such (?:option|flag)|(?:option|flag) .*does not exist|(?:find|have|not) an? (?:\w+ )?(?:option|flag)`)

// triggered is the failure with the command that the trigger names: of several
// commands of a line the one that the words are about.
func (f *finding) triggered() *fingerprint.Failure {
	failure := *f.failure
	if f.trigger != nil && len(f.trigger.Commands) == 1 {
		if c := mainCommand(shell.Parse(f.trigger.Commands[0])); c != nil && !strings.HasPrefix(failure.Command, c.Name()) {
			failure.Command = c.Name()
		}
	}
	return &failure
}

// shellFix is what helps against a shell that reads a text as its own, "" where that is not
// what was wrong.
func shellFix(text string) string {
	switch {
	case text == backquoted:
		return "Put text with backquotes in single quotes, or pass it in a file: a shell runs what stands between them"
	case unquoted(text):
		return "Put quotes around `*`, `?`, `[` and parentheses that are text. Look for files with `find`: zsh runs nothing when a glob matches no file"
	}
	return ""
}

// unquoted says whether a shell read what was meant as text for its own: a glob
// that matches nothing, or a parenthesis.
func unquoted(text string) bool {
	p := failureTitles
	return p.glob.MatchString(text) || strings.ContainsAny(named(p.parse, text), "()")
}

// asDetected says whether the title is the bare error line behind what failed.
func (f *finding) asDetected() bool {
	if f.title == "" {
		return true
	}
	line := normalSalient(f.failure.Text)
	return f.title == line || f.title == f.failure.Command+": "+line || f.title == f.tool+": "+line
}

// failureTitle is the title of a failure, given its redacted text.
func failureTitle(f *fingerprint.Failure) string {
	return cmp.Or(knownFailure(f), plainFailure(f, firstLine(f.Text)))
}

// knownFailure is the title of a failure whose form is in the table, else "".
func knownFailure(f *fingerprint.Failure) string {
	p := failureTitles
	text := firstLine(f.Text)
	program, _, _ := strings.Cut(f.Command, " ")
	name := ""
	names := func(p *automata.Pattern) bool {
		name = named(p, text)
		return name != ""
	}
	switch {
	case f.Class == shellSyntax.String() && text == backquoted:
		return "The shell runs what stands between backquotes"
	case f.Class == shellSyntax.String() && unquoted(text):
		return "The shell refuses unquoted globs and parentheses"
	case f.Class == shellSyntax.String() && names(p.parse):
		if strings.ContainsAny(name, "abcdefghijklmnopqrstuvwxyz") {
			return "The shell cannot parse `" + name + "` where it stands"
		}
		return "The shell does not parse an unquoted `" + name + "`"
	case f.Class == timedOut.String() && f.Command != "":
		return code(f.Command) + " does not come back"
	case f.Command == "":
	case names(p.needs):
		return code(f.Command) + ": " + code(name) + " needs a value"
	case names(p.takes):
		return code(f.Command) + " takes " + name + " argument" + plural(name)
	case names(p.flag):
		return code(f.Command) + " has no flag " + code(dashed(name))
	case names(p.command) && name != program:
		return code(ownerOf(f.Command, name)) + " has no command " + code(name)
	case names(p.script):
		return code(ownerOf(f.Command, name)) + " has no script " + code(name)
	case names(p.module):
		return code(program) + " cannot find the module " + code(name)
	case names(p.program):
		return code(name) + " is not installed"
	case f.Class == notRunnable.String():
		return code(program) + " does not run here"
	}
	return ""
}

// code is a name as code, in the marks of all titles.
func code(name string) string { return string(plain.Code(name)) }

// plural is the ending of what there is so much of.
func plural(number string) string {
	if number == "1" || strings.HasSuffix(number, " 1") {
		return ""
	}
	return "s"
}

// plainFailure is the error's own words behind the command, without the names
// and marks that stand before them.
func plainFailure(f *fingerprint.Failure, text string) string {
	p := failureTitles
	text = p.lead.ReplaceAllString(normalSalient(text), "")
	about := cmp.Or(f.Command, f.Tool)
	if m := p.author.FindStringSubmatch(text); m != nil && strings.HasPrefix(about, m[1]) {
		text = p.lead.ReplaceAllString(text[len(m[0]):], "")
	}
	text = strings.Trim(text, " .:;,")
	if text == "" || about == "shell" {
		return strings.Trim(about+" "+text, " ")
	}
	if f.Command != "" {
		about = code(about)
	}
	return about + ": " + text
}

// dashed is a flag as it is written: some programs name it without its dashes.
func dashed(flag string) string {
	switch {
	case strings.HasPrefix(flag, "-"):
		return flag
	case len(flag) == 1:
		return "-" + flag
	}
	return "--" + flag
}

// ownerOf is a command without the word that it does not know.
func ownerOf(command, unknown string) string {
	if owner, ok := strings.CutSuffix(command, " "+unknown); ok {
		return owner
	}
	return command
}

// named returns the first group that matched.
func named(p *automata.Pattern, text string) string {
	for i, group := range p.FindStringSubmatch(text) {
		if i > 0 && group != "" {
			return strings.TrimRight(group, ".:,")
		}
	}
	return ""
}

// maxShownCommand is how much of a failing command a mistake tells, in bytes.
const maxShownCommand = 100

var plainCommands = struct{ elsewhere, trailing, shell, author *automata.Pattern }{
	elsewhere: automata.New(`(^|[\s"'=:(])(?:~|/(?:[\w.@-]+))(?:/[\w.@ -]*[\w.@-])*/([\w.@*?-]+)/?`),
	trailing:  automata.New(`(?:\s*(?:[12&]?>\s*(?:/dev/null|&1)|\|\s*(?:head|tail)(?:\s+-n?\s*\d+|\s+-\d+)?))+\s*$`),
	shell:     automata.New(`(?:\(eval\)|\b(?:zsh|bash|sh))(?::\s*(?:-c:\s*)?(?:line\s*)?\d+)?: `),
	author:    automata.New(`(failed[^:]*: )(?:/[\w.-]+)+/([\w.-]+): `),
}

// plainMistake is the sentence about a failing call with as much of the command
// as tells it, without places of one machine and without what only trims its
// output.
func plainMistake(mistake string) string {
	p := plainCommands
	rest, ok := strings.CutPrefix(mistake, "`")
	end := strings.LastIndex(rest, "` failed")
	if end < 0 {
		end = strings.Index(rest, "` did not")
	}
	if !ok || end < 0 {
		return mistake
	}
	command, said := rest[:end], rest[end+1:]
	command = strings.TrimPrefix(withoutPlaces(p.trailing.ReplaceAllString(command, "")), "…/")
	if len(command) > maxShownCommand {
		if cut := strings.LastIndexByte(command[:maxShownCommand], ' '); cut > 0 {
			command = strings.TrimRight(command[:cut], " |&;") + " …"
		}
	}
	said = strings.TrimRight(said, " :")
	said = p.author.ReplaceAllString(p.shell.ReplaceAllString(said, ""), "$1$2: ")
	return string(plain.Code(command)) + withoutPlaces(said)
}

// withoutPlaces leaves of the paths outside of the repository their last part.
func withoutPlaces(text string) string {
	places := plainCommands.elsewhere.FindAllStringSubmatchIndex(text, -1)
	if places == nil {
		return text
	}
	var out strings.Builder
	at := 0
	for _, loc := range places {
		if strings.HasSuffix(text[loc[0]:loc[1]], "/dev/null") {
			continue
		}
		out.WriteString(text[at:loc[3]]) // with the sign before the path
		out.WriteString("…/")
		out.WriteString(text[loc[4]:loc[5]])
		at = loc[1]
	}
	out.WriteString(text[at:])
	return out.String()
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// fileTitle is the title of a failure of a tool that works on files.
func fileTitle(tool, file, text string) string {
	return tool + " of " + path.Base(file) + ": " + strings.Trim(failureTitles.lead.ReplaceAllString(normalSalient(firstLine(text)), ""), " .:")
}

var leadIns = phrasebook.Pattern("leadIns")

// requests finds what is asked for politely: no question, whatever its mark.
var requests = phrasebook.Pattern("requests")

// plainTitle is a person's sentence as a heading: without the words that only
// lead to it.
func plainTitle(said string) string {
	said = onOneLine(said)
	title := leadIns.ReplaceAllString(said, "")
	title = strings.TrimRight(strings.TrimSpace(title), " .,;:!")
	if requests.MatchString(said) {
		title = strings.TrimRight(title, " ?")
		if rest, ok := strings.CutPrefix(title, "not "); ok {
			title = "do not " + rest
		}
	}
	title = strings.TrimSuffix(strings.TrimSuffix(title, " please"), " pls")
	if statement.CountWords(title) < 2 {
		title = strings.TrimRight(said, " .,;:!")
	}
	return capitalised(title)
}

// capitalised is a text that begins with a capital, unless its first word is code.
func capitalised(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	word, _, _ := strings.Cut(title, " ")
	if !unicode.IsLower(first) || word != strings.ToLower(word) || strings.ContainsAny(word, "_/.-()=`0123456789") {
		return title
	}
	return string(unicode.ToUpper(first)) + title[size:]
}
