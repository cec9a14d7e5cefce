package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// ErrNoProgram: there is no git program on this machine.
var ErrNoProgram = errors.New("git program not found")

// Open opens the repository that a directory lies in: with the user's git
// program, or without one in process. [ErrNoRepository] if there is none.
func Open(ctx context.Context, dir string) (Repository, error) {
	r, err := OpenExec(ctx, dir)
	if errors.Is(err, ErrNoProgram) {
		return OpenInProcess(ctx, dir)
	}
	return r, err
}

// OpenExec opens a repository with the git program. It starts no process for
// the common forms of a repository, one for the others. Errors:
// [ErrNoProgram], [ErrNoRepository], [ErrOwner], [ErrUnsupported] for a borrowed
// common directory, or a [*GitError].
func OpenExec(ctx context.Context, dir string) (Repository, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoProgram, err)
	}
	return openWith(ctx, dir, path)
}

// openWith is [OpenExec] with a git program of one's own.
func openWith(ctx context.Context, dir, path string) (Repository, error) {
	dir, err := physical(dir)
	if err != nil {
		return nil, err
	}
	r := &execRepo{program: &program{path: path}}
	found, err := gitdir.Find(dir)
	switch {
	case err != nil && found.Sure:
		return nil, err
	case err != nil || !found.Sure:
		if found.Location, err = r.program.revParse(ctx, dir); err != nil {
			return nil, err
		}
	}
	if err := gitdir.Linked(found.Location); err != nil {
		return nil, err
	}
	r.files = files{found.Location}
	r.program.place(found.Location)
	r.reader = &reader{program: r.program, stamp: r.indexStamp}
	return r, nil
}

// physical is a directory's absolute path without symbolic links.
func physical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
