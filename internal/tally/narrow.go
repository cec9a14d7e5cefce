package tally

import (
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// maxUnless is how many words may part what worked from what failed: more would be
// chance.
const maxUnless = 2

// narrowed finds words that calls which worked have and none that failed, so that the
// trigger can leave them out. The tally that it returns has the calls that no word parts.
func (t Tally) narrowed(l *lesson.Lesson) ([]string, Tally) {
	if len(t.Failed) == 0 || len(l.Triggers.Commands) == 0 {
		return nil, t
	}
	taken := map[string]bool{} // words of calls that failed
	for _, m := range t.Failed {
		for _, w := range words(m.Call.Input, l) {
			taken[w] = true
		}
	}
	var unless []string
	for len(t.OK) > 0 && len(unless) < maxUnless {
		count := map[string]int{}
		for _, m := range t.OK {
			for _, w := range words(m.Call.Input, l) {
				if !taken[w] {
					count[w]++
				}
			}
		}
		best := most(count)
		if best == "" {
			break
		}
		unless = append(unless, best)
		t.OK = slices.DeleteFunc(slices.Clone(t.OK), func(m Match) bool { return slices.Contains(words(m.Call.Input, l), best) })
	}
	slices.Sort(unless)
	return unless, t
}

// most is the key with the greatest count, of several the smallest.
func most(count map[string]int) string {
	best := ""
	for w, n := range count {
		if cmp.Or(cmp.Compare(n, count[best]), cmp.Compare(best, w)) > 0 {
			best = w
		}
	}
	return best
}

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
