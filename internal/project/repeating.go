package project

import (
	"context"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// maxRepeatedAsked bounds how many lessons of one scan git is asked about.
const maxRepeatedAsked = 20

// rendered is what the log knew of an active lesson's observation before a scan.
type rendered struct {
	path     string
	sessions int
	lastSeen time.Time
}

// activeLessons are the observations that have a lesson agents are shown.
func activeLessons(s *store.Snapshot) map[string]rendered {
	known := map[string]rendered{}
	for _, l := range s.Lessons {
		if l.Status != lesson.Active || l.Path == "" {
			continue
		}
		if o := s.Log.Get(l.Source); o != nil {
			known[o.ID] = rendered{l.Path, len(o.Sessions), o.LastSeen}
		}
	}
	return known
}

// markRepeated marks the mistakes that a new session made although their lesson
// existed: it lay in a commit before the session met the mistake. A
// lesson that was never committed may have been anywhere.
func (p *Project) markRepeated(ctx context.Context, log *observe.Log, learned []string, before map[string]rendered) {
	if p.Git == nil {
		return
	}
	asked := 0
	for id, lesson := range before {
		o := log.Get(id)
		if o == nil || !slices.Contains(learned, o.ID) || slices.Contains(o.Marks, observe.MarkRepeated) ||
			len(o.Sessions) <= lesson.sessions || !o.LastSeen.After(lesson.lastSeen) {
			continue
		}
		if asked++; asked > maxRepeatedAsked {
			return
		}
		if since := p.committedSince(ctx, lesson.path); !since.IsZero() && o.LastSeen.After(since) {
			o.Marks = append(o.Marks, observe.MarkRepeated)
			slices.Sort(o.Marks)
			log.Put(o)
		}
	}
}

// committedSince is the time of the first commit that holds a path, zero when
// none does.
func (p *Project) committedSince(ctx context.Context, path string) time.Time {
	commits, err := p.Git.Log(ctx, gitstate.Walk{Paths: []string{path}})
	if err != nil || len(commits) == 0 {
		return time.Time{}
	}
	return commits[len(commits)-1].Time
}
