package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Options of [NewPlan].
type Options struct {
	// Only lists the ids of the observations to render; empty: all that are due.
	Only []string
	// View is what this work tree sees of the artifacts. Its zero value means
	// that git was not asked; tombstones and ledger still count.
	View verdict.View
	// Rebuilt lists the rows that reconcile has just rebuilt from their artifacts:
	// where a render was interrupted its own knowledge of them is better.
	Rebuilt []knowledge.Key
	// UsedNumbers are the greatest entry numbers that git's history holds, by kind.
	UsedNumbers map[knowledge.Kind]int
	// History is what past calls say of lessons, by their ids.
	History map[string]History
	// Hook says that no person asked for the plan: it has new files alone, under names
	// that no other clone gives, and what would change others waits.
	Hook bool
	// CloneKey goes into the names of new files, see [knowledge.CloneSuffix].
	CloneKey string
	// MostDrafts is how many new drafts and proposals are written, the best ones; 0: all.
	MostDrafts int
	// Stands says whether this person stands for the text of a lesson or skill; nil: for
	// all. What they do not stand for is in no skill that is written or published.
	Stands func(path string, text []byte) bool
	// Tracked says whether git tracks a path; nil: none.
	Tracked func(path string) bool
}

// History is what past calls say of a lesson.
type History struct {
	State   compile.State
	Why     string
	Nature  string   // of its problem
	Against []string // sessions in which a call worked that it would have stopped
}

// Plan is what one render will do.
type Plan struct {
	Changes  []store.Change     // of artifacts, in the order in which they are written
	Log      *observe.Log       // with the states after it
	Manifest *manifest.Manifest // with the rows after it
	Rows     []manifest.Row     // of the artifacts that are written
	Rendered []string           // path, or path#ADR-001 of an entry
	Skipped  []Skipped          // what was ready and is not written
	Waiting  []entry.Entry      // what holds, and waits for a person's render: its book may be tracked
	Notices  []string           // one sentence each, for a person
}

// Skipped is an observation that was due and is not rendered.
type Skipped struct {
	Observation string `json:"observation"`
	Reason      string `json:"reason"`
}

// NewPlan works out what to write for a snapshot. It changes nothing, the
// snapshot included. Without a readable manifest it fails with the snapshot's
// error. It is not for a merge or rebase: what that leaves decides what there is to
// render.
func NewPlan(s *store.Snapshot, o Options) (Plan, error) {
	if s.ManifestErr != nil {
		return Plan{}, fmt.Errorf("nothing is rendered without the manifest, which holds what people removed: %w", s.ManifestErr)
	}
	p := newPlanner(s, o)
	p.observations(p.candidates())
	p.writeBest()
	p.observations(p.toldByOthers())
	p.aggregate()
	if !o.Hook {
		p.publish()
	}
	p.plan.Changes = p.files.changes()
	p.plan.Log, p.plan.Manifest = p.log, p.manifest
	return p.plan, nil
}

// observations looks at observations, and once more at those that were given evidence.
func (p *planner) observations(queue []*observe.Observation) {
	for len(queue) > 0 {
		for _, o := range queue {
			p.observation(o)
		}
		queue, p.again = p.again, nil
	}
}

// candidates are the observations that call for something, oldest first, so that the order
// in the log decides nothing.
func (p *planner) candidates() []*observe.Observation {
	only := map[string]bool{}
	for _, id := range p.options.Only {
		if o := p.log.Get(id); o != nil {
			only[o.ID] = true
		}
	}
	wanted := func(h observe.Head) bool {
		return h.Status != observe.Deprecated && (len(p.options.Only) == 0 || only[h.ID])
	}
	var all []*observe.Observation
	for o := range p.log.Where(wanted) {
		if main, lesson := p.due(o); main || lesson {
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b *observe.Observation) int {
		return cmp.Or(a.FirstSeen.Compare(b.FirstSeen), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// Diff writes changes as a unified diff that git apply and patch take. It has
// no colours.
func Diff(changes []store.Change) string {
	var b strings.Builder
	for _, c := range changes {
		from, to := "a/"+c.Path, "b/"+c.Path
		if c.Before == nil {
			from = "/dev/null"
		}
		if c.After == nil {
			to = "/dev/null"
		}
		b.WriteString(udiff.Unified(from, to, string(c.Before), string(c.After)))
	}
	return b.String()
}

// Diff shows what the plan changes in the artifacts.
func (p Plan) Diff() string { return Diff(p.Changes) }
