package reconcile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
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
	return cmp.Or(t.Commit, "tombstone "+t.At)
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
		return restored(item), appendNew(undone, tombstoneName(*t))
	}
	if len(undone) == 0 || stays {
		return item, undone
	}
	v := j.open[len(j.open)-1]
	item.Commit, item.By, item.At = v.Commit, v.By, when(v.At)
	return restored(item), undone
}

func restored(item Item) Item {
	item.Answer, item.Reason = Restored, "it is back"
	item.Facts = append(item.Facts, "F10")
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

// orphan is step 5: a marker without a row. One artifact is healed, with the
// hash of its text as it stands, so that an edit made meanwhile stays
// authoritative. It is a pure function.
func orphan(key knowledge.Key, found []artifact.Artifact, o *observe.Observation) Item {
	source, copies := original(found)
	if source == nil {
		item := newItem(rebuilt(key, found[0], nil, o), Ambiguous, fmt.Sprintf("no row, and its marker stands in %d places", len(found)), "F3")
		item.Candidates = places(found)
		return item
	}
	reason := "its row was not committed"
	if o != nil && o.Status == observe.Ready {
		reason = "rendering was interrupted before its row"
	}
	item := newItem(rebuilt(key, *source, copies, o), Healed, reason, "F3")
	item.artifact, item.noRow = source, true
	return item
}

// skillHome is where skills are rendered; the agents' folders hold published
// copies.
const skillHome = ".lessons/skills/"

// original tells a single artifact from its published copies.
func original(found []artifact.Artifact) (source *artifact.Artifact, copies []string) {
	if len(found) == 1 {
		return &found[0], nil
	}
	for i, a := range found {
		switch {
		case a.Kind != knowledge.KindSkill:
			return nil, nil
		case strings.HasPrefix(a.Path, skillHome) && source == nil:
			source = &found[i]
		case strings.HasPrefix(a.Path, skillHome):
			return nil, nil
		default:
			copies = append(copies, a.Path)
		}
	}
	return source, copies
}

// rebuilt makes the row of an artifact that has none.
func rebuilt(key knowledge.Key, a artifact.Artifact, copies []string, o *observe.Observation) manifest.Row {
	row := manifest.Row{
		ObservationID: key.Observation, Type: knowledge.RowType(key.Kind), Path: a.Path, Anchor: a.Anchor,
		ContentHash: a.Hash, Copies: copies, Rev: 1, Title: a.Title,
	}
	if o != nil {
		row.RenderedAt, row.N = o.LastSeen.UTC(), o.Observations
	}
	return row
}
