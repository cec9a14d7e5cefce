package problem

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/edits"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Advice says what to do about a problem; "" when nothing is known that would help
// somebody who was not there.
func (p *Problem) Advice() string {
	best, ok := p.Best()
	switch {
	case p.Class == "edit-state":
		return editAdvice(p.What)
	case p.Class == "shell-syntax":
		return misread(p.What).advice
	case p.Tool == "Skill" && p.Nature == NotThere && best.How == calls.ByOther:
		return "do it without that skill" // what was done next is of its occasion
	case p.Nature == NotThere && p.Program == "cd":
		return "the shell may still be where an earlier call went: use the whole path"
	case p.Nature == NotThere && p.Program == "" && p.Class == "missing-path":
		return meant(p.What) // the nearest is looked for at the call
	case p.Nature == NotThere && strings.HasPrefix(best.Fix, "Leave out "):
		return "" // it was to be asked for
	case ok && len(best.fixes) > 0:
		return best.byEdits()
	case !ok || vague().MatchString(best.Fix):
		return ""
	}
	return best.Fix
}

// byEdits tells of the edits that mended a rule; "" where none is known.
func (m Mend) byEdits() string {
	if edits.Lone(m.fixes) {
		return "in one case, " + prose.LowerFirst(edits.Of(m.fixes)[0])
	}
	return prose.LowerFirst(edits.Tell(m.fixes, 1))
}

// meant is the path that a message proposes for the one that is not there.
func meant(what string) string {
	if m := proposed().FindStringSubmatch(what); m != nil {
		return "use `" + m[1] + "`"
	}
	return ""
}

var proposed = automata.Lazily("[Dd]id you mean [\"'`]?([^\\s\"'`?]+)")

// editAdvice is what is known to help where an edit did not fit the file.
func editAdvice(what string) string {
	switch {
	case strings.Contains(what, "matches of the string"):
		return "quote more lines around it, or replace all"
	case strings.Contains(what, "exactly the same"):
		return ""
	}
	return "read the file again right before the edit"
}

// globAdvice holds for text that is no glob, and for a glob that matches no file.
const globAdvice = "quote `*`, `?`, `[` that are text; look for files with `find`, as zsh runs no glob without a match"

// shellProblem is a way in which a shell does not understand a line.
type shellProblem struct{ says, name, advice string }

var shellProblems = [...]shellProblem{
	{"no matches found", "a glob that is text, or matches no file", globAdvice},
	{"command not found", "the shell ran what stands between backquotes", "put text with backquotes in single quotes, or pass it in a file"},
	{"bad pattern", "a glob that is text", globAdvice},
	{"event not found", "the shell replaced text with `!`", "put single quotes around text with `!`"},
	{"bad substitution", "the shell replaced text with `$`", "put single quotes around text with `$`"},
	{"unmatched", "a quote is not closed", "close the quote, or write the text into a file first"},
	{"unexpected EOF", "a quote is not closed", "close the quote, or write the text into a file first"},
	{"unterminated", "a quote is not closed", "close the quote, or write the text into a file first"},
	{"near", "the shell read text as its own", "put quotes around words with parentheses or other signs of the shell"},
}

// misread tells which of them a message is about. What ran next says little of it.
func misread(what string) shellProblem {
	for _, known := range shellProblems {
		if strings.Contains(what, known.says) {
			return known
		}
	}
	return shellProblem{}
}

// vague are mends that say nothing to who was not there, or no more than the failure does.
var vague = automata.Lazily(`^$|of something else|with other arguments|^An edit of|^The same file|^Write it so that|^Follow |^Check with |^(?:Read|Write|Edit|LS) of \S+$`)
