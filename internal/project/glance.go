package project

import (
	"context"

	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Glance is what fits into one line: what is known, and what waits.
type Glance struct {
	Lessons int `json:"lessons"` // active
	Entries int `json:"entries"` // decisions and pitfalls in force
	Review  int `json:"review"`  // drafts and proposals
	Ready   int `json:"ready"`   // observations that render writes
}

// SetUp says whether lessons keeps anything in this work tree.
func (p *Project) SetUp() bool {
	return p.describe(lessonsFolder) != nil || p.describe(".memory") != nil
}

// Glance counts, and asks git nothing.
func (p *Project) Glance(ctx context.Context, s *store.Snapshot) Glance {
	lessons := countLessons(p.effective(ctx, s).All())
	g := Glance{Lessons: lessons.Active, Review: lessons.Draft}
	decisions, pitfalls := p.gate(ctx).inForce(s)
	g.Entries = entry.CountActive(decisions.All()) + entry.CountActive(pitfalls.All())
	g.Review += entry.CountProposed(decisions.All())
	for h := range s.Log.Heads() {
		if h.Status == observe.Ready {
			g.Ready++
		}
	}
	return g
}
