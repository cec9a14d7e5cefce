package project

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// brought are the flags, variables, folders and wrappers that the mends of a problem bring in:
// a call that has one needs no advice.
func brought(p *problem.Problem) []string {
	var words []string
	for _, m := range p.Mends {
		if !m.Holds() || !tellsCommand[m.How] {
			continue
		}
		_, quoted, _ := strings.Cut(m.Fix, "`")
		command, _, _ := strings.Cut(quoted, "`")
		if strings.HasPrefix(m.Fix, "Set `") {
			words = append(words, settingsOf(strings.Fields(command))...)
		}
		for _, c := range shell.Parse(command).Commands {
			words = slices.Concat(words, c.Wrappers, settingsOf(c.Env))
			if strings.Contains(c.Path, "/") {
				words = append(words, c.Path)
			}
			if m.How == calls.ByOther {
				continue // its flags are another program's
			}
			words = append(words, c.FlagNames()...)
			switch {
			case c.Declares():
				words = append(words, settingsOf(strings.Fields(c.Source))...)
			case c.Program == "cd":
				words = append(words, c.Source)
			}
		}
	}
	return slices.DeleteFunc(words, func(w string) bool {
		name, setting := strings.CutPrefix(w, `\b`)
		return slices.ContainsFunc(p.Failures, func(f problem.Failure) bool {
			return setting && strings.Contains(f.Call.Input, name) || slices.Contains(strings.Fields(f.Call.Input), w)
		})
	})
}

// tellsCommand are the mends whose words are a command.
var tellsCommand = map[calls.How]bool{calls.ByArguments: true, calls.BySetting: true, calls.ByOther: true}

// settingsOf match the variables that some words set, whatever their values.
func settingsOf(words []string) []string {
	var all []string
	for _, w := range words {
		if name, _, ok := strings.Cut(w, "="); ok {
			all = append(all, `\b`+name+"=")
		}
	}
	return all
}
