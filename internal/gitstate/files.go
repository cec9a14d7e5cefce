package gitstate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
	"github.com/lessons-cli/lessons/internal/lists"
)

// files answers what a look at the git directory's files can tell, for both
// adapters and without a process.
type files struct{ at Location }

// Location implements [Repository].
func (f files) Location() Location { return f.at }

// operations are the traces of an operation in progress, in the git directory
// of the work tree. A rebase comes first: while it stops it may leave the
// traces of the cherry-pick or merge that it is made of.
var operations = []struct{ file, name string }{
	{"rebase-merge", "rebase"},
	{"rebase-apply/applying", "am"},
	{"rebase-apply", "rebase"},
	{"MERGE_HEAD", "merge"},
	{"CHERRY_PICK_HEAD", "cherry-pick"},
	{"REVERT_HEAD", "revert"},
	{"BISECT_LOG", "bisect"},
	{"sequencer", ""},
	{"index.lock", "index.lock"},
}

// Operation implements [Repository] (fact F1).
func (f files) Operation() (string, error) {
	for _, op := range operations {
		path := filepath.Join(f.at.GitDir, filepath.FromSlash(op.file))
		_, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", fmt.Errorf("operation in progress: %w", err)
		case op.name != "":
			return op.name, nil
		default:
			return sequence(path), nil
		}
	}
	return "", nil
}

// sequence names what is left of a series of cherry-picks or reverts.
func sequence(dir string) string {
	todo, err := gitdir.ReadSmall(filepath.Join(dir, "todo"))
	if err == nil && strings.HasPrefix(strings.TrimSpace(todo), "revert") {
		return "revert"
	}
	return "cherry-pick"
}

// IndexStamp implements [Repository]. Besides size and time it takes the
// index's own checksum, so that two writes within one tick of the clock differ.
func (f files) IndexStamp() (string, error) {
	h := sha256.New()
	io.WriteString(h, f.indexStamp())
	head, err := gitdir.ReadSmall(filepath.Join(f.at.GitDir, "HEAD"))
	if err != nil {
		return "", fmt.Errorf("HEAD: %w", err)
	}
	io.WriteString(h, head)
	if ref, ok := strings.CutPrefix(head, "ref:"); ok {
		f.stampRef(h, strings.TrimSpace(ref))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// stampRef adds what a branch's value depends on.
func (f files) stampRef(h hash.Hash, ref string) {
	value, err := gitdir.ReadSmall(filepath.Join(f.at.CommonDir, filepath.FromSlash(ref)))
	if err == nil {
		io.WriteString(h, value)
		return
	}
	stampFile(h, filepath.Join(f.at.CommonDir, "packed-refs"))
	for _, dir := range f.dirs() {
		tables, _ := gitdir.ReadSmall(filepath.Join(dir, "reftable", "tables.list"))
		io.WriteString(h, tables)
	}
}

func (f files) indexStamp() string {
	path := filepath.Join(f.at.GitDir, "index")
	h := sha256.New()
	stampFile(h, path)
	if file, err := os.Open(path); err == nil {
		defer file.Close()
		if _, err := file.Seek(-32, io.SeekEnd); err == nil {
			io.Copy(h, file)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// stampFile adds a file's name, size and time; an absent file differs from an
// empty one.
func stampFile(h hash.Hash, path string) {
	info, err := os.Stat(path)
	if err != nil {
		fmt.Fprintf(h, "%q -\n", path)
		return
	}
	fmt.Fprintf(h, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
}

// dirs are the git directories of this work tree.
func (f files) dirs() []string {
	if f.at.GitDir == f.at.CommonDir {
		return []string{f.at.CommonDir}
	}
	return []string{f.at.CommonDir, f.at.GitDir}
}

// WorkTrees implements [Repository].
func (f files) WorkTrees() []string {
	trees := []string{f.at.TopLevel}
	if filepath.Base(f.at.CommonDir) == ".git" {
		trees = append(trees, filepath.Dir(f.at.CommonDir))
	}
	for _, dir := range f.linked() {
		link, err := gitdir.ReadSmall(filepath.Join(dir, "gitdir")) // names the .git file of the work tree
		link = strings.TrimSpace(link)
		if !filepath.IsAbs(link) {
			link = filepath.Join(dir, link)
		}
		if err == nil && filepath.Base(link) == ".git" && gitdir.Exists(link) {
			trees = append(trees, filepath.Dir(link))
		}
	}
	return slices.DeleteFunc(lists.SortedUnique(trees), func(dir string) bool { return dir == "" })
}

// linked are the git directories of all linked work trees.
func (f files) linked() []string {
	root := filepath.Join(f.at.CommonDir, "worktrees")
	entries, _ := os.ReadDir(root) // none: no linked work trees
	return lists.Map(lists.Filter(entries, os.DirEntry.IsDir), func(e os.DirEntry) string { return filepath.Join(root, e.Name()) })
}
