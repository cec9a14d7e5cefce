package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Head implements [Repository].
func (r *inProcess) Head(context.Context) (string, error) {
	hash, err := r.revision("HEAD")
	if errors.Is(err, errAbsent) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	commit, err := object.GetCommit(r.store, hash)
	if err != nil {
		return "", fmt.Errorf("HEAD names %s, which is not in this repository: %w", hash, err)
	}
	return commit.Hash.String(), nil
}

// errAbsent: a name that names nothing here.
var errAbsent = errors.New("no such object")

// errUnread: a name whose object is not in this clone.
var errUnread = errors.New("object not in this clone")

// Objects implements [Repository] for the names that this package documents:
// a revision (HEAD, refs/…, an object id), that with ^{commit}, that with
// :path, and :path or :stage:path in the index.
func (r *inProcess) Objects(ctx context.Context, names []string, contents bool) ([]Object, error) {
	if r.replaces() {
		return nil, fmt.Errorf("%w without the git program: replaced objects", ErrUnsupported)
	}
	all := make([]Object, len(names))
	var index *indexFile
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, ":") && index == nil {
			var err error
			if index, err = r.index(); err != nil {
				return nil, err
			}
		}
		o, err := r.object(name, index, contents)
		if err != nil {
			return nil, fmt.Errorf("object %q: %w", name, err)
		}
		all[i] = o
	}
	return all, nil
}

// object answers one name.
func (r *inProcess) object(name string, index *indexFile, contents bool) (Object, error) {
	hash, listed, err := r.resolve(name, index)
	o := Object{}
	if err == nil {
		o, err = r.read(hash, contents)
	}
	o.Name = name
	switch {
	case errors.Is(err, errUnread), listed && errors.Is(err, errAbsent):
		o.Missing, o.Unread = true, true
	case errors.Is(err, errAbsent):
		o.Missing = true
	default:
		return o, err
	}
	return o, nil
}

// replaces says whether objects stand in for others (git replace), which
// go-git does not know of.
func (r *inProcess) replaces() bool {
	if exists(filepath.Join(r.at.CommonDir, "refs", "replace")) {
		return true
	}
	refs, err := r.store.IterReferences()
	if err != nil {
		return false
	}
	found := false
	_ = refs.ForEach(func(ref *plumbing.Reference) error {
		if strings.HasPrefix(string(ref.Name()), "refs/replace/") {
			found = true
			return storer.ErrStop
		}
		return nil
	})
	return found
}

// resolve finds the id that a name stands for. listed says that a tree or the
// index lists it, so that there must be an object, here or elsewhere.
func (r *inProcess) resolve(name string, index *indexFile) (hash plumbing.Hash, listed bool, err error) {
	if strings.ContainsAny(name, "\n\x00") {
		return hash, false, errUnread
	}
	if name == "" {
		return hash, false, errAbsent
	}
	if rest, ok := strings.CutPrefix(name, ":"); ok {
		return inIndex(rest, index.entries)
	}
	rev, file, inTree := strings.Cut(name, ":")
	rev, peel := strings.CutSuffix(rev, "^{commit}")
	if hash, err = r.revision(rev); err != nil || (!peel && !inTree) {
		return hash, false, err
	}
	commit, err := r.commit(hash)
	switch {
	case err != nil:
		return hash, false, err
	case inTree:
		return r.inTree(commit, file)
	}
	return commit.Hash, false, nil
}

// inIndex finds "path" or "stage:path".
func inIndex(name string, entries []IndexEntry) (plumbing.Hash, bool, error) {
	stage := 0
	if len(name) > 1 && name[1] == ':' && name[0] >= '0' && name[0] <= '3' {
		stage, name = int(name[0]-'0'), name[2:]
	}
	i := sort.Search(len(entries), func(i int) bool {
		e := entries[i]
		return e.Path > name || (e.Path == name && e.Stage >= stage)
	})
	if i < len(entries) && entries[i].Path == name && entries[i].Stage == stage {
		return plumbing.NewHash(entries[i].OID), entries[i].Mode != modeSubmodule, nil
	}
	return plumbing.ZeroHash, false, errAbsent
}

// revision resolves HEAD, a whole ref name or an object id.
func (r *inProcess) revision(rev string) (plumbing.Hash, error) {
	switch {
	case isOID(rev) && len(rev) == 40:
		return plumbing.NewHash(rev), nil
	case rev != "HEAD" && !strings.HasPrefix(rev, "refs/") && !strings.HasSuffix(rev, "_HEAD"):
		return plumbing.ZeroHash, fmt.Errorf("%w without the git program: this form of a name", ErrUnsupported)
	}
	ref, err := storer.ResolveReference(r.store, plumbing.ReferenceName(rev))
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return plumbing.ZeroHash, errAbsent
	}
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return ref.Hash(), nil
}

// commit reads a commit, through annotated tags.
func (r *inProcess) commit(hash plumbing.Hash) (*object.Commit, error) {
	for range 10 {
		o, err := r.store.EncodedObject(plumbing.AnyObject, hash)
		if err != nil {
			return nil, absent(err)
		}
		if o.Type() != plumbing.TagObject {
			break
		}
		tag, err := object.GetTag(r.store, hash)
		if err != nil {
			return nil, absent(err)
		}
		hash = tag.Target
	}
	commit, err := object.GetCommit(r.store, hash)
	return commit, absent(err)
}

func absent(err error) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return errAbsent
	}
	return err
}

// inTree walks a commit's trees to a path. A tree that is not here leaves the
// question open.
func (r *inProcess) inTree(commit *object.Commit, file string) (plumbing.Hash, bool, error) {
	hash, mode := commit.TreeHash, filemode.Dir
	if file == "" {
		return hash, true, nil
	}
	for part := range strings.SplitSeq(file, "/") {
		if mode != filemode.Dir {
			return hash, false, errAbsent
		}
		tree, err := object.GetTree(r.store, hash)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return hash, true, errUnread
		}
		if err != nil {
			return hash, false, err
		}
		entry := entryNamed(tree, part)
		if entry == nil {
			return hash, false, errAbsent
		}
		hash, mode = entry.Hash, entry.Mode
	}
	return hash, mode != filemode.Submodule, nil
}

func entryNamed(tree *object.Tree, name string) *object.TreeEntry {
	for i := range tree.Entries {
		if tree.Entries[i].Name == name {
			return &tree.Entries[i]
		}
	}
	return nil
}

func (r *inProcess) read(hash plumbing.Hash, contents bool) (Object, error) {
	o, err := r.store.EncodedObject(plumbing.AnyObject, hash)
	if err != nil {
		return Object{}, absent(err)
	}
	answer := Object{OID: hash.String(), Type: o.Type().String()}
	if !contents {
		return answer, nil
	}
	if o.Size() > MaxContent {
		answer.Unread = true
		return answer, nil
	}
	in, err := o.Reader()
	if err != nil {
		return Object{}, err
	}
	defer in.Close()
	answer.Data, err = io.ReadAll(in)
	if answer.Data == nil {
		answer.Data = []byte{}
	}
	return answer, err
}
