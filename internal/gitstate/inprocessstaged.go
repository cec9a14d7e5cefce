package gitstate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Modes that are no file's: a folder, a commit of another repository, nothing.
const (
	modeTree      = "040000"
	modeSubmodule = "160000"
	modeNone      = "000000"
)

// treeFile is one file of a commit, or one entry of a tree.
type treeFile struct{ path, mode, oid string }

// headFiles are the files of HEAD's commit; none while unborn.
func (r *inProcess) headFiles(ctx context.Context) ([]treeFile, error) {
	head, err := r.Head(ctx)
	if err != nil || head == "" {
		return nil, err
	}
	_, tree, err := r.commit(plumbing.NewHash(head))
	if err != nil {
		return nil, err
	}
	var all []treeFile
	return all, r.walk(ctx, tree.String(), "", &all)
}

func (r *inProcess) walk(ctx context.Context, tree, prefix string, all *[]treeFile) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	files, err := r.tree(tree)
	if errors.Is(err, errUnread) {
		return fmt.Errorf("%w without the git program: the folder %q is not in this clone", ErrUnsupported, prefix)
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		f.path = prefix + f.path
		if f.mode != modeTree {
			*all = append(*all, f)
		} else if err := r.walk(ctx, f.oid, f.path+"/", all); err != nil {
			return err
		}
	}
	return nil
}

// zeroOID stands for "no object" in a raw diff.
var zeroOID = strings.Repeat("0", 40)

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
			Path: e.Path, OldMode: modeNone, OldOID: zeroOID, NewMode: e.Mode, NewOID: e.OID,
		}
		if had {
			c.OldMode, c.OldOID = old.mode, old.oid
		}
		switch {
		case e.Stage > 0:
			c.Status, c.NewMode, c.NewOID = "U", modeNone, zeroOID
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
				Status: "D", Path: f.path, OldMode: f.mode, OldOID: f.oid, NewMode: modeNone, NewOID: zeroOID,
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
