package project

import (
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Evidence is what this clone's history of calls says: of problems, and of lessons.
type Evidence struct {
	Sessions int
	Problems []*problem.Problem
	log      []calls.Session
	lessons  []*lesson.Lesson
	verdicts map[string]tally.Verdict // by the lesson's id
}

// Evidence holds the lessons of a snapshot against the call log.
func (p *Project) Evidence(s *store.Snapshot, lessons []*lesson.Lesson) (*Evidence, []knowledge.Problem, error) {
	log, trouble, err := p.Calls()
	if err != nil {
		return nil, trouble, err
	}
	e := &Evidence{Sessions: len(log), log: log, Problems: problem.Gather(log), lessons: lessons}
	var claims []tally.Claim
	for _, l := range lessons {
		if l.Status != lesson.Archived {
			claims = append(claims, p.claim(s, l))
		}
	}
	e.verdicts = judged(claims, log, e.Problems)
	return e, trouble, nil
}

// judged are the verdicts of history on claims, by their lessons' ids.
func judged(claims []tally.Claim, log []calls.Session, problems []*problem.Problem) map[string]tally.Verdict {
	verdicts := map[string]tally.Verdict{}
	for i, v := range tally.Judge(claims, log, problems) {
		verdicts[claims[i].Lesson.ID] = v
	}
	return verdicts
}

// claim says who stands for a lesson: what a person wrote or reworded is that person's,
// what a person promoted or an agent reported is vouched for.
func (p *Project) claim(s *store.Snapshot, l *lesson.Lesson) tally.Claim {
	c := tally.Claim{Lesson: l, Typed: l.Source == ""}
	if o := s.Log.Get(l.Source); o != nil {
		c.Typed = c.Typed || o.Origin == observe.OriginManual || slices.Contains(o.Marks, observe.MarkManual)
		c.Vouched = o.Recorded == observe.RecordedManual
	}
	c.Vouched = c.Vouched || declared(s.Log)(strings.TrimPrefix(l.Source, "self-learning:")) || l.Confidence >= vouchedFrom
	if row, ok := s.Manifest.Row(knowledge.Key{Observation: l.Source, Kind: knowledge.KindLesson}); ok && !c.Typed {
		c.Typed = reworded(row, l, s.Before(l.Path))
	}
	return c
}

// vouchedFrom is the confidence that only a person's or an agent's own word gives.
const vouchedFrom = 0.85

// reworded says whether a lesson no longer says what was rendered. Rows of earlier
// versions know the whole text alone.
func reworded(row manifest.Row, l *lesson.Lesson, text []byte) bool {
	if row.ContentHash == "" && row.Words == "" || len(text) == 0 || knowledge.SameHash(row.ContentHash, text) {
		return false
	}
	return row.Words == "" || l.WordsHash() != row.Words
}

// Accounts are what history says of the lessons that hold here, by their files.
func (p *Project) Accounts(ctx context.Context, s *store.Snapshot) (map[string]tally.Account, []knowledge.Problem, error) {
	e, lessons, problems, err := p.heldEvidence(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	return e.of(lessons), problems, nil
}

// heldEvidence is the evidence for the lessons that hold here, and what was wrong with either.
func (p *Project) heldEvidence(ctx context.Context, s *store.Snapshot) (*Evidence, provenance.List[*lesson.Lesson], []knowledge.Problem, error) {
	lessons, _, problems := p.Holding(ctx, s)
	e, trouble, err := p.Evidence(s, lessons.All())
	return e, lessons, append(problems, trouble...), err
}

// of are the accounts of lessons of which some are not reviewed: these inform, whatever
// history says.
func (e *Evidence) of(lessons provenance.List[*lesson.Lesson]) map[string]tally.Account {
	all := e.accounts()
	for _, l := range lessons.Unreviewed() {
		if a, ok := all[l.Path]; ok && (a.Standing == tally.Stops || a.Standing == tally.Typed) {
			a.Standing, a.Why = tally.Informs, "others wrote it, and nobody here reviewed it (lessons trust)"
			all[l.Path] = a
		}
	}
	return all
}

func (e *Evidence) accounts() map[string]tally.Account {
	all := map[string]tally.Account{}
	for _, l := range e.lessons {
		if v, ok := e.verdicts[l.ID]; ok {
			all[l.Path] = v.Account()
		}
	}
	return all
}

// history is a verdict as the compiler takes it.
func (e *Evidence) history(l *lesson.Lesson) compile.History {
	v := e.verdicts[l.ID]
	return compile.History{State: v.Standing.State(), Unless: v.Unless}
}
