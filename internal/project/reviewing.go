package project

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
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
	var lessons []*lesson.Lesson
	for _, c := range changed {
		lessons = append(lessons, c.Was, c.Lesson)
	}
	lessons = slices.DeleteFunc(lessons, func(l *lesson.Lesson) bool { return l == nil || l.Status == lesson.Archived })
	claims := lists.Map(lessons, func(l *lesson.Lesson) tally.Claim { return p.claim(in.Snapshot, l) })
	said := map[*lesson.Lesson]tally.Verdict{}
	for i, v := range tally.Judge(claims, log, problem.Gather(log)) {
		said[lessons[i]] = v
	}
	known := 0
	for _, s := range log {
		known += len(s.Calls)
	}
	for i, c := range changed {
		now, was := said[c.Lesson], said[c.Was]
		h := check.History{Calls: known, Verdict: now.Account().String(), Right: right(now), Wrong: lists.Map(now.Tally.OK, tally.Match.String)}
		h.Lost = lists.Filter(right(was), func(call string) bool { return !slices.Contains(h.Right, call) })
		changed[i].History = h
	}
	return changed, trouble, nil
}

// right are the calls that a lesson would have stopped rightly.
func right(v tally.Verdict) []string {
	return lists.Map(slices.Concat(v.Tally.Failed, v.Tally.Heeded), tally.Match.String)
}
