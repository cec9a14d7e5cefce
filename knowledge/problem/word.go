package problem

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// Revision is the branch or tag that git does not have, whatever it was to do with it: no call
// with it worked. "" where it is none.
func (p *Problem) Revision() string {
	if p.Program == "git" && p.Nature == NotThere && !p.known {
		return plainName().FindString(p.Word())
	}
	return ""
}

// Word is what all failures turn down of their commands: a flag, a path, a name, or a part of
// a word. Other calls of the program need no advice. "" where there is no such word.
func (p *Problem) Word() string {
	if p.Class != "usage" && p.Class != "missing-path" || p.Rule != "" {
		return ""
	}
	var words []string
	for i, f := range p.Failures {
		turned := turnedDown(f.Call)
		if i > 0 {
			turned = lists.Filter(words, func(w string) bool { return slices.Contains(turned, w) })
		}
		if words = turned; len(words) == 0 {
			return ""
		}
	}
	return words[0]
}

// turnedDown are the words of a call's command that its failure names, flags first, and the
// part of a word that it names before the word.
func turnedDown(c *calls.Call) (words []string) {
	line := c.Failure.Line
	for _, cmd := range shell.Parse(c.Input).Commands {
		if cmd.Program != c.Failure.Program {
			continue
		}
		for _, f := range cmd.Flags {
			if says(line, f.Name, wordBegins, wordEnds) || bareFlag(line, f.Name) {
				words = append(words, asPassed(f))
			}
		}
		if oneTooMany().MatchString(line) {
			continue // the word may be right in another place
		}
		values := lists.MapSome(cmd.Flags, func(f shell.Flag) string { return cmp.Or(f.Value, f.Next) })
		for _, w := range slices.Concat(cmd.Operands, values, cmd.Sub) {
			if rev := revision(w); cmd.Program == "git" && rev != "" && says(line, w, wordBegins, wordEnds) {
				words = append(words, rev)
			}
			parts := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(",:=", r) })
			for _, part := range append(parts, w) {
				noCommand := strings.ContainsAny(part, "./") && strings.Contains(line, "command") // any file is none
				if len(part) > 1 && !noCommand && telling().MatchString(part) && says(line, part, wordBegins, wordEnds) {
					words = append(words, part)
				}
			}
		}
	}
	return words
}

// revision is the branch or tag of a revision or range: main of origin/main...HEAD. "" where
// there are two.
func revision(word string) string {
	from, to, _ := strings.Cut(word, "..")
	var names []string
	for _, end := range []string{from, strings.TrimPrefix(to, ".")} {
		if end = strings.TrimPrefix(end, "origin/"); end != "" && !strings.HasPrefix(end, "HEAD") {
			names = append(names, end)
		}
	}
	if len(names) != 1 || !plainName().MatchString(names[0]) {
		return ""
	}
	return names[0]
}

// plainName is a name that may be a branch's, and no path to a file.
var plainName = automata.Lazily(`^[A-Za-z][\w-]*$`)

// revisionWorked says whether a call of git worked that has a revision.
func (g *gatherer) revisionWorked(rev string) bool {
	for a := range g.worked {
		if a.tool == "Bash" && strings.Contains(a.input, rev) && slices.ContainsFunc(shell.Parse(a.input).Commands, func(c *shell.Command) bool {
			return c.Program == "git" && slices.ContainsFunc(c.Operands, func(o string) bool { return revision(o) == rev })
		}) {
			return true
		}
	}
	return false
}

var oneTooMany = automata.Lazily(`(?i)unexpected (?:extra )?(?:argument|operand)|extra operand|too many|accepts (?:at most |between )?\d`)

// telling is a word that is no number and no pattern.
var telling = automata.Lazily(`^[\w./:@+~-]*[A-Za-z][\w./:@+~-]*$`)

// bareFlag says whether a line turns down a flag without its dashes: in quotes, or as no option.
func bareFlag(line, flag string) bool {
	name := strings.TrimLeft(flag, "-")
	return len(name) > 1 && (says(line, name, quoteBegins, quoteEnds) || says(line, name, wordBegins, noFlag))
}

// asPassed is a flag as a trigger has it: behind "--" where it is given to the target.
func asPassed(f shell.Flag) string {
	if f.Passed {
		return "-- " + f.Name
	}
	return f.Name
}

// says tells whether a word stands in a line by itself, with something before and behind it.
func says(line, word string, before, behind *automata.Pattern) bool {
	for from := 0; word != ""; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return false
		}
		from += i + len(word)
		if before.MatchString(line[:from-len(word)]) && behind.MatchString(line[from:]) {
			return true
		}
	}
	return false
}

var (
	wordBegins, wordEnds   = automata.New(`(?:^|[^\w./-])$`), automata.New(`^(?:$|\.?(?:$|[^\w./-]))`)
	quoteBegins, quoteEnds = automata.New("[\"'`]$"), automata.New("^[\"'`]")
	noFlag                 = automata.New(`^ is not an? (?:\w+ )?(?:option|flag|argument)`)
)
