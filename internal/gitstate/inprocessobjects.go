package gitstate

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
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
	commit, _, err := r.commit(hash)
	if err != nil {
		return "", fmt.Errorf("HEAD names %s, which is not in this repository: git fsck tells more", hash)
	}
	return commit.String(), nil
}

// errAbsent: a name that names nothing here.
var errAbsent = errors.New("no such object")

// Objects implements [Repository] for the names that this package documents:
// a revision (HEAD, refs/…, an object id), that with ^{commit}, that with
// :path, and :path or :stage:path in the index.
func (r *inProcess) Objects(ctx context.Context, names []string, contents bool) ([]Object, error) {
	if r.replaces() {
		return nil, fmt.Errorf("%w without the git program: replaced objects", ErrUnsupported)
	}
	all := make([]Object, len(names))
	var index []IndexEntry
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
		hash, err := r.resolve(name, index)
		if err == nil {
			all[i], err = r.read(hash, contents)
		}
		all[i].Name, all[i].Missing = name, errors.Is(err, errAbsent)
		if err != nil && !all[i].Missing {
			return nil, fmt.Errorf("object %q: %w", name, err)
		}
	}
	return all, nil
}

// replaces says whether objects stand in for others (git replace), which
// go-git does not know of.
func (r *inProcess) replaces() bool {
	if gitdir.Exists(filepath.Join(r.at.CommonDir, "refs", "replace")) {
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

// resolve finds the id that a name stands for.
func (r *inProcess) resolve(name string, index []IndexEntry) (plumbing.Hash, error) {
	if name == "" || strings.ContainsAny(name, "\n\x00") {
		return plumbing.ZeroHash, errAbsent
	}
	if rest, ok := strings.CutPrefix(name, ":"); ok {
		return inIndex(rest, index)
	}
	rev, file, inTree := strings.Cut(name, ":")
	rev, peel := strings.CutSuffix(rev, "^{commit}")
	hash, err := r.revision(rev)
	if err != nil || (!peel && !inTree) {
		return hash, err
	}
	commit, tree, err := r.commit(hash)
	switch {
	case err != nil:
		return hash, err
	case inTree:
		return r.inTree(tree, file)
	}
	return commit, nil
}

// inIndex finds "path" or "stage:path".
func inIndex(name string, entries []IndexEntry) (plumbing.Hash, error) {
	stage := 0
	if len(name) > 1 && name[1] == ':' && name[0] >= '0' && name[0] <= '3' {
		stage, name = int(name[0]-'0'), name[2:]
	}
	i := slices.IndexFunc(entries, func(e IndexEntry) bool { return e.Path == name && e.Stage == stage })
	if i < 0 {
		return plumbing.ZeroHash, errAbsent
	}
	return plumbing.NewHash(entries[i].OID), nil
}

// revision resolves HEAD, a whole ref name or an object id.
func (r *inProcess) revision(rev string) (plumbing.Hash, error) {
	switch {
	case gitdir.IsOID(rev) && len(rev) == 40:
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

// commit follows annotated tags to a commit and returns its id and its tree's.
func (r *inProcess) commit(hash plumbing.Hash) (commit, tree plumbing.Hash, err error) {
	for range 10 {
		o, err := r.store.EncodedObject(plumbing.AnyObject, hash)
		if err != nil {
			return hash, tree, absent(err)
		}
		switch o.Type() {
		case plumbing.CommitObject:
			tree, err = field(o, "tree")
			return hash, tree, err
		case plumbing.TagObject:
			if hash, err = field(o, "object"); err != nil {
				return hash, tree, err
			}
		default:
			return hash, tree, errAbsent
		}
	}
	return hash, tree, errAbsent
}

// field reads the id in the first line of a commit or a tag.
func field(o plumbing.EncodedObject, name string) (plumbing.Hash, error) {
	in, err := o.Reader()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	defer in.Close()
	line := make([]byte, len(name)+1+40)
	if _, err := io.ReadFull(in, line); err != nil || string(line[:len(name)+1]) != name+" " {
		return plumbing.ZeroHash, fmt.Errorf("%s %s is damaged", o.Type(), o.Hash())
	}
	return plumbing.NewHash(string(line[len(name)+1:])), nil
}

func absent(err error) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return errAbsent
	}
	return err
}

// inTree walks a commit's trees to a path.
func (r *inProcess) inTree(tree plumbing.Hash, file string) (plumbing.Hash, error) {
	at := treeFile{mode: modeTree, oid: tree.String()}
	if file == "" {
		return tree, nil
	}
	for part := range strings.SplitSeq(file, "/") {
		if at.mode != modeTree {
			return tree, errAbsent
		}
		files, err := r.tree(at.oid)
		if err != nil {
			return tree, err
		}
		i := slices.IndexFunc(files, func(f treeFile) bool { return f.name == part })
		if i < 0 {
			return tree, errAbsent
		}
		at = files[i]
	}
	return plumbing.NewHash(at.oid), nil
}

// modeTree is the mode of a folder.
const modeTree = "040000"

// treeFile is one entry of a tree.
type treeFile struct{ name, mode, oid string }

// tree reads the entries of one tree.
func (r *inProcess) tree(oid string) ([]treeFile, error) {
	o, err := r.store.EncodedObject(plumbing.TreeObject, plumbing.NewHash(oid))
	if err != nil {
		return nil, absent(err)
	}
	data, err := contentOf(o)
	if err != nil {
		return nil, err
	}
	files, ok := parseTree(data)
	if !ok {
		return nil, fmt.Errorf("tree %s is damaged", oid)
	}
	return files, nil
}

// parseTree reads a tree object: "<mode> <name>NUL<20 bytes>" again and again.
func parseTree(data []byte) ([]treeFile, bool) {
	var files []treeFile
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		name, rest, named := bytes.Cut(rest, []byte{0})
		if !ok || !named || len(mode) < 5 || len(mode) > 6 || len(name) == 0 || len(rest) < 20 {
			return nil, false
		}
		if len(mode) == 5 { // a folder's
			mode = append([]byte{'0'}, mode...)
		}
		files = append(files, treeFile{string(name), string(mode), hex.EncodeToString(rest[:20])})
		data = rest[20:]
	}
	return files, true
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
		return answer, nil
	}
	answer.Data, err = contentOf(o)
	return answer, err
}

// contentOf is the content of an object, never nil.
func contentOf(o plumbing.EncodedObject) ([]byte, error) {
	in, err := o.Reader()
	if err != nil {
		return []byte{}, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if data == nil {
		data = []byte{}
	}
	return data, err
}
