package project

import (
	"context"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// ArchiveAll archives the lessons of some paths. What changes a file that another of them
// changes too, as the book that tells of both, is written after it.
func (p *Project) ArchiveAll(ctx context.Context, paths []string, dryRun bool) (Done, error) {
	all := Done{Said: []string{}}
	for len(paths) > 0 {
		var left []string
		done, err := attempt(p, func(s *store.Snapshot) (done Done, err error) {
			done, left, err = p.archiveTogether(ctx, s, paths, dryRun)
			return done, err
		})
		if err != nil {
			return all, err
		}
		all.Said, all.Diff = append(all.Said, done.Said...), all.Diff+done.Diff
		paths = left
	}
	return all, nil
}

// archiveTogether archives, in one transaction, those lessons that change no file in common,
// and returns the paths of the others.
func (p *Project) archiveTogether(ctx context.Context, s *store.Snapshot, paths []string, dryRun bool) (done Done, left []string, err error) {
	t := store.Transaction{Log: s.Log}
	changed := func(c store.Change) bool {
		return slices.ContainsFunc(t.Changes, func(other store.Change) bool { return other.Path == c.Path })
	}
	for _, item := range catalog.Artifacts(s) {
		if item.Kind != string(knowledge.KindLesson) || !slices.Contains(paths, item.Path) {
			continue
		}
		one, said, err := catalog.ArchiveLesson(s, item, p.reviewer(ctx))
		switch {
		case err != nil:
			return done, nil, err
		case slices.ContainsFunc(one.Changes, changed):
			left = append(left, item.Path)
			continue
		case dryRun:
			said = wouldBe + said
		}
		t.Changes, done.Said = append(t.Changes, one.Changes...), append(done.Said, said)
	}
	done.Diff = render.Diff(t.Changes)
	if dryRun || len(t.Changes) == 0 {
		return done, left, nil
	}
	return done, left, p.writeNamed(ctx, t)
}
