package problem

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/calls"
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
		return shellAdvice(p.What)
	case p.Tool == "Skill" && p.Nature == NotThere && best.How == calls.ByOther:
		return "do it without that skill" // what was done next is of its occasion
	case p.Nature == NotThere && p.Program == "cd":
		return "the shell may still be where an earlier call went: use the whole path"
	case p.Nature == NotThere && p.Program == "" && p.Class == "missing-path":
		return meant(p.What) // the nearest is looked for at the call
	case !ok || vague().MatchString(best.Fix):
		return ""
	case p.Rule != "" && best.How == calls.ByEdit && best.Fix != "":
		return "for example, " + prose.LowerFirst(best.Fix) // one of many edits
	}
	return best.Fix
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

// shellAdvice is what is known to help where the shell did not understand a line. What
// ran next says little of it.
func shellAdvice(what string) string {
	for _, known := range [...][2]string{
		{"no matches found", globAdvice},
		{"command not found", "put text with backquotes in single quotes, or pass it in a file"},
		{"bad pattern", globAdvice},
		{"event not found", "put single quotes around text with `!`"},
		{"bad substitution", "put single quotes around text with `$`"},
		{"unmatched", "close the quote, or write the text into a file first"},
		{"unexpected EOF", "close the quote, or write the text into a file first"},
		{"unterminated", "close the quote, or write the text into a file first"},
		{"near", "put quotes around words with parentheses or other signs of the shell"},
	} {
		if strings.Contains(what, known[0]) {
			return known[1]
		}
	}
	return ""
}

// vague are mends that say nothing to who was not there, or no more than the failure does.
var vague = automata.Lazily(`^$|of something else|with other arguments|^An edit of|^The same file|^Write it so that|^Follow |^Check with `)
