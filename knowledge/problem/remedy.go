package problem

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// idle are programs that prepare nothing by themselves.
var idle = map[string]bool{
	"cd": true, "sleep": true, "echo": true, "printf": true, "true": true, "export": true, "set": true, "wait": true,
	"tail": true, "head": true, "cat": true, "grep": true, "rg": true, "wc": true, "tee": true, "less": true, "jq": true,
}

// doing are the commands of a line that do something.
func doing(line string) []*shell.Command {
	return lists.Filter(shell.Parse(line).Commands, func(c *shell.Command) bool { return c.Program != "" && !idle[c.Program] })
}

// maxGeneral is how many words tell what a command does, whatever its flags are.
const maxGeneral = 4

// inGeneral is what a command line does in words that are the same however it is called:
// `docker compose up db` of `docker compose up -d --wait db && sleep 3`. What the command that
// failed said too is left out: a profile, a folder. A line of which that says too little
// stays as it is.
func inGeneral(line, failed string) string {
	said := strings.Fields(failed)
	did := doing(line)
	if len(did) == 0 {
		return line
	}
	c := did[0]
	words := append([]string{c.Path}, c.Sub...)
	for _, o := range c.Operands {
		if plainWord().MatchString(o) && len(words) < maxGeneral && !slices.Contains(said, o) {
			words = append(words, o)
		}
	}
	if len(words) == 1 && len(c.Operands) > 0 {
		return line
	}
	return strings.Join(words, " ")
}

// byCode is a command that is given code, as the program and the last statement of it: what
// stands before that brings in what it needs. Other commands are as they are.
func byCode(line string) string {
	did := doing(line)
	if len(did) != 1 {
		return line
	}
	for _, o := range did[0].Operands {
		if i := strings.LastIndexByte(o, ';'); i >= 0 && strings.HasSuffix(o, ")") {
			return did[0].Path + " " + strings.TrimSpace(o[i+1:])
		}
	}
	return line
}

// First is in general the command that has to run first against the problem, as far as its
// best mend is one; else "".
func (p *Problem) First() string {
	best, ok := p.Best()
	first := best.First()
	if !ok || first == "" {
		return ""
	}
	failed := lists.Map(p.Failures, func(f Failure) string { return f.Call.Input })
	return inGeneral(first, strings.Join(failed, " "))
}

// bare is a command line without what only looks at its output, where one command is left.
func bare(line string) string {
	if did := doing(line); len(did) == 1 && did[0].Source != "" {
		return redirected().ReplaceAllString(did[0].Source, "")
	}
	return line
}

// redirected are the redirections at the end of a command.
var redirected = automata.Lazily(`(?: +\d?>+ ?&?[^\s'"]+)+$`)

// runFirst says that a command has to run first.
func runFirst(line string) string { return "Run `" + line + "` first" }

// shortest is how a remedy was done most simply.
func (e *evidence) shortest() string {
	return slices.MinFunc(e.mended, func(a, b mended) int {
		if len(a.fix) != len(b.fix) {
			return len(a.fix) - len(b.fix)
		}
		return strings.Compare(a.fix, b.fix)
	}).fix
}

// ranAgain says whether the program that failed worked behind a call, asked for the same,
// in whatever line.
func ranAgain(s *calls.Session, failed, behind int) bool {
	f := s.Calls[failed].Failure
	if f == nil || f.Program == "" {
		return false
	}
	asked := func(line string) []*shell.Command {
		return lists.Filter(shell.Parse(line).Commands, func(c *shell.Command) bool { return c.Program == f.Program })
	}
	before := asked(s.Calls[failed].Input)
	return slices.ContainsFunc(s.Calls[min(behind+1, len(s.Calls)):], func(c calls.Call) bool {
		worked := c.Tool == "Bash" && c.Failure == nil && (c.Outcome == calls.OK || c.Outcome == calls.Masked)
		return worked && slices.ContainsFunc(asked(c.Input), func(good *shell.Command) bool {
			return slices.ContainsFunc(before, func(bad *shell.Command) bool { return sameRequest(bad, good) })
		})
	})
}

// sameRequest says whether two commands of one program ask for the same.
func sameRequest(a, b *shell.Command) bool {
	return slices.Equal(a.Sub, b.Sub) && slices.Equal(a.Operands, b.Operands) && slices.Equal(a.FlagNames(), b.FlagNames())
}

// names are the variables of assignments.
func names(assigned []string) []string {
	return lists.Map(assigned, func(a string) string { name, _, _ := strings.Cut(a, "="); return name })
}
