package render

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/store"
)

// files is what the artifact folders hold while a plan is made: their content
// as it was read, and what the plan changes.
type files struct {
	before map[string][]byte // as read; a path that is not in it does not exist
	after  map[string][]byte // planned; nil: removed
	order  []string          // paths of after, in the order of their first change
	taken  map[string]bool   // folded paths that no new file may have
}

// fold maps paths that are one file on a case-insensitive file system to one text.
func fold(path string) string { return strings.ToLower(path) }

// add takes a file that exists into account.
func (f *files) add(path string, text []byte) {
	f.before[path] = text
	f.reserve(path)
}

// reserve keeps a path, and a skill's folder, from being given to a new file.
func (f *files) reserve(path string) {
	f.taken[fold(path)] = true
}

func (f *files) read(path string) ([]byte, bool) {
	if text, ok := f.after[path]; ok {
		return text, text != nil
	}
	text, ok := f.before[path]
	return text, ok
}

// write plans the content of a file; nil removes it.
func (f *files) write(path string, text []byte) {
	if _, ok := f.after[path]; !ok {
		f.order = append(f.order, path)
	}
	f.after[path] = text
	f.reserve(path)
}

// free says whether a new file may have the path: neither the path itself nor
// one of the folders above it is the name of something else.
func (f *files) free(path string) bool {
	path = fold(path)
	if f.taken[path] {
		return false
	}
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if f.taken[path[:i]] {
			return false
		}
	}
	return true
}

// obstacle is what is in the way of every file below a folder: the folder itself
// or one above it is a file, a link or cannot be read. Empty: nothing.
func (f *files) obstacle(folder string) string {
	for ; folder != "."; folder = path.Dir(folder) {
		if f.taken[fold(folder)] {
			return folder
		}
	}
	return ""
}

// changes lists what differs from what was read. Copies come last, so that a
// crash never leaves a published copy without its source.
func (f *files) changes() []store.Change {
	var changes []store.Change
	for _, path := range f.order {
		before, existed := f.before[path]
		after := f.after[path]
		if existed == (after != nil) && bytes.Equal(before, after) {
			continue
		}
		change := store.Change{Path: path, After: after}
		if existed {
			change.Before = before
		}
		changes = append(changes, change)
	}
	slices.SortStableFunc(changes, func(a, b store.Change) int { return rank(a) - rank(b) })
	return changes
}

// rank orders changes: knowledge first, published copies behind it, removals last.
func rank(c store.Change) int {
	switch {
	case c.After == nil:
		return 2
	case strings.HasSuffix(c.Path, "/SKILL.md") && !strings.HasPrefix(c.Path, skillFolder+"/"):
		return 1
	}
	return 0
}
