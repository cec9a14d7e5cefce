package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// inProcess answers without a git program: HEAD, objects and the index, as
// go-git reads them. It knows no history.
type inProcess struct {
	files
	store *filesystem.Storage
}

var _ Repository = (*inProcess)(nil)

// OpenInProcess opens a repository without any process. What it cannot read is
// [ErrUnsupported], never a wrong answer; questions about history and about what
// is staged are [ErrNoHistory]. It reads no configuration but the repository's
// own, so safe.directory does not hold here.
func OpenInProcess(_ context.Context, dir string) (Repository, error) {
	dir, err := physical(dir)
	if err != nil {
		return nil, err
	}
	found, err := gitdir.Find(dir)
	if err != nil {
		return nil, err
	}
	if err := gitdir.Linked(found.Location); err != nil {
		return nil, err
	}
	if found.Unsupported != "" {
		return nil, fmt.Errorf("%s: %w without the git program: %s", found.GitDir, ErrUnsupported, found.Unsupported)
	}
	own := osfs.New(found.GitDir, osfs.WithBoundOS())
	both := dotgit.NewRepositoryFilesystem(own, osfs.New(found.CommonDir, osfs.WithBoundOS()))
	store := filesystem.NewStorageWithOptions(both, cache.NewObjectLRU(16*cache.MiByte), filesystem.Options{
		AlternatesFS:    osfs.New("/"),
		KeepDescriptors: true,
	})
	return &inProcess{files: files{found.Location}, store: store}, nil
}

// Processes implements [Repository]: none.
func (r *inProcess) Processes() int { return 0 }

// Close implements [Repository].
func (r *inProcess) Close() error { return r.store.Close() }

// Staged implements [Repository]: [ErrNoHistory].
func (r *inProcess) Staged(context.Context) ([]Change, error) { return nil, ErrNoHistory }

// Log implements [Repository]: [ErrNoHistory].
func (r *inProcess) Log(context.Context, Walk) ([]Commit, error) { return nil, ErrNoHistory }

// Renames implements [Repository]: [ErrNoHistory].
func (r *inProcess) Renames(context.Context, []string) ([]Commit, error) { return nil, ErrNoHistory }

// Ignored implements [Repository]: [ErrNoHistory], for it is asked about
// removals in history only.
func (r *inProcess) Ignored(context.Context, []string) (map[string]bool, error) {
	return nil, ErrNoHistory
}

// Search implements [Repository]: [ErrNoHistory].
func (r *inProcess) Search(context.Context, []string) ([]string, error) { return nil, ErrNoHistory }

// Reach implements [Repository]: [ErrNoHistory].
func (r *inProcess) Reach(context.Context, []string) (map[string]Reach, error) {
	return nil, ErrNoHistory
}

// Index implements [Repository], without the mark "assume unchanged". A bare
// repository has none.
func (r *inProcess) Index(_ context.Context, folders []string) ([]IndexEntry, error) {
	entries, err := r.index()
	return below(entries, folders), err
}

func (r *inProcess) index() ([]IndexEntry, error) {
	if r.at.TopLevel == "" {
		return nil, nil
	}
	read, err := r.store.Index()
	path := filepath.Join(r.at.GitDir, "index")
	if errors.Is(err, index.ErrUnknownExtension) || errors.Is(err, index.ErrUnsupportedVersion) {
		return nil, fmt.Errorf("%s: %w without the git program: %v", path, ErrUnsupported, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	entries := make([]IndexEntry, len(read.Entries))
	for i, e := range read.Entries {
		entries[i] = IndexEntry{
			Path: e.Name, Mode: fmt.Sprintf("%06o", uint32(e.Mode)), OID: e.Hash.String(), Stage: int(e.Stage), Skip: e.SkipWorktree,
		}
	}
	return entries, nil
}
