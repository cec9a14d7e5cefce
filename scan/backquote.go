package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
)

// backquoted is what fails where a text has backquotes that a shell takes for its own: what
// stands between them is run, and is no program.
const backquoted = "command not found"

var notRun = automata.New(`(?:command not found|permission denied|no such file or directory): ([^\s:]+)|([\w./+-]+): (?:(?:command )?not found|Permission denied|No such file or directory|Is a directory)\s*$`)

// runsQuoted returns the line of an output that says of a word of a text that it cannot be
// run: the word stands between backquotes that nothing protects from the shell.
func runsQuoted(call *Step, text string) (says string, ok bool) {
	if !strings.Contains(call.Command, "`") {
		return "", false
	}
	for line := range linesOf(text) {
		gone := named(notRun, line)
		if gone != "" && slices.ContainsFunc(call.line().All, func(c *shell.Command) bool {
			return c.In(shell.Substituted) && (c.Program == gone || c.Path == gone) && strings.Contains(call.Command, "`"+c.Source)
		}) {
			return line, true
		}
	}
	return "", false
}

// kindOfText is what of a failure's text says of which kind it is. Which word a shell took
// for a program says nothing.
func (f *fault) kindOfText(text string) string {
	if f.quoted {
		return backquoted
	}
	return text
}
