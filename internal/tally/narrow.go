package tally

import (
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// maxUnless is how many words may part what worked from what failed: more would be
// chance.
const maxUnless = 2

// narrowed finds words that calls which worked have and none that failed, so that the
// trigger can leave them out. The tally that it returns has the calls that no word parts.
func (h history) narrowed(t Tally, l *lesson.Lesson) ([]string, Tally) {
	if len(t.Failed) == 0 || len(t.OK) == 0 || len(l.Triggers.Commands) == 0 {
		return nil, t
	}
	programs := lists.SetOf(l.Triggers.Commands, programOf)
	wordsOf := func(m Match) []string { return h.words(m.Call.Input, programs) }
	taken := lists.Set(lists.Flat(t.Failed, wordsOf))
	var unless []string
	for len(t.OK) > 0 && len(unless) < maxUnless {
		count := map[string]int{}
		for _, w := range lists.Flat(t.OK, wordsOf) {
			if !taken[w] {
				count[w]++
			}
		}
		best := most(count)
		if best == "" {
			break
		}
		unless = append(unless, best)
		t.OK = slices.DeleteFunc(slices.Clone(t.OK), func(m Match) bool { return slices.Contains(wordsOf(m), best) })
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

// words are the flags and settings of those commands of a line that run one of some
// programs: what a trigger can leave out.
func (h history) words(line string, programs map[string]bool) []string {
	if h.lines[line] == nil {
		h.lines[line] = shell.Parse(line)
	}
	var out []string
	for _, c := range h.lines[line].All {
		if !programs[c.Program] {
			continue
		}
		out = append(out, lists.Map(c.Flags, func(f shell.Flag) string { return f.Name })...)
		out = append(out, c.Env...)
	}
	return lists.SortedUnique(out)
}

// programOf is the program that a trigger's command names.
func programOf(spec string) string {
	if c := shell.Parse(spec).All; len(c) > 0 {
		return c[len(c)-1].Program
	}
	return ""
}
