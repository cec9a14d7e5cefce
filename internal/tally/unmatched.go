package tally

import (
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// A lesson is of no use if for so long no call matched it, although its program ran so often.
const (
	unmatchedFor  = 90 * 24 * time.Hour
	unmatchedRuns = 20
)

// Unmatched says how often the programs of lessons ran in the last 90 days, for those
// lessons that no call matched meanwhile: 0 for all others, and for those that are younger.
func Unmatched(lessons []*lesson.Lesson, log []calls.Session, now time.Time) []int {
	runs := make([]int, len(lessons))
	since := now.Add(-unmatchedFor)
	programs := map[string][]int{} // places of the lessons that name one
	for i, l := range lessons {
		created, err := time.Parse(time.DateOnly, l.Created)
		if err != nil || created.After(since) {
			continue
		}

		for _, spec := range l.Triggers.Commands {
			programs[programOf(spec)] = append(programs[programOf(spec)], i)
		}
	}
	if len(programs) == 0 {
		return runs
	}
	index, err := newTriggers(lessons)
	if err != nil {
		return runs
	}
	matched := map[int]bool{}
	for _, s := range log {
		for j := range s.Calls {
			c := &s.Calls[j]
			if c.At < since.UnixMilli() || c.Tool != "Bash" && c.Tool != "PowerShell" {
				continue
			}
			ran := lists.Flat(shell.Parse(c.Input).All, func(command *shell.Command) []int { return programs[command.Program] })
			for _, i := range lists.SortedUnique(ran) {
				runs[i]++
			}
			if len(ran) > 0 {
				for _, i := range index.on(c) {
					matched[i] = true
				}
			}
		}
	}
	for i, n := range runs {
		if matched[i] || n < unmatchedRuns {
			runs[i] = 0
		}
	}
	return runs
}
