package stale

import (
	"context"
	"path"
	"slices"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
)

// gonePaths finds paths that were there when their text was written and are not
// any more, wherever they may have been moved to.
func gonePaths(ctx context.Context, repo gitstate.Repository, refs []anchored) ([]Finding, error) {
	var asked []string
	for _, r := range refs {
		asked = append(asked, "HEAD:"+r.Name, r.commit+":"+r.Name)
	}
	there, err := existing(ctx, repo, asked)
	if err != nil {
		return nil, err
	}
	missing := lists.Filter(refs, func(r anchored) bool { return !there["HEAD:"+r.Name] && there[r.commit+":"+r.Name] })
	if len(missing) == 0 {
		return nil, nil
	}
	trail, err := readTrail(ctx, repo, missing)
	if err != nil {
		return nil, err
	}
	if err := trail.prefetch(ctx, missing); err != nil {
		return nil, err
	}
	var found []Finding
	for _, r := range missing {
		by, alive, err := trail.follow(ctx, r.Name)
		if err != nil {
			return nil, err
		}
		if !alive {
			found = append(found, r.finding(by))
		}
	}
	return found, nil
}

// existing says which of the named objects there are.
func existing(ctx context.Context, repo gitstate.Repository, names []string) (map[string]bool, error) {
	names = lists.SortedUnique(names)
	objects, err := repo.Objects(ctx, names, false)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for i, o := range objects {
		there[names[i]] = !o.Missing
	}
	return there, nil
}

// trail knows which commits removed paths, and follows renames.
type trail struct {
	repo    gitstate.Repository
	removed map[string]gitstate.Commit            // path → newest commit that removed it
	folders map[string]gitstate.Commit            // folder → newest commit that removed something in it
	renames map[string]map[string]gitstate.Change // commit → old path → change
	there   map[string]bool                       // "HEAD:path" → is it there
	whole   bool                                  // all removals and renames were read
}

// manyPaths is how many path arguments git takes before a whole walk is cheaper.
const manyPaths = 8

func readTrail(ctx context.Context, repo gitstate.Repository, missing []anchored) (*trail, error) {
	w := gitstate.Walk{}
	for _, r := range missing {
		if !slices.Contains(w.Paths, r.Name) {
			w.Paths = append(w.Paths, r.Name)
		}
	}
	if len(w.Paths) > manyPaths {
		w = gitstate.Walk{Removals: true}
	}
	t := &trail{repo: repo, renames: map[string]map[string]gitstate.Change{}}
	t.whole = w.Removals
	return t, t.read(ctx, w)
}

func (t *trail) read(ctx context.Context, w gitstate.Walk) error {
	commits, err := t.repo.Log(ctx, w)
	if err != nil {
		return err
	}
	if t.removed == nil {
		t.removed, t.folders = map[string]gitstate.Commit{}, map[string]gitstate.Commit{}
	}
	for _, c := range commits {
		for _, change := range c.Changes {
			old := change.Path
			switch change.Status {
			case "R":
				old = change.OldPath
				if t.renames[c.OID] == nil {
					t.renames[c.OID] = map[string]gitstate.Change{}
				}
				t.renames[c.OID][old] = change
			case "D":
			default:
				continue
			}
			if _, ok := t.removed[old]; !ok {
				t.removed[old] = c
			}
			for dir := path.Dir(old); dir != "."; dir = path.Dir(dir) {
				if _, ok := t.folders[dir]; !ok {
					t.folders[dir] = c
				}
			}
		}
	}
	return nil
}

// prefetch asks for the renames of all commits that removed something missing, and
// for where it is now, in one question each.
func (t *trail) prefetch(ctx context.Context, missing []anchored) error {
	var commits []string
	for _, r := range missing {
		c, ok := t.removed[r.Name]
		if !ok {
			c, ok = t.folders[r.Name]
		}
		if ok && !t.whole && !slices.Contains(commits, c.OID) {
			commits = append(commits, c.OID)
		}
	}
	if err := t.readRenames(ctx, commits); err != nil {
		return err
	}
	var asked []string
	for _, r := range missing {
		if to := t.renames[t.removed[r.Name].OID][r.Name].Path; to != "" {
			asked = append(asked, "HEAD:"+to)
		}
	}
	there, err := existing(ctx, t.repo, asked)
	t.there = there
	return err
}

func (t *trail) readRenames(ctx context.Context, commits []string) error {
	found, err := t.repo.Renames(ctx, commits)
	if err != nil {
		return err
	}
	for _, oid := range commits {
		t.renames[oid] = map[string]gitstate.Change{}
	}
	for _, c := range found {
		for _, change := range c.Changes {
			if change.Status == "R" {
				t.renames[c.OID][change.OldPath] = change
			}
		}
	}
	return nil
}

// atHead says whether a path is there now.
func (t *trail) atHead(ctx context.Context, name string) (bool, error) {
	if is, ok := t.there["HEAD:"+name]; ok {
		return is, nil
	}
	there, err := existing(ctx, t.repo, []string{"HEAD:" + name})
	return there["HEAD:"+name], err
}

// maxHops bounds a chain of renames.
const maxHops = 32

// follow says whether what was at a path is somewhere at HEAD, and which commit
// removed it when it is not.
func (t *trail) follow(ctx context.Context, name string) (by gitstate.Commit, alive bool, err error) {
	at := name
	for range maxHops {
		c, ok := t.removed[at]
		if !ok {
			c, ok = t.folders[at]
			if !ok {
				return by, false, nil // removed by no commit that is known here
			}
			return t.followFolder(ctx, c, at)
		}
		by = c
		to, err := t.renamed(ctx, c, at)
		if err != nil || to == "" {
			return by, false, err
		}
		there, err := t.atHead(ctx, to)
		if err != nil || there {
			return by, true, err
		}
		if at = to; t.removed[at].OID == "" && !t.whole {
			if err := t.read(ctx, gitstate.Walk{Paths: []string{at}}); err != nil {
				return by, false, err
			}
		}
	}
	return by, false, nil
}

// followFolder follows a folder by the files that the commit which emptied it
// moved out of it.
func (t *trail) followFolder(ctx context.Context, c gitstate.Commit, folder string) (gitstate.Commit, bool, error) {
	if _, err := t.renamed(ctx, c, folder); err != nil {
		return c, false, err
	}
	for old, change := range t.renames[c.OID] {
		if len(old) <= len(folder) || old[:len(folder)+1] != folder+"/" {
			continue
		}
		there, err := t.atHead(ctx, change.Path)
		if err != nil || there {
			return c, true, err
		}
	}
	return c, false, nil
}

// renamed is where a commit moved a path to; empty when it removed it.
func (t *trail) renamed(ctx context.Context, c gitstate.Commit, name string) (string, error) {
	if t.renames[c.OID] == nil && !t.whole {
		if err := t.readRenames(ctx, []string{c.OID}); err != nil {
			return "", err
		}
	}
	return t.renames[c.OID][name].Path, nil
}
