package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

// preparation is what ran before a command worked as it was written when it failed: in
// its own line, else in a line between the two, empty when nothing did. Settings that
// follow one another belong together.
func (w *Window) preparation(wrong, right *Step, good *shell.Command) []*shell.Command {
	if own := preparedInLine(wrong, right, good); own != nil {
		return own
	}
	for s := range w.between(wrong, right) {
		if !runs(s) {
			continue
		}
		for i, c := range s.line().Commands {
			if settings[c.Program] && (c.Program != "cd" && c.Program != "pushd" || wrong.Cwd != right.Cwd) {
				return together(s.line().Commands[i:])
			}
		}
	}
	if ran := w.runBetween(wrong, right, good); ran != nil {
		return []*shell.Command{ran}
	}
	return nil
}

// preparedInLine is what ran for a command in its own line, and had not run in the one that
// failed.
func preparedInLine(wrong, right *Step, good *shell.Command) []*shell.Command {
	before := wrong.line().Commands
	own := right.line().Commands
	own = own[:max(0, slices.Index(own, good))]
	for i, c := range own {
		if (settings[c.Program] || readies(c, good)) && !slices.ContainsFunc(before, func(o *shell.Command) bool { return o.Source == c.Source }) {
			return together(own[i:])
		}
	}
	return nil
}

// preparedAnew is what ran before a command worked that is called with less than when it
// failed: without variables, or, in one line with what prepares it, without flags too, as
// these only say how it shows its work.
func (w *Window) preparedAnew(wrong, right *Step, bad *shell.Command, r repair) []*shell.Command {
	if r.program || len(r.added) > 0 || len(r.removed) == 0 {
		return nil
	}
	rest := less(r.removed, bad.Env)
	switch {
	case len(rest) == 0:
		return w.preparation(wrong, right, r.right)
	case !slices.ContainsFunc(rest, func(word string) bool { return !ofFlag(bad, word) }):
		return preparedInLine(wrong, right, r.right)
	}
	return nil
}

// afterPreparation is how a command was mended by what ran before it.
func afterPreparation(prepared []*shell.Command) fixKind {
	if settings[prepared[0].Program] {
		return otherSetting
	}
	return afterRun
}

// ofFlag says whether a word of a command is a flag, or the value of one.
func ofFlag(c *shell.Command, word string) bool {
	return slices.ContainsFunc(c.Flags, func(f shell.Flag) bool {
		return word == f.Name || word == f.Value || word == f.Next || word == f.String()
	})
}

// together is the first of some commands, with the settings behind it if it is one itself.
func together(commands []*shell.Command) []*shell.Command {
	n := 1
	for settings[commands[0].Program] && n < len(commands) && settings[commands[n].Program] {
		n++
	}
	return commands[:n]
}

// runFirst says what to run, in one line.
func runFirst(prepared []*shell.Command) string {
	return "Run `" + oneCommand(strings.Join(lists.Map(prepared, func(c *shell.Command) string { return c.Source }), " && ")) + "` first"
}

// settings are programs that set the scene for the commands behind them: the folder,
// variables, the version of a language.
var settings = lists.Words("cd pushd source . export set unset ulimit eval nvm fnm conda pyenv mise asdf sdk rbenv")

// onlySets says whether a repair of a command did nothing but set variables or name the folder
// to work in, whatever variables it left out.
func (r repair) onlySets(bad *shell.Command) bool {
	if r.program || len(less(r.removed, bad.Env)) > 0 || len(r.added) == 0 {
		return false
	}
	for _, word := range r.added {
		i := slices.IndexFunc(r.right.Flags, func(f shell.Flag) bool { return f.Name == word || f.Value == word || f.Next == word })
		if !slices.Contains(r.right.Env, word) && (i < 0 || !namesFolder[r.right.Flags[i].Name]) {
			return false
		}
	}
	return true
}

// namesFolder are flags by which programs work in another folder.
var namesFolder = map[string]bool{"-C": true, "--prefix": true, "--cwd": true, "--dir": true, "--directory": true, "--chdir": true}
