package tally

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// maxUnless is how many words may part what worked from what failed.
const maxUnless = 2

// words are the flags and settings of those commands of a line that run a program of
// the trigger: what a trigger can leave out.
func words(line string, l *lesson.Lesson) []string {
	var out []string
	for _, c := range shell.Parse(line).All {
		if !slices.ContainsFunc(l.Triggers.Commands, func(spec string) bool { return programOf(spec) == c.Program }) {
			continue
		}
		for _, f := range c.Flags {
			out = append(out, f.Name)
		}
		out = append(out, c.Env...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// programOf is the program that a trigger's command names.
func programOf(spec string) string {
	if c := shell.Parse(spec).All; len(c) > 0 {
		return c[len(c)-1].Program
	}
	return ""
}
