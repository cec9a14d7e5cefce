package project

import (
	"bytes"
	"context"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Unused are the lessons of the work tree that are proposed to be put away, with the reasons.
func (p *Project) Unused(ctx context.Context, s *store.Snapshot) ([]review.Finding, error) {
	evidence, _, err := p.Evidence(s, p.effective(ctx, s).All())
	if err != nil {
		return nil, err
	}
	return p.unused(ctx, s, evidence), nil
}

// unused is what is proposed to be put away: drafts that nobody touched, and lessons that a
// program made and no call matches.
func (p *Project) unused(ctx context.Context, s *store.Snapshot, e *Evidence) []review.Finding {
	made := lists.Filter(e.lessons, func(l *lesson.Lesson) bool {
		c := p.claim(s, l)
		return l.Status == lesson.Active && !c.Typed && !c.Vouched
	})
	found := p.untouched(ctx, s)
	for i, runs := range tally.Unmatched(made, e.log, p.Now()) {
		if runs > 0 {
			found = append(found, finding(made[i].Path, review.Unused, "no call matched it in 90 days, and its program ran "+prose.Counted(runs, "time")))
		}
	}
	return found
}

// untouchedFor is how long a draft waits before it is proposed to be archived.
const untouchedFor = 30 * 24 * time.Hour

// untouched are the drafts that nobody touched for a month: no session met the
// mistake again, and the file's last change is older. No hook archives them: git tracks
// most, and in a file the status is a person's word that ends the observation.
func (p *Project) untouched(ctx context.Context, s *store.Snapshot) []review.Finding {
	var old []*lesson.Lesson
	since := p.Now().Add(-untouchedFor)
	for _, l := range s.Lessons {
		created, err := time.Parse(time.DateOnly, l.Created)
		if l.Status == lesson.Draft && err == nil && created.Before(since) && l.Seen.Last.Before(since) && l.ReviewedAt == "" {
			old = append(old, l)
		}
	}
	if len(old) == 0 || p.Git == nil {
		return nil
	}
	touched, err := p.lastTouched(ctx, s, old, since)
	if err != nil {
		return nil // nobody can tell who touched them
	}
	var found []review.Finding
	for _, l := range old {
		if at := touched[l.Path]; !at.IsZero() && at.Before(since) {
			found = append(found, finding(l.Path, review.Unused, "nobody touched it since "+at.UTC().Format(time.DateOnly)))
		}
	}
	return found
}

// lastTouched is, by path, when lessons were changed last: in the last commit that changed
// them, or in the work tree where they are not as that commit has them. Git is asked for
// the text of those alone that were committed before a time, and written later.
func (p *Project) lastTouched(ctx context.Context, s *store.Snapshot, lessons []*lesson.Lesson, since time.Time) (map[string]time.Time, error) {
	commits, err := p.Git.Log(ctx, gitstate.Walk{Paths: []string{lessonsFolder}})
	if err != nil {
		return nil, err
	}
	touched := map[string]time.Time{}
	for _, c := range commits {
		for _, change := range c.Changes {
			if c.Time.After(touched[change.Path]) {
				touched[change.Path] = c.Time
			}
		}
	}
	var written []*lesson.Lesson
	for _, l := range lessons {
		info, err := p.FS.Lstat(p.absolute(l.Path))
		switch at := touched[l.Path]; {
		case err != nil:
			delete(touched, l.Path)
		case at.IsZero():
			touched[l.Path] = info.ModTime()
		case at.Before(since) && info.ModTime().After(at):
			written = append(written, l)
		}
	}
	if len(written) == 0 {
		return touched, nil
	}
	head, err := p.Git.Objects(ctx, lists.Map(written, func(l *lesson.Lesson) string { return "HEAD:" + l.Path }), true)
	if err != nil {
		return nil, err
	}
	for i, l := range written {
		if head[i].Missing || !bytes.Equal(knowledge.NormaliseLines(head[i].Data), knowledge.NormaliseLines(s.Before(l.Path))) {
			if info, err := p.FS.Lstat(p.absolute(l.Path)); err == nil {
				touched[l.Path] = info.ModTime()
			}
		}
	}
	return touched, nil
}
