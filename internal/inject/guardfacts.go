package inject

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// TreeFacts is the evidence of a session and of its work tree. Nothing outside
// of the work tree is opened, and no link that leads out of it is followed.
type TreeFacts struct {
	*Session
	Root string // of the work tree, absolute
}

// maxWalk bounds how many files a gate looks at.
const maxWalk = 5000

var errTooMany = errors.New("too many files to look at")

// Newest walks below the glob's literal folder.
func (t TreeFacts) Newest(glob string) (newest time.Time, err error) {
	if !inRepository(glob) {
		return time.Time{}, fs.ErrInvalid
	}
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return time.Time{}, err
	}
	defer func() { _ = root.Close() }()
	seen := 0
	err = fs.WalkDir(root.FS(), literalFolder(glob), func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if seen++; seen > maxWalk {
			return errTooMany
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.Type().IsRegular() && Glob(glob, name) {
			if info, err := d.Info(); err == nil && info.ModTime().After(newest) {
				newest = info.ModTime()
			}
		}
		return nil
	})
	return newest, err
}

// literalFolder is the part of a glob before its first wildcard, as a folder; a
// glob without any is itself.
func literalFolder(glob string) string {
	at := strings.IndexAny(glob, `*?[{\`)
	if at < 0 {
		return glob
	}
	return path.Dir(glob[:at] + "x")
}

// Lines counts line ends of a regular file.
func (t TreeFacts) Lines(name string, limit int) (int, error) {
	if !inRepository(name) {
		return 0, nil
	}
	f, err := t.open(name)
	if errors.Is(err, fs.ErrNotExist) || f == nil && err == nil {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	n, chunk := 0, make([]byte, 64<<10)
	for n <= limit {
		size, err := f.Read(chunk)
		n += bytes.Count(chunk[:size], []byte("\n"))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	return min(n, limit+1), nil
}

// open opens a regular file below the root, nil for anything else.
func (t TreeFacts) open(name string) (*os.File, error) {
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Stat(filepath.FromSlash(name)); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	return root.Open(filepath.FromSlash(name))
}

// Exists says whether there is a regular file.
func (t TreeFacts) Exists(name string) bool {
	f, err := t.open(name)
	if err != nil || f == nil {
		return false
	}
	_ = f.Close()
	return true
}
