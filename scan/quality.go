package scan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Surroundings is what a repository says by itself, as far as the gate of
// quality asks. The zero value knows nothing and lets names pass that look like
// ones.
type Surroundings struct {
	// Has says whether a path, a file's name, a script or a dependency is there.
	// Several goroutines may call it.
	Has func(name string) bool
	// Docs are the texts that agents read anyway and the settings of linters,
	// which hold agents to their rules: README, AGENTS.md, .golangci.yml and so on.
	Docs []string
}

// What findings lack that teach no way of calling.
const (
	withoutFix     = "no fix is known"
	withoutTrigger = "nothing tells it from calls that work"
	ownWork        = "it was mended in the course of the work"
)

const (
	minWords = 6 // of what is to be known
	maxWords = 60
	// maxTold is how long a command may be that is told as a fix, in bytes.
	maxTold = 160
)

// flawOf says why something is not fit to be written down, or "". It is the
// gate of algorithms section 9: what is told names something that is there, has
// a verb of action, 6 to 60 words, nothing of a single session and no secret,
// and the repository does not say it already. What the agent or a person
// declared passes but for secrets and repetition.
func flawOf(f *finding, sig *observe.Signal, around Surroundings) string {
	told := toldBy(f, sig)
	switch {
	case redacted(told):
		return "something secret was taken out of it"
	case !f.written && around.states(sig):
		return "the repository says it already"
	case f.kind == SelfReport || f.kind == Block:
		return ""
	case f.failure != nil:
		return failureFlaw(f, sig)
	case len(sig.Items) > 0:
		return stepsFlaw(sig)
	case f.judged && (particular.MatchString(told) || address.MatchString(told)):
		return "it belongs to one session"
	case f.judged:
		return ""
	}
	flaw := wordsFlaw(sig, around)
	if f.kind == Note && flaw == "" {
		return observe.NotedAlone
	}
	return flaw
}

// toldBy is the text that an artifact would be made of.
func toldBy(f *finding, sig *observe.Signal) string {
	if f.failure != nil {
		return sig.Mistake.String() + " " + sig.Fix.String()
	}
	return cmp.Or(sig.Fix.String(), sig.Title.String())
}

// lacksReason is what a choice without a reason lacks.
func lacksReason(reason string) string {
	if reason == "" {
		return "no reason is given"
	}
	return ""
}

// lacksPreference is what an objection lacks that does not say what is wanted.
func lacksPreference(words string) string {
	switch {
	case asks(words):
		return "it is a question"
	case !prefers(words):
		return "it does not say what to do instead"
	}
	return ""
}

func redacted(text string) bool { return strings.Contains(text, "[REDACTED") }

// failureFlaw judges a failing call and its fix. The command that was run is
// the name that is there.
func failureFlaw(f *finding, sig *observe.Signal) string {
	fix := sig.Fix.String()
	switch {
	case fix == "":
		return withoutFix
	case len(fix) > maxTold || strings.Contains(fix, "<<") || strings.Count(fix, "\n") > 0:
		return "the fix is a whole script"
	case particular.MatchString(fix) || strings.Contains(strings.ReplaceAll(fix, "=…`", ""), "…"): // but for a value that a flag takes
		return "the fix belongs to one session"
	case namesElse(f, sig.Trigger):
		return "the failure is about another call"
	case otherTask(f):
		return "what worked is another task"
	case ofOneDay(f.failure.Class, sig.Trigger):
		return "the call belongs to one session"
	case !f.meant && safeguard.MatchString(fix):
		return "the fix turns a safeguard off, which is a person's to allow"
	case f.rule == "" && !slices.Contains(f.marks, observe.MarkFirst) && f.failure.Class != shellSyntax.String() && lesson.CanonicalTrigger(sig.Trigger) == "":
		return "no call is known that it applies to"
	}
	return wordsIn(sig.Mistake.String() + " " + fix)
}

