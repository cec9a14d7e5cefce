package project

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/resolve"
	"github.com/lessons-cli/lessons/internal/stale"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/ask"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/reconcile"
)

// Status is where things stand in a repository.
type Status struct {
	Hooks        []string  `json:"hooks"` // settings files in which hooks are registered
	LastScan     time.Time `json:"lastScan,omitzero"`
	Lessons      Lessons   `json:"lessons"`
	Decisions    int       `json:"decisions"`
	Proposed     int       `json:"proposed,omitempty"` // decisions
	Pitfalls     int       `json:"pitfalls"`
	Observations struct {
		Observing  int `json:"observing"`
		Ready      int `json:"ready"`
		Created    int `json:"created"`
		Deprecated int `json:"deprecated"`
	} `json:"observations"`
	Standing []Told      `json:"standing"`            // of lessons: those that wait, were withdrawn or are contradicted
	Twice    []string    `json:"usedTwice,omitempty"` // numbers that several entries have
	Edited   int         `json:"edited"`
	Lost     []Discarded `json:"lost,omitempty"`    // before they were committed: nobody's verdict
	Removed  []Discarded `json:"removed,omitempty"` // here by hand, never committed: a verdict of this work tree
	// Published are published parts that were edited or are out of date.
	Published []knowledge.Problem `json:"published,omitempty"`
	// Unreviewed is what others wrote and nobody here trusts, in words.
	Unreviewed string `json:"unreviewed,omitempty"`
	// Similar are entries and skills of others that may be about what a trusted one is about.
	Similar  []knowledge.Problem `json:"similar,omitempty"`
	Stale    []stale.Finding     `json:"mayBeStale,omitempty"`
	Waiting  int                 `json:"waiting"`          // for a person's review
	Unused   int                 `json:"unused,omitempty"` // that are proposed to be put away
	Asks     ask.Count           `json:"asks"`             // of agents, whether something holds for later
	Asking   int                 `json:"asking"`           // most asks a session from now on
	Skipped  []knowledge.Problem `json:"skippedSessions,omitempty"`
	Problems []knowledge.Problem `json:"problems,omitempty"`
}

// Lessons counts lessons by the state in which agents meet them.
type Lessons struct {
	Active   int `json:"active"`
	Draft    int `json:"draft"`
	Archived int `json:"archived"`
}

func countLessons(all []*lesson.Lesson) (n Lessons) {
	for _, l := range all {
		switch l.Status {
		case lesson.Draft:
			n.Draft++
		case lesson.Archived:
			n.Archived++
		default:
			n.Active++
		}
	}
	return n
}

// Discarded is an artifact that was rendered and never committed.
type Discarded struct {
	Path        string `json:"path"` // or path#ADR-001
	Observation string `json:"observation"`
	Reason      string `json:"reason"`
}

// discarded lists the artifacts that went before any commit had them.
func discarded(report reconcile.Report) (lost, removed []Discarded) {
	for _, i := range report.Items {
		d := Discarded{knowledge.Place(i.Path, i.Anchor), i.ObservationID, i.Reason}
		switch {
		case i.Answer == reconcile.Lost:
			lost = append(lost, d)
		case i.Answer == reconcile.Gone && i.How == reconcile.HowUncommitted:
			removed = append(removed, d)
		}
	}
	return lost, removed
}

// Told is what history says of a lesson.
type Told struct {
	Path string `json:"path"`
	tally.Account
}

// Status counts.
func (p *Project) Status(ctx context.Context, s *store.Snapshot, clients []*agent.Client) (Status, error) {
	st := Status{LastScan: p.LastScan(), Skipped: p.Skipped(), Problems: s.Problems, Hooks: []string{}}
	for _, c := range clients {
		where, err := p.HooksIn(c)
		if err != nil {
			return st, err
		}
		st.Hooks = append(append(st.Hooks, where...), p.HooksElsewhere(c)...)
	}
	st.Lessons = countLessons(p.effective(ctx, s).All())
	st.Unreviewed = p.TrustState(ctx, s).String()
	st.Stale, _ = p.Stale(ctx, s) // what cannot be asked is not known
	st.Published, _ = p.PublishedProblems(ctx, s)
	st.Asks, st.Asking = p.Asking(s)
	evidence, _, _, err := p.heldEvidence(ctx, s)
	if err != nil {
		return st, err
	}
	told := evidence.accounts()
	st.Unused = len(p.unused(ctx, s, evidence))
	queue, err := p.Queue(ctx, s)
	if err != nil {
		return st, err
	}
	st.Waiting = len(queue)
	st.Standing = []Told{}
	for _, path := range slices.Sorted(maps.Keys(told)) {
		switch told[path].Standing {
		case tally.Contradicted, tally.Withdrawn, tally.Shadow, tally.Waits:
			st.Standing = append(st.Standing, Told{path, told[path]})
		}
	}
	decisions, pitfalls := p.gate(ctx).inForce(s)
	st.Decisions, st.Proposed, st.Pitfalls = entry.CountActive(decisions.All()), entry.CountProposed(decisions.All()), entry.CountActive(pitfalls.All())
	st.Twice, st.Similar = resolve.Twice(s), p.gate(ctx).similar(s, decisions, pitfalls)
	view := verdict.View{}
	if report, err := p.askGit(ctx, s, true); err == nil {
		view, st.Edited = report.View, report.Count(reconcile.Edited)
		st.Lost, st.Removed = discarded(report)
	}
	withdrawn := map[string]bool{}
	for key := range view.Gone {
		if o := s.Log.Get(key.Observation); o != nil {
			_, status := verdict.Shown(o, view, s.Config.Thresholds)
			withdrawn[o.ID] = status == observe.Deprecated
		}
	}
	for h := range s.Log.Heads() {
		switch {
		case withdrawn[h.ID] || h.Status == observe.Deprecated:
			st.Observations.Deprecated++
		case h.Status == observe.Ready:
			st.Observations.Ready++
		case h.Status == observe.Created:
			st.Observations.Created++
		default:
			st.Observations.Observing++
		}
	}
	return st, nil
}
