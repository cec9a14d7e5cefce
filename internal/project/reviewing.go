package project

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// Review is what a change does to lessons and entries, held against the call log.
func (p *Project) Review(in check.Input) ([]check.Changed, []knowledge.Problem, error) {
	changed := check.ChangedIn(in)
	log, trouble, err := p.Calls()
	if err != nil {
		return nil, trouble, err
	}
	lessons := lists.Flat(changed, func(c check.Changed) []*lesson.Lesson { return []*lesson.Lesson{c.Was, c.Lesson} })
	lessons = slices.DeleteFunc(lessons, func(l *lesson.Lesson) bool { return l == nil || l.Status == lesson.Archived })
	claims := lists.Map(lessons, func(l *lesson.Lesson) tally.Claim { return p.claim(in.Snapshot, l) })
	said := map[*lesson.Lesson]tally.Verdict{}
	for i, v := range tally.Judge(claims, log, problem.Gather(log)) {
		said[lessons[i]] = v
	}
	known := countCalls(log)
	for i, c := range changed {
		now, was := said[c.Lesson], said[c.Was]
		h := historyOf(now, known)
		h.Lost = lists.Filter(right(was), func(call string) bool { return !slices.Contains(h.Right, call) })
		changed[i].History = h
	}
	return changed, trouble, nil
}

// historyOf is a verdict with the calls that it rests on, of so many that are known.
func historyOf(v tally.Verdict, known int) check.History {
	return check.History{Calls: known, Verdict: v.Account().String(), Right: right(v), Wrong: lists.Map(v.Tally.OK, tally.Match.String)}
}

func countCalls(log []calls.Session) int {
	return lists.Sum(log, func(s calls.Session) int { return len(s.Calls) })
}

// right are the calls that a lesson would have stopped rightly.
func right(v tally.Verdict) []string {
	return lists.Map(slices.Concat(v.Tally.Failed, v.Tally.Heeded), tally.Match.String)
}
