package reconcile

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// present takes steps 1-3, 5 and the first half of 4.1: everything that the
// work tree answers. It returns the rows whose artifact is not at its path.
func (r *run) present() ([]*evidence, error) {
	var missing []*evidence
	m := r.base.manifest
	here := make([]Item, 0, len(m.Rows)+len(r.tree.byKey)) // items are large to move
	for _, row := range m.Rows {
		if a := r.tree.at(row, row.Path); a != nil {
			here = append(here, standing(row, *a))
			continue
		}
		e := r.evidenceOf(row)
		if o := movedElsewhere(e, setting{}); o.decided() && o.item.Answer == Moved {
			here = append(here, *o.item)
			continue
		}
		missing = append(missing, e)
	}
	for _, t := range m.Tombstones {
		if item, ok := r.reappeared(t); ok {
			here = append(here, item)
		} else if item, ok, err := r.hidden(t); err != nil {
			return nil, err
		} else if ok {
			r.items = append(r.items, item)
		} else {
			r.items = append(r.items, tombstoned(t))
		}
	}
	return missing, r.judgePresent(r.withOrphans(here))
}

// reappeared is an artifact that stands although its key has a tombstone. Only its
// marker counts: another text at that path is somebody's new file.
func (r *run) reappeared(t manifest.Tombstone) (Item, bool) {
	found := slices.DeleteFunc(slices.Clone(r.tree.byKey[t.Key()]), func(a artifact.Artifact) bool {
		return isCopy(t.Row, a.Path)
	})
	if len(found) == 0 {
		return Item{}, false
	}
	if a := pick(t.Row, slices.DeleteFunc(slices.Clone(found), func(a artifact.Artifact) bool { return a.Path != t.Path })); a != nil {
		found = []artifact.Artifact{*a}
	}
	if len(found) > 1 {
		item := newItem(t.Row, Ambiguous, fmt.Sprintf("it was removed, and its marker stands in %d places", len(found)), "F3")
		item.Candidates = places(found)
		return item, true
	}
	item := standing(t.Row, found[0])
	if found[0].Path != t.Path {
		item.To = found[0].Path
	}
	item.tombstone = &t
	return item, true
}

// hidden is an artifact that this branch has although its key has a tombstone, another
// branch's, and that a sparse checkout keeps out of the work tree.
func (r *run) hidden(t manifest.Tombstone) (Item, bool, error) {
	repo := r.in.Repository
	if repo == nil {
		return Item{}, false, nil
	}
	if _, err := r.in.FS.Lstat(filepath.Join(repo.Location().GitDir, "info", "sparse-checkout")); err != nil {
		return Item{}, false, nil
	}
	e := r.evidenceOf(t.Row)
	if err := r.facts.gatherIndex([]*evidence{e}); err != nil || e.index.text != mine {
		return Item{}, false, err
	}
	o := flaggedInIndex(e, setting{git: true})
	if !o.decided() {
		return Item{}, false, nil
	}
	return *o.item, true, nil
}

// withOrphans appends the artifacts whose key has neither row nor tombstone.
func (r *run) withOrphans(here []Item) []Item {
	known := lists.SetOf(r.base.manifest.Rows, manifest.Row.Key)
	for _, t := range r.base.manifest.Tombstones {
		known[t.Key()] = true
	}
	first := len(here)
	for _, a := range r.in.Snapshot.Artifacts { // nearly in order: items are large to move
		key := knowledge.Key{Observation: a.Source, Kind: a.Kind}
		if found := r.tree.byKey[key]; len(found) > 0 && !known[key] {
			known[key] = true
			here = append(here, orphan(key, found, r.memory.observation(key.Observation)))
		}
	}
	sortItems(here[first:])
	return here
}

// judgePresent is step 2 for everything that stands.
func (r *run) judgePresent(here []Item) error {
	var commits []string
	for _, item := range here {
		for _, v := range r.memory.open[item.Key()] {
			commits = appendCommit(commits, v.Commit)
		}
		if item.tombstone != nil {
			commits = appendCommit(commits, item.tombstone.Commit)
		}
	}
	reach, err := r.facts.reach(r.facts.ctx, commits)
	if err != nil {
		return err
	}
	published := &manifest.Manifest{}
	if slices.ContainsFunc(here, func(i Item) bool { return i.tombstone != nil && reach[i.tombstone.Commit] == gitstate.Elsewhere }) {
		if published, err = r.facts.headManifest(); err != nil {
			return err
		}
	}
	for i := range here {
		r.judge(&here[i], reach, published)
	}
	r.items = append(here, r.items...)
	return nil
}

func appendCommit(commits []string, c string) []string {
	if c == "" {
		return commits
	}
	return appendNew(commits, c)
}

func (r *run) judge(item *Item, reach map[string]gitstate.Reach, published *manifest.Manifest) {
	key := item.Key()
	stone := item.tombstone
	open := r.memory.open[key]
	if item.Answer != Ambiguous && (stone != nil || len(open) > 0) {
		_, inHead := published.Tombstone(key)
		var undone []string
		*item, undone = presentAgain(*item, pastVerdicts{
			tombstone: stone, open: open, undone: r.memory.undone[key], reach: reach,
			published: inHead, workTree: r.in.WorkTree,
		})
		r.memory.recordUndone(item.row, undone, r.in.Now)
	}
	if item.artifact != nil {
		r.memory.recordSeen(item.row, r.in.Now)
	}
	item.New = item.Answer == Restored || ((item.Answer == Moved || item.Answer == Healed) && !r.memo.counted(*item))
}
