package scan

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/shell"
)

// preparation is what ran before a command worked as it was written when it failed: in
// its own line, else in a line between the two, nil when nothing did.
func (w *Window) preparation(wrong, right *Step, good *shell.Command) *shell.Command {
	before := wrong.line().Commands
	for _, c := range right.line().Commands {
		if c == good {
			break
		}
		if (settings[c.Program] || !plumbing[c.Program] && !showsText(c)) && !slices.ContainsFunc(before, func(o *shell.Command) bool { return o.Source == c.Source }) {
			return c
		}
	}
	for s := range w.between(wrong, right) {
		if !runs(s) {
			continue
		}
		for _, c := range s.line().Commands {
			if settings[c.Program] && (c.Program != "cd" && c.Program != "pushd" || wrong.Cwd != right.Cwd) {
				return c
			}
		}
	}
	if ran := w.runBetween(wrong, right); ran != nil {
		return mainCommand(ran.line())
	}
	return nil
}

// settings are programs that set the scene for the commands behind them: the folder,
// variables, the version of a language.
var settings = map[string]bool{
	"cd": true, "pushd": true, "source": true, ".": true, "export": true, "set": true, "unset": true, "ulimit": true, "eval": true,
	"nvm": true, "fnm": true, "conda": true, "pyenv": true, "mise": true, "asdf": true, "sdk": true, "rbenv": true,
}

// onlySets says whether a repair did nothing but set variables or name the folder to work
// in.
func (r repair) onlySets() bool {
	if r.program || len(r.removed) > 0 || len(r.added) == 0 {
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
