package gitstate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// modeSubmodule is the mode of a commit of another repository.
const modeSubmodule = "160000"

// treeFile is one file of a commit.
type treeFile struct{ path, mode, oid string }

// headFiles are the files of HEAD's commit; none while unborn.
func (r *inProcess) headFiles(ctx context.Context) ([]treeFile, error) {
	head, err := r.Head(ctx)
	if err != nil || head == "" {
		return nil, err
	}
	commit, err := object.GetCommit(r.store, plumbing.NewHash(head))
	if err != nil {
		return nil, err
	}
	var all []treeFile
	return all, r.walk(ctx, commit.TreeHash, "", &all)
}

func (r *inProcess) walk(ctx context.Context, tree plumbing.Hash, prefix string, all *[]treeFile) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t, err := object.GetTree(r.store, tree)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return fmt.Errorf("%w without the git program: the tree of %q is not in this clone", ErrUnsupported, prefix)
	}
	if err != nil {
		return err
	}
	for _, e := range t.Entries {
		if e.Mode == filemode.Dir {
			if err := r.walk(ctx, e.Hash, prefix+e.Name+"/", all); err != nil {
				return err
			}
			continue
		}
		*all = append(*all, treeFile{prefix + e.Name, fmt.Sprintf("%06o", uint32(e.Mode)), e.Hash.String()})
	}
	return nil
}

// zeroOID stands for "no object" in a raw diff, zeroMode for "no file".
var zeroOID = strings.Repeat("0", 40)

const zeroMode = "000000"

// stagedChanges compares a commit's files with the index, by path. Unmerged
// paths have status U, as in git.
func stagedChanges(head []treeFile, index []IndexEntry) []Change {
	before := make(map[string]treeFile, len(head))
	for _, f := range head {
		before[f.path] = f
	}
	var changes []Change
	done := map[string]bool{}
	for _, e := range index {
		old, had := before[e.Path]
		if done[e.Path] {
			continue
		}
		done[e.Path] = true
		c := Change{
			Path: e.Path, OldMode: zeroMode, OldOID: zeroOID, NewMode: e.Mode, NewOID: e.OID,
		}
		if had {
			c.OldMode, c.OldOID = old.mode, old.oid
		}
		switch {
		case e.Stage > 0:
			c.Status, c.NewMode, c.NewOID = "U", zeroMode, zeroOID
		case !had:
			c.Status = "A"
		case old.mode == e.Mode && old.oid == e.OID:
			continue
		case old.mode[:2] != e.Mode[:2]:
			c.Status = "T"
		default:
			c.Status = "M"
		}
		changes = append(changes, c)
	}
	for _, f := range head {
		if !done[f.path] {
			changes = append(changes, Change{
				Status: "D", Path: f.path, OldMode: f.mode, OldOID: f.oid, NewMode: zeroMode, NewOID: zeroOID,
			})
		}
	}
	return wholeRenames(changes)
}

// wholeRenames joins a removed and an added file of the same content into a
// rename; of several candidates the one with the same base name wins, then the
// first by path.
func wholeRenames(changes []Change) []Change {
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	removed := map[string][]int{}
	for i, c := range changes {
		if c.Status == "D" && c.OldMode != modeSubmodule {
			removed[c.OldOID] = append(removed[c.OldOID], i)
		}
	}
	gone := map[int]bool{}
	for i := range changes {
		c := &changes[i]
		if c.Status != "A" || len(removed[c.NewOID]) == 0 {
			continue
		}
		sources := removed[c.NewOID]
		pick := max(0, slices.IndexFunc(sources, func(s int) bool { return base(changes[s].Path) == base(c.Path) }))
		old := changes[sources[pick]]
		gone[sources[pick]] = true
		removed[c.NewOID] = slices.Delete(sources, pick, pick+1)
		c.Status, c.Score = "R", 100
		c.OldPath, c.OldMode, c.OldOID = old.Path, old.OldMode, old.OldOID
	}
	kept := changes[:0]
	for i, c := range changes {
		if !gone[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
