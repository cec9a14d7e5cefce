package hook

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// How far the nearest path is looked for, and how long a path may be to be told.
const (
	nearestEntries = 5000
	nearestEdits   = 2
	nearestBytes   = 300
)

// nearest says, after a call that failed because a path is not there, which path
// is meant, if exactly one is near: of the same base name anywhere
// in the work tree, else of the base name with the fewest edits in the same or a
// sibling directory. Links and other repositories are not looked into. Empty
// when nothing can be said, or nobody would hear it.
func (sys *System) nearest(root string, e agent.Event) string {
	if e.Name != agent.PostToolUse || e.Call == nil || !e.Call.Failed || !e.Can.Has(agent.TellModel) {
		return ""
	}
	return sys.nearestPath(root, e)
}

// nearestPath says which path is meant by the one of a call that is not there.
func (sys *System) nearestPath(root string, e agent.Event) string {
	written, rel := missing(root, e)
	if rel == "" {
		return ""
	}
	w := walk{root: root, left: nearestEntries, now: sys.Now, until: sys.Now().Add(sys.limits().nearest), dirs: e.Call.Tool != "Read" && e.Call.Tool != "Edit"}
	near, ok := w.only(rel)
	if !ok || !printable(near) {
		return ""
	}
	switch dir, err := filepath.EvalSymlinks(e.Cwd); {
	case filepath.IsAbs(written):
		near = filepath.Join(root, near)
	case err == nil:
		if from, err := filepath.Rel(dir, filepath.Join(root, near)); err == nil {
			near = from
		}
	}
	return "[lessons] " + written + " does not exist; the nearest path is " + filepath.ToSlash(near)
}

// missing finds the one path of the call that is not there: as it was written,
// and below the root. Of several it must be the one that the answer names.
func missing(root string, e agent.Event) (written, rel string) {
	var paths []string
	switch e.Call.Tool {
	case "Read", "Edit", "Glob", "Grep":
		paths = e.Call.Paths
		if len(paths) > 1 {
			paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
				return !strings.Contains(e.Call.Response, filepath.Base(p))
			})
		}
	case "Bash":
		paths = namedMissing(e.Call.Response)
	}
	for _, p := range paths {
		at, ok := below(root, e.Cwd, p)
		if !ok || !printable(p) || strings.ContainsAny(p, "*?") {
			continue
		}
		if _, err := os.Lstat(filepath.Join(root, at)); !os.IsNotExist(err) {
			continue
		}
		if rel != "" && rel != at {
			return "", ""
		}
		written, rel = p, at
	}
	return written, rel
}

// printable: a path goes into a line for the model, so it has to be one.
func printable(p string) bool {
	return len(p) > 0 && len(p) <= nearestBytes && utf8.ValidString(p) &&
		!strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsPrint(r) })
}

// below gives the path relative to the root, when it lies there once the links of
// the directories that exist are followed.
func below(root, cwd, p string) (string, bool) {
	if !filepath.IsAbs(p) {
		p = filepath.Join(cwd, p)
	}
	dir, rest := filepath.Clean(p), ""
	for {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir, rest = parent, filepath.Join(filepath.Base(dir), rest)
	}
	rel, err := filepath.Rel(root, filepath.Join(dir, rest))
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// walk looks for paths within its bounds.
type walk struct {
	root  string
	left  int // entries that may still be read
	now   func() time.Time
	until time.Time
	dirs  bool // a directory may be the path that is meant
	cut   bool // a bound was met: what was not seen may be as near
}

// only gives the path that is nearest, relative to the root, if it is one.
func (w *walk) only(rel string) (string, bool) {
	parent, base := filepath.Split(filepath.Clean(rel))
	parent = filepath.Clean(parent)
	alike := w.similar(parent, base) // before the tree uses the bounds up
	if w.cut {
		return "", false
	}
	switch same := w.sameBase(base); {
	case len(same) == 1 && !w.cut:
		return same[0], true
	case len(same) == 0 && len(alike) == 1:
		return alike[0], true
	}
	return "", false
}

// sameBase lists the paths with a base name, directories near the root first.
func (w *walk) sameBase(base string) []string {
	var found []string
	queue := []string{"."}
	for len(queue) > 0 && !w.cut && len(found) < 2 {
		dir := queue[0]
		queue = queue[1:]
		for _, entry := range w.list(dir) {
			name := filepath.Join(dir, entry.Name())
			if entry.Name() == base && w.wanted(entry) {
				found = append(found, name)
			}
			if entry.IsDir() {
				queue = append(queue, name)
			}
		}
	}
	return found
}

// similar lists the paths in a directory and its siblings whose base names need
// the fewest edits. A short name allows fewer: of a.go everything is near.
func (w *walk) similar(dir, base string) []string {
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	best := min(nearestEdits, utf8.RuneCountInString(stem)/3)
	if best == 0 {
		return nil
	}
	var found []string
	for _, d := range w.siblings(dir) {
		for _, entry := range w.list(d) {
			if !w.wanted(entry) {
				continue
			}
			switch n := edits(base, entry.Name()); {
			case n < best:
				best, found = n, []string{filepath.Join(d, entry.Name())}
			case n == best:
				found = append(found, filepath.Join(d, entry.Name()))
			}
		}
	}
	return found
}

// siblings are the directory and those beside it.
func (w *walk) siblings(dir string) []string {
	if dir == "." {
		return []string{dir}
	}
	var dirs []string
	parent := filepath.Dir(dir)
	for _, entry := range w.list(parent) {
		if entry.IsDir() {
			dirs = append(dirs, filepath.Join(parent, entry.Name()))
		}
	}
	return dirs
}

func (w *walk) wanted(entry fs.DirEntry) bool {
	return entry.Type().IsRegular() || w.dirs && entry.IsDir()
}

// list reads a directory: no links, not what git or a package manager keeps, and
// nothing of another repository.
func (w *walk) list(dir string) []fs.DirEntry {
	f, err := os.Open(filepath.Join(w.root, dir))
	if err != nil {
		return nil
	}
	defer f.Close()
	var entries []fs.DirEntry
	for {
		if w.left <= 0 || w.now().After(w.until) {
			w.cut = true
			return entries
		}
		some, err := f.ReadDir(min(w.left, 256))
		w.left -= len(some)
		for _, entry := range some {
			switch {
			case entry.Name() == ".git" && dir != ".":
				return nil
			case entry.Name() == ".git" || entry.Name() == "node_modules" || entry.Type()&fs.ModeSymlink != 0:
			default:
				entries = append(entries, entry)
			}
		}
		if err != nil || len(some) == 0 {
			return entries
		}
	}
}

// edits is how far two names are from each other; those that differ in case alone are
// one edit apart.
func edits(a, b string) int {
	if a != b && strings.EqualFold(a, b) {
		return 1
	}
	return prose.Distance(a, b)
}
