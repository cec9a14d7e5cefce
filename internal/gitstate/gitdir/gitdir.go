// Package gitdir finds the repository that a directory lies in, by reading files
// alone: quick enough for a hook, which can afford neither a process nor a big
// library. Where git's own answer might differ, it says so.
package gitdir

import "errors"

var (
	// ErrNoRepository: the directory is in no git repository.
	ErrNoRepository = errors.New("not a git repository")
	// ErrUnsupported: the repository is of a form that is not read here.
	ErrUnsupported = errors.New("repository format not supported")
)

// Location is where a repository lies. Paths are absolute, physical.
type Location struct {
	TopLevel  string // top of the work tree; empty in a bare repository
	GitDir    string // of this work tree
	CommonDir string // shared by all linked work trees
	Shallow   bool
}
