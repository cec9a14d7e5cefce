package problem

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// maxNeedless is how many commands are kept that need no preparation.
const maxNeedless = 8

// needless finds the commands of the problem's programs that work without what has to run or
// be set first: in a session that met the problem they worked before that, or, as a variable
// holds for its call alone, at any time. Where a folder is what was wrong, it is for all.
func (p *Problem) needless(log []calls.Session) {
	best, _ := p.Best()
	inPlace := best.How == calls.BySetting && strings.HasPrefix(best.Fix, "Run `")
	if p.Nature != Precondition || !prepares(best.How) || inPlace || len(p.Sessions) < 2 {
		return
	}
	programs := lists.Set(lists.Map(p.Commands, func(c Command) string { return c.Program }))
	failed := lists.Flat(p.Failures, func(f Failure) []string { return tasksIn(f.Call.Input, programs) })
	for i := range log {
		if !slices.Contains(p.Sessions, log[i].Name) {
			continue
		}
		for j := range log[i].Calls {
			c := &log[i].Calls[j]
			if best.How == calls.ByRun && c.Failure != nil && slices.ContainsFunc(p.Failures, func(f Failure) bool { return f.Call == c }) {
				break
			}
			if c.Tool != "Bash" || !worked(c) {
				continue
			}
			for _, task := range tasksIn(c.Input, programs) {
				if !slices.Contains(failed, task) && len(p.Needless) < maxNeedless {
					p.Needless = lists.With(p.Needless, task)
				}
			}
		}
	}
}

// tasksIn are what a line asks some programs for, with the program: "cargo fmt", "gradlew :app:lint".
// What a variable is set for may need it.
func tasksIn(line string, programs map[string]bool) []string {
	var all []string
	for _, c := range shell.Parse(line).Commands {
		words := slices.Concat(c.Sub, c.Operands)
		if programs[c.Program] && len(c.Env) == 0 && len(words) > 0 && taskName().MatchString(words[0]) {
			all = append(all, c.Program+" "+words[0])
		}
	}
	return all
}

// taskName is a word by which a program may be told what to do.
var taskName = automata.Lazily(`^:?[a-z][\w:-]*$`)