// namesElse says whether the failure names a flag that the trigger does not have:
// several commands ran, and another one failed.
func namesElse(f *finding, t *lesson.Trigger) bool {
	flag := strings.TrimLeft(named(failureTitles.flag, firstLine(f.failure.Text)), "-")
	return flag != "" && t != nil && len(t.Commands) > 0 && !slices.ContainsFunc(t.Commands, func(c string) bool { return strings.Contains(c, flag) })
}

// otherTask says whether the command that worked is another program and has no word
// of the one that failed.
func otherTask(f *finding) bool {
	if len(f.examples.Match) == 0 || len(f.examples.Miss) == 0 {
		return false
	}
	wrong, right := mainCommand(shell.Parse(f.examples.Match[0])), mainCommand(shell.Parse(f.examples.Miss[0]))
	if wrong == nil || right == nil || sameName(wrong.Program, right.Program) {
		return false
	}
	words := slices.Concat(wrong.Wrappers, wrong.Sub, wrong.Operands, []string{wrong.Program})
	return !slices.ContainsFunc(words, func(w string) bool {
		return hasWord(right, w) || len(w) > 2 && strings.Contains(right.Program, w)
	})
}

// ofOneDay says whether a trigger is about a place, a branch or a text that the next
// session will hardly ask for, or that may be there by then.
func ofOneDay(class string, t *lesson.Trigger) bool {
	if t == nil || len(t.Commands) != 1 {
		return false
	}
	c := mainCommand(shell.Parse(t.Commands[0]))
	if c == nil {
		return false
	}
	values := slices.Clone(c.Operands)
	for _, f := range c.Flags {
		if len(f.Name) > longestPattern {
			return true
		}
		values = append(values, f.Value)
	}
	if onlyLooks := c.Program != "git" && (plumbing[c.Program] || looks[c.Program]); onlyLooks && class == missingPath.String() && len(c.Flags) == 0 {
		return true
	}
	return c.Program != "source" && c.Program != "." && slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, "/") && !globby().MatchString(v) })
}

// longestPattern is how long a text may be that a program took for a flag and that
// others may look for too.
const longestPattern = 24

// safeguard finds options and comments that let something pass which is held back for
// good reason.
var safeguard = automata.New(`(?i)--no-(?:verify|gpg-sign|check\w*|strict)\b|(?:^|\s)--force\b|--?auto-approve\b|StrictHostKeyChecking|--insecure\b|--skip-\w|--ignore-\w|--privileged\b|--dangerously|--trusted-host|--legacy-peer-deps|--openssl-legacy|--break-system-packages|--allow-(?:root|dirty|unsafe)|\b(?:nolint|noqa|eslint-disable|biome-ignore|prettier-ignore|noinspection|rubocop:disable|markdownlint-disable|istanbul ignore)\b|@ts-(?:ignore|expect-error|nocheck)|\b(?:type: ?ignore|pylint: ?disable|shellcheck disable|pragma: ?no cover)|#!?\[allow\(|@SuppressWarnings|\b(?:chmod (?:-R )?777|HUSKY=0|SKIP=\w|GIT_SSL_NO_VERIFY|NODE_TLS_REJECT_UNAUTHORIZED)`)

// stepsFlaw judges a way of working: it must be more than this session's task.
func stepsFlaw(sig *observe.Signal) string {
	for _, it := range sig.Items {
		switch s := it.String(); {
		case statement.CountWords(s) > 40:
			return "a step is too long"
		case particular.MatchString(s) || address.MatchString(s):
			return "a step belongs to one session"
		}
	}
	return ""
}

// wordsFlaw judges what a person said.
func wordsFlaw(sig *observe.Signal, around Surroundings) string {
	said := cmp.Or(sig.Fix.String(), sig.Title.String())
	switch {
	case strings.HasSuffix(strings.TrimSpace(said), "?"):
		return "it is a question"
	case particular.MatchString(said) || address.MatchString(said) || pointing.MatchString(said):
		return "it belongs to one session"
	case !action.MatchString(said):
		return "it says nothing to do"
	case !around.names(said, sig.Trigger):
		return "it names nothing that is there"
	}
	return wordsIn(said)
}

