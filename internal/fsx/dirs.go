package fsx

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// ValidPath says whether a slash-separated path may be read or written below a
// root: it is relative and clean, stays below the root, goes through no git
// directory in any spelling that some file system takes for ".git", and holds no
// control characters.
func ValidPath(p string) error {
	if !fs.ValidPath(p) || p == "." || !filepath.IsLocal(filepath.FromSlash(p)) || strings.ContainsAny(p, "\\:") {
		return &RefusedError{Path: p, Why: "not a path inside the repository"}
	}
	if strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return &RefusedError{Path: fmt.Sprintf("%q", p), Why: "a control character in the path"}
	}
	for part := range strings.SplitSeq(p, "/") {
		if isDotGit(part) {
			return &RefusedError{Path: p, Why: "inside a git directory"}
		}
	}
	return nil
}

// isDotGit knows the names that NTFS and HFS+ take for ".git".
func isDotGit(name string) bool {
	name = strings.Map(func(r rune) rune {
		if r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff {
			return -1 // ignored by HFS+
		}
		return r
	}, name)
	name = strings.ToLower(strings.TrimRight(name, ". "))
	return name == ".git" || name == "git~1"
}

// LstatBelow describes a file below root without following any symbolic link
// on the way: a link or a file where a directory should be is a [RefusedError].
// Root itself may be anything.
func LstatBelow(fsys FS, root, p string) (fs.FileInfo, error) {
	name := root
	parts := strings.Split(p, "/")
	for _, part := range parts[:len(parts)-1] {
		name = filepath.Join(name, part)
		info, err := fsys.Lstat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, refuse(name, info.Mode())
		}
	}
	return fsys.Lstat(filepath.Join(name, parts[len(parts)-1]))
}

func refuse(name string, mode fs.FileMode) error {
	why := "is a special file; lessons reads and writes regular files only"
	switch {
	case mode&fs.ModeSymlink != 0:
		why = "is a symbolic link; lessons follows none"
	case mode.IsDir():
		why = "is a directory where a file should be"
	case mode.IsRegular():
		why = "is a file where a directory should be"
	}
	return &RefusedError{name, why, mode&fs.ModeSymlink != 0}
}

// ReadBelow reads a regular file below root of at most limit bytes, following
// no symbolic link. Errors are [RefusedError], [TooLargeError] and those of the
// file system.
func ReadBelow(fsys FS, root, p string, limit int64) ([]byte, error) {
	name, _, err := regularBelow(fsys, root, p, limit)
	if err != nil {
		return nil, err
	}
	data, err := fsys.ReadFile(name)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// OpenBelow is [ReadBelow] for a file that is read bit by bit. It returns its size too.
func OpenBelow(fsys FS, root, p string, limit int64) (io.ReaderAt, int64, error) {
	name, size, err := regularBelow(fsys, root, p, limit)
	if err != nil {
		return nil, 0, err
	}
	text, err := fsys.Open(name)
	return text, size, err
}

func regularBelow(fsys FS, root, p string, limit int64) (name string, size int64, err error) {
	info, err := LstatBelow(fsys, root, p)
	if err != nil {
		return "", 0, err
	}
	name = filepath.Join(root, filepath.FromSlash(p))
	if !info.Mode().IsRegular() {
		return "", 0, refuse(name, info.Mode())
	}
	if info.Size() > limit {
		return "", 0, &TooLargeError{name, info.Size(), limit}
	}
	return name, info.Size(), nil
}

// TooLargeError is a file beyond what lessons reads into memory.
type TooLargeError struct {
	Path        string
	Size, Limit int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: %d bytes, more than the %d that lessons reads", e.Path, e.Size, e.Limit)
}

// MkdirAll creates a directory with all above it, durably.
func MkdirAll(fsys FS, dir string) error {
	b := batch{fs: fsys, root: dir, dirty: map[string]bool{}}
	if err := b.makeDir(dir); err != nil {
		return err
	}
	return b.syncDirs()
}

// makeDir creates a directory and notes which others gained an entry by it.
func (b *batch) makeDir(dir string) error {
	missing := false
	for at := dir; ; at = filepath.Dir(at) {
		_, err := b.fs.Lstat(at)
		if err == nil {
			if missing {
				b.dirty[at] = true
			}
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = true
		b.dirty[at] = true
		if at == filepath.Dir(at) {
			break
		}
	}
	if !missing {
		return nil
	}
	return b.fs.MkdirAll(dir, dirPerm)
}

// removeEmpty removes directories below root that became empty, as git does.
func (b *batch) removeEmpty(dir string) {
	for dir != b.root && strings.HasPrefix(dir, b.root) {
		entries, err := b.fs.ReadDir(dir)
		if err != nil || len(entries) > 0 || b.fs.Remove(dir) != nil {
			return
		}
		delete(b.dirty, dir)
		dir = filepath.Dir(dir)
		b.dirty[dir] = true
	}
}

// syncDirs syncs every directory whose entries changed, the deepest first, so
// that a name is durable no later than the directory it is found in.
func (b *batch) syncDirs() error {
	dirs := slices.Collect(maps.Keys(b.dirty))
	slices.SortFunc(dirs, func(x, y string) int { return strings.Compare(y, x) })
	for _, dir := range dirs {
		if err := b.fs.SyncDir(dir); err != nil {
			return fmt.Errorf("sync %s: %w", dir, WithoutPath(err))
		}
		delete(b.dirty, dir)
	}
	return nil
}
