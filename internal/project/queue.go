package project

import (
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Queue is what waits for a person to review it.
func (p *Project) Queue(ctx context.Context, s *store.Snapshot) ([]review.Item, error) {
	items := catalog.Artifacts(s)
	found := slices.Concat(p.guardsToReview(ctx, s), returnedToReview(s), p.staleToReview(ctx, s))
	withdrawn, err := p.withdrawnToReview(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, finder := range []func([]catalog.Item) ([]catalog.Item, []review.Finding){divergent(s), p.undelivered(ctx, s)} {
		more, why := finder(items)
		items, found = append(items, more...), append(found, why...)
	}
	return review.Queue(items, append(found, withdrawn...)), nil
}

// guardsToReview are the lessons that may hold calls back once a person accepts them.
func (p *Project) guardsToReview(ctx context.Context, s *store.Snapshot) []review.Finding {
	var found []review.Finding
	for _, l := range s.Lessons {
		if !check.Holds(l) || l.Status == lesson.Archived {
			continue
		}
		switch {
		case l.Status == lesson.Draft:
			found = append(found, finding(l.Path, review.Guard, "a draft; accepted, it may hold calls back or change them"))
		case !p.gate(ctx).lesson(l, s.Before(l.Path)):
			found = append(found, finding(l.Path, review.Guard, "others wrote it; until you accept it, it only informs"))
		}
	}
	return found
}

func finding(place string, why review.Why, text string) review.Finding {
	return review.Finding{Place: place, Reason: review.Reason{Why: why, Text: text}}
}

// returnedToReview are the drafts of what people removed before.
func returnedToReview(s *store.Snapshot) []review.Finding {
	var found []review.Finding
	for _, l := range s.Lessons {
		if l.Status == lesson.Draft && l.Returned != "" && !check.Holds(l) {
			found = append(found, finding(l.Path, review.Draft, "it came back: "+l.Returned))
		}
	}
	return found
}

func (p *Project) staleToReview(ctx context.Context, s *store.Snapshot) []review.Finding {
	var found []review.Finding
	for place, why := range p.StaleHere(ctx, s) {
		found = append(found, finding(place, review.Stale, why))
	}
	return found
}

// withdrawnToReview are the active lessons that history contradicts, and what is unused.
func (p *Project) withdrawnToReview(ctx context.Context, s *store.Snapshot) ([]review.Finding, error) {
	active := lists.Filter(p.effective(ctx, s).All(), func(l *lesson.Lesson) bool { return l.Status == lesson.Active })
	evidence, _, err := p.Evidence(s, active)
	if err != nil {
		return nil, err
	}
	var found []review.Finding
	for path, account := range evidence.accounts() {
		switch account.Standing {
		case tally.Withdrawn, tally.Shadow, tally.Contradicted:
			found = append(found, finding(path, review.Withdrawn, account.String()))
		}
	}
	found = append(found, p.unused(ctx, s, evidence)...)
	return found, nil
}

// divergent finds what sessions say different things about, and what was seen often
// without becoming clear: as the artifact, or as the observation where there is none.
func divergent(s *store.Snapshot) func([]catalog.Item) ([]catalog.Item, []review.Finding) {
	return func(items []catalog.Item) (more []catalog.Item, found []review.Finding) {
		standing := lists.By(items, func(i catalog.Item) string { return i.Observation })
		for o := range s.Log.Where(func(h observe.Head) bool { return h.Status != observe.Deprecated && h.Observations > 1 }) {
			if !o.NeedsReview || o.Recorded == observe.RecordedManual {
				continue
			}
			i, ok := standing[o.ID]
			if !ok {
				var err error
				if i, err = catalog.Find(catalog.Named(s, verdict.View{}, o.ID), o.ID); err != nil {
					continue
				}
				more = append(more, i)
			}
			found = append(found, finding(review.PlaceOf(i), review.Divergent, whyUnclear(o, s)))
		}
		return more, found
	}
}

func whyUnclear(o *observe.Observation, s *store.Snapshot) string {
	switch missing := observe.Missing(o, s.Config.Thresholds); {
	case otherWay(o) != "":
		return "sessions say different things under one title"
	case o.ArtifactPath != "":
		return "sessions say something else than " + o.ArtifactPath
	case missing != "":
		return "seen often, and not written yet: " + missing
	}
	return "people removed it before, and it was met again"
}

// otherWay is what some sessions say instead of an observation's own words. A rule of a
// linter has as many examples as places.
func otherWay(o *observe.Observation) string {
	if o.IsRule() {
		return ""
	}
	other, _ := lists.Find(o.Others, func(other observe.Pair) bool { return observe.Diverge(o.Fix, other.Fix) })
	return other.Fix
}

// undelivered finds what was written and lost before any commit had it.
func (p *Project) undelivered(ctx context.Context, s *store.Snapshot) func([]catalog.Item) ([]catalog.Item, []review.Finding) {
	return func([]catalog.Item) (more []catalog.Item, found []review.Finding) {
		report, err := p.askGit(ctx, s, true)
		if err != nil {
			return nil, nil // nobody can tell while git is busy
		}
		lost, _ := discarded(report)
		for _, d := range lost {
			if o := s.Log.Get(d.Observation); o != nil {
				more = append(more, catalog.Item{ID: o.ID, Kind: catalog.KindObservation, Title: o.Title(), Status: "lost", Path: d.Path, Observation: o.ID})
				found = append(found, finding(o.ID, review.Undelivered, strings.TrimSpace(d.Reason)))
			}
		}
		return more, found
	}
}