func wordsIn(text string) string {
	if n := statement.CountWords(text); n < minWords {
		return "it is too short to be understood"
	} else if n > maxWords {
		return "it is too long for one lesson"
	}
	return ""
}

// lossMarks tells whether the words of a person or a report speak of lost data
// or of a failure that nobody saw. What a program says of itself counts not: it
// warns of losses that it prevents.
func lossMarks(f *finding) []observe.Mark {
	if f.failure == nil && (loss.MatchString(f.mistake) || loss.MatchString(f.fix) || slices.ContainsFunc(f.quotes, loss.MatchString)) {
		return []observe.Mark{observe.MarkDataLoss}
	}
	return nil
}

var loss = phrasebook.Pattern("loss")

// particular finds what only one session or machine has: places outside of the
// repository, temporary folders, hashes, ids and days.
var particular = automata.New(`(?:^|[\s"'=:(` + "`" + `])(?:~|/(?:tmp|var/folders|home|Users|private|root))/|\b[0-9a-f]{12,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-|\b20\d\d-\d\d-\d\d\b|(?:^|\s)#\d+\b`)

var address = automata.New(`\b[a-z][a-z0-9+.-]*://|\S@\S+\.\w`)

// pointing finds words that only the session itself makes clear.
var pointing = phrasebook.Pattern("pointing")

// action finds a verb of doing, in the imperative or behind a word of duty.
var action = phrasebook.Pattern("action")

// namelike finds words that are written like code: spans, paths, flags,
// identifiers and file names.
var namelike = automata.New("`[^`\\s][^`]*`|(?:^|\\s)--?[A-Za-z][\\w-]+|\\b[\\w.-]*\\w/[\\w./*-]+|\\b\\w+(?:_\\w+)+\\b|\\b[a-z]+[A-Z]\\w*\\b|\\b[A-Z][a-z0-9]+[A-Z]\\w*\\b|\\b[\\w-]+\\.[a-z]{1,5}\\b|\\b[\\w-]+\\(\\)|@[\\w-]+/[\\w-]+")

// names says whether a text names something that is there: the command of its
// trigger, a program that tables know, or a path, script or dependency of the
// repository. Where the repository is not known, what is written like a name
// counts.
func (around Surroundings) names(text string, t *lesson.Trigger) bool {
	if t != nil && len(t.Commands)+len(t.Paths) > 0 {
		return true
	}
	written := namelike.FindAllString(text, -1)
	if around.Has == nil {
		return len(written) > 0
	}
	for _, name := range written {
		name = strings.Trim(name, "` ()")
		program, _, _ := strings.Cut(name, " ")
		if _, known := aboutProgram[program]; known || around.Has(name) || around.Has(program) {
			return true
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;:!()\"'", r) }), func(word string) bool {
		return len(word) > 3 && around.Has(strings.TrimRight(word, "."))
	})
}

// states says whether a document holds nearly all of a text's runs of three
// words: what everybody is told at every start gains nothing by being told again.
func (around Surroundings) states(sig *observe.Signal) bool {
	if len(around.Docs) == 0 {
		return false
	}
	for _, text := range []string{sig.Title.String(), sig.Fix.String()} {
		runs := wordRuns(text)
		if len(runs) < 3 {
			continue
		}
		for _, doc := range around.Docs {
			have := lists.Count(runs, func(run string) bool { return strings.Contains(doc, " "+run+" ") })
			if 5*have >= 4*len(runs) {
				return true
			}
		}
	}
	return false
}

func wordRuns(text string) []string {
	words := strings.Fields(prose.NormaliseTitle(text))
	var runs []string
	for i := 0; i+3 <= len(words); i++ {
		runs = append(runs, strings.Join(words[i:i+3], " "))
	}
	return runs
}

// FlatDoc puts a document in the form in which [Surroundings] hold it: its
// words alone, in lower case.
func FlatDoc(text string) string { return " " + prose.NormaliseTitle(text) + " " }
