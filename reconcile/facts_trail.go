package reconcile

import (
	"context"
	"path"
	"slices"

	"github.com/lessons-cli/lessons/internal/gitstate"
)

// gatherRenames is F7: where the removing commits took the artifacts.
func (f *facts) gatherRenames(rows []*evidence) error {
	var ask []string
	for _, e := range rows {
		c := e.branch.found.commit
		if _, ok := f.renames[c]; !ok && !slices.Contains(ask, c) {
			ask = append(ask, c)
		}
	}
	if len(ask) > 0 {
		commits, err := f.repo.Renames(f.historyContext(), ask)
		if err != nil {
			return err
		}
		for _, c := range ask {
			f.renames[c] = nil
		}
		for _, c := range commits {
			f.renames[c.OID] = append(f.renames[c.OID], c)
		}
	}
	changes := func(e *evidence) []gitstate.Change {
		var all []gitstate.Change
		for _, c := range f.renames[e.branch.found.commit] {
			all = append(all, c.Changes...)
		}
		return all
	}
	return f.targets(f.historyContext(), rows, changes, func(e *evidence, to []string) { e.targets = &to })
}

// maxGained bounds how many files of one change are read for a marker.
const maxGained = 2000

// targets finds where a set of changes took each row's artifact: the other end
// of a rename, or the files that gained its marker.
func (f *facts) targets(ctx context.Context, rows []*evidence, changes func(*evidence) []gitstate.Change, set func(*evidence, []string)) error {
	var ids []string
	for _, e := range rows {
		for i, ch := range changes(e) {
			if i < maxGained && mayGain(e, ch) {
				ids = append(ids, ch.OldOID, ch.NewOID)
			}
		}
	}
	if err := f.load(ctx, ids); err != nil {
		return err
	}
	for _, e := range rows {
		to := []string{}
		for i, ch := range changes(e) {
			if i < maxGained && mayGain(e, ch) && f.gained(e, ch) && !slices.Contains(to, ch.Path) {
				to = append(to, ch.Path)
			}
		}
		set(e, to)
	}
	return nil
}

// mayGain says whether a change may have taken in the row's artifact.
func mayGain(e *evidence, ch gitstate.Change) bool {
	if ch.Path == e.path || ch.Status == "D" || isCopy(e.row, ch.Path) || isZero(ch.NewOID) {
		return false
	}
	return ch.Status == "R" && ch.OldPath == e.path || path.Ext(ch.Path) == ".md"
}

func (f *facts) gained(e *evidence, ch gitstate.Change) bool {
	after := f.holds(e, ch.NewOID)
	if ch.Status == "R" && ch.OldPath == e.path {
		return after == mine || after == bare || (after == unread && !inBook(e.row, e.path))
	}
	return after == mine && (ch.Status == "A" || ch.Status == "R" || ch.Status == "C" || f.holds(e, ch.OldOID) != mine)
}
