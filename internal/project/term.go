package project

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Lapsed says of active lessons that are not told now why, by their files: their time has
// not come, is over, another one took their place, or what they name is gone.
func (p *Project) Lapsed(ctx context.Context, lessons []*lesson.Lesson, gone map[string]string) map[string]string {
	calendar := lesson.Calendar{
		Today: p.Now().UTC().Format(time.DateOnly), Reached: func(tag string) bool { return p.reached(ctx, tag) },
		Stands: func(id string) bool {
			return slices.ContainsFunc(lessons, func(l *lesson.Lesson) bool { return l.ID == id && l.Status == lesson.Active })
		},
	}
	all := map[string]string{}
	for _, l := range lessons {
		why, _ := l.Term(calendar)
		if why == "" && gone[l.Path] != "" {
			why = "stale: " + gone[l.Path]
		}
		if why == "" || l.Status != lesson.Active {
			continue
		}
		if why == lesson.SupersededBy(l.SupersededBy) {
			by := slices.IndexFunc(lessons, func(o *lesson.Lesson) bool { return o.ID == l.SupersededBy })
			why = lesson.SupersededBy(lessons[by].Path)
		}
		all[l.Path] = why
	}
	return all
}

// LapsedHere is [Project.Lapsed] of the lessons that hold in this repository.
func (p *Project) LapsedHere(ctx context.Context, s *store.Snapshot) map[string]string {
	lessons, _, _ := p.Holding(ctx, s)
	return p.Lapsed(ctx, lessons.All(), p.StaleHere(ctx, s))
}

// told are the lessons whose time it is.
func (p *Project) told(ctx context.Context, s *store.Snapshot, lessons provenance.List[*lesson.Lesson]) provenance.List[*lesson.Lesson] {
	lapsed := p.Lapsed(ctx, lessons.Trusted(), p.staleAmong(s.Artifacts))
	return lessons.Filter(func(l *lesson.Lesson) bool { return lapsed[l.Path] == "" })
}

// overdue names the lessons whose time is over for good.
func (p *Project) overdue(ctx context.Context, lessons []*lesson.Lesson) []knowledge.Problem {
	var found []knowledge.Problem
	lapsed := p.Lapsed(ctx, lessons, nil)
	for _, l := range lessons {
		if why := lapsed[l.Path]; strings.HasPrefix(why, "expired") || strings.HasPrefix(why, "valid until") {
			found = append(found, knowledge.Problem{Path: l.Path, Line: 1, Rule: "lapsed", Text: "no agent is told of it any more (" + why + "): archive it, or change that"})
		}
		if l.SupersededBy != "" && !slices.ContainsFunc(lessons, func(by *lesson.Lesson) bool { return by.ID == l.SupersededBy }) {
			found = append(found, knowledge.Problem{Path: l.Path, Line: 1, Rule: "lapsed", Text: "there is no lesson " + l.SupersededBy + " that supersedes it"})
		}
	}
	return found
}
