package reconcile

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// standing is step 1: an artifact at its row's path.
func standing(row manifest.Row, a artifact.Artifact) Item {
	item := newItem(row, Unchanged, "", "F3")
	if !knowledge.SameHash(row.ContentHash, a.Text) {
		item.Answer, item.Reason = Edited, "its text is not the rendered one"
	}
	item.artifact = &a
	if a.Anchor != "" {
		item.Anchor = a.Anchor
	}
	return item
}

// pastVerdicts is what was once decided about an artifact that stands here now.
type pastVerdicts struct {
	tombstone *manifest.Tombstone
	open      []verdict.Event // verdicts of this clone, not undone
	undone    map[string]bool // names of verdicts that were undone before
	reach     map[string]gitstate.Reach
	published bool   // HEAD's manifest has the tombstone
	workTree  string // of this run
}

// tombstoneName is how an undone event names a tombstone.
func tombstoneName(t manifest.Tombstone) string {
	if t.Commit != "" {
		return t.Commit
	}
	return "tombstone " + t.At
}

// presentAgain is step 2: presence wins over a verdict unless that verdict is
// another branch's. It changes the item that presence alone would have, and
// returns the names of the verdicts that are undone. It is a pure function.
func presentAgain(item Item, j pastVerdicts) (Item, []string) {
	var undone []string
	stays := false
	for _, v := range j.open {
		if back(v.Commit, j.reach, v.WorkTree == j.workTree, false) {
			undone = append(undone, v.Name())
		} else {
			stays = true
		}
	}
	if t := j.tombstone; t != nil {
		item.tombstone = t
		item.Commit, item.By, item.At = t.Commit, t.By, t.At
		switch {
		case !back(t.Commit, j.reach, true, true):
			item.Facts = append(item.Facts, "F10")
			item.tombstone = nil // stays in the manifest
			if !j.published {
				item.Answer, item.Reason = Skipped, "tombstone of another branch"
			}
			return item, undone
		case j.undone[tombstoneName(*t)]:
			return item, undone // told before, the row waits for the next write
		}
		return restored(item, *t), appendNew(undone, tombstoneName(*t))
	}
	if len(undone) == 0 || stays {
		return item, undone
	}
	v := j.open[len(j.open)-1]
	item.Commit, item.By, item.At = v.Commit, v.By, when(v.At)
	item.Answer, item.Reason = Restored, "it is back"
	item.Facts = append(item.Facts, "F10")
	return item, undone
}

func restored(item Item, t manifest.Tombstone) Item {
	item.Answer, item.Reason = Restored, "it is back"
	item.Facts = append(item.Facts, "F10")
	item.Commit, item.By, item.At = t.Commit, t.By, t.At
	return item
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// back says whether presence undoes a verdict. A verdict without a commit is
// undone only where it was recorded; one whose commit is unknown here yields if
// it is a tombstone.
func back(commit string, reach map[string]gitstate.Reach, sameTree, tombstone bool) bool {
	if commit == "" {
		return sameTree
	}
	switch reach[commit] {
	case gitstate.BehindHead, gitstate.Unreachable:
		return true
	case gitstate.Elsewhere:
		return false
	default:
		return tombstone
	}
}

// tombstoned is step 3: a tombstone and no artifact cost no process at all.
func tombstoned(t manifest.Tombstone) Item {
	item := newItem(t.Row, Gone, "the manifest has its tombstone", "tombstone")
	item.How, item.Commit, item.By, item.At = HowTombstone, t.Commit, t.By, t.At
	item.tombstone = &t
	return item
}
