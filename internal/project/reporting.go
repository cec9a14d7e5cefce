package project

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/report"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Report gathers what there is to tell of this repository.
func (p *Project) Report(ctx context.Context, s *store.Snapshot) (report.Report, []knowledge.Problem, error) {
	r := report.Report{Project: filepath.Base(p.Root), Made: p.Now().UTC()}
	evidence, holding, trouble, err := p.heldEvidence(ctx, s)
	lessons := holding.All()
	if err != nil {
		return r, trouble, err
	}
	r.Sessions, r.Calls = evidence.Sessions, countCalls(evidence.log)
	telling := Problems{All: evidence.Problems}.Telling()
	covers := map[string]report.Cover{}
	for id, c := range evidence.covers(lessons, s.Pitfalls) {
		name := c.Entry
		if c.Lesson != nil {
			name = nameOf(c.Lesson.Path)
		}
		covers[id] = report.Cover{Lesson: name, Stopped: c.Stopped}
	}
	r.Problems = report.Problems(telling, covers)
	var prevented []tally.Match
	counted := countLessons(lessons)
	r.Active, r.Drafts = counted.Active, counted.Draft
	for _, l := range lessons {
		if v, ok := evidence.verdicts[l.ID]; ok {
			prevented = append(prevented, v.Tally.Heeded...)
			r.Effects = append(r.Effects, report.Effect{Title: l.Title, Name: nameOf(l.Path), Account: v.Account()})
		}
	}
	r.Effects, r.Weeks = report.ByEffect(r.Effects), report.Weeks(telling, prevented)
	decisions, pitfalls := p.gate(ctx).inForce(s)
	r.Decisions, r.Pitfalls = entry.CountActive(decisions.All()), entry.CountActive(pitfalls.All())
	r.Waiting, err = p.Queue(ctx, s)
	return r, trouble, err
}

// nameOf is what a person calls the lesson in a file.
func nameOf(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }
