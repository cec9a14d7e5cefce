package hook

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
	"github.com/lessons-cli/lessons/internal/inject"
)

// place is a work tree and where lessons keeps what hooks need of it.
type place struct {
	root, gitDir string
	index        string
	calls        string // the call log
	user         string // the person's lessons for all repositories
}

// find locates the work tree of a directory. Links in the directory are
// resolved: the same tree has one place.
func find(dir string) (place, bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return place{}, false
	}
	found, err := gitdir.Find(dir)
	if err != nil || found.TopLevel == "" || gitdir.Linked(found.Location) != nil {
		return place{}, false
	}
	return place{
		root: found.TopLevel, gitDir: found.GitDir,
		index: filepath.Join(found.GitDir, "lessons", "index"), calls: filepath.Join(found.CommonDir, "lessons", "calls"),
	}, true
}

// userLessons is the folder of the person's lessons for all repositories; empty where the
// environment does not name the home folder.
func (sys *System) userLessons() string {
	home := sys.Env("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // Windows has another variable
	}
	root := inject.UserRoot(sys.Env, home)
	if root == "" {
		return ""
	}
	return filepath.Join(root, ".lessons")
}

func describe(name string) fs.FileInfo {
	info, err := os.Lstat(name)
	if err != nil {
		return nil
	}
	return info
}

// open opens the compiled index. When lessons changed since, it has a new one
// made and waits a little for it; the old one is better than none. Without
// lessons and calls there is nil.
func (sys *System) open(p place) (index *inject.Index, done func()) {
	nothing := func() {}
	p.user = sys.userLessons()
	index, done = openIndex(p.index)
	if index != nil && index.Stamp == inject.StampOf(os.Lstat, p.root, p.user) && (index.Until == "" || sys.Now().UTC().Format(time.DateOnly) < index.Until) {
		return index, done
	}
	if index == nil && describe(filepath.Join(p.root, ".lessons")) == nil && describe(p.user) == nil && describe(p.calls) == nil {
		return nil, nothing
	}
	if ended := sys.Start(p.root, "compile"); ended != nil {
		select {
		case <-ended:
			if index != nil {
				done()
			}
			return openIndex(p.index)
		case <-time.After(sys.limits().compile):
		}
	}
	if index == nil {
		return nil, nothing
	}
	return index, done
}

// openIndex reads only what lookups need. Damage and other versions are silence
// here, and a line of doctor. Neither the file nor its folder may be a link: an
// index of somebody else's says what its lessons do and that they are trusted.
func openIndex(name string) (*inject.Index, func()) {
	if folder := describe(filepath.Dir(name)); folder == nil || !folder.IsDir() {
		return nil, func() {}
	}
	if file := describe(name); file == nil || !file.Mode().IsRegular() { // to open a pipe would be to wait
		return nil, func() {}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, func() {}
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if index, err := inject.OpenAt(f, info.Size()); err == nil {
			return index, func() { f.Close() }
		}
	}
	f.Close()
	return nil, func() {}
}
