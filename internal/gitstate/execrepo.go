package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// execRepo answers with the user's git program.
type execRepo struct {
	files
	program *program
	reader  *reader
}

var _ Repository = (*execRepo)(nil)

// Processes implements [Repository].
func (r *execRepo) Processes() int { return int(r.program.started.Load()) }

// Close implements [Repository].
func (r *execRepo) Close() error {
	r.reader.close()
	return nil
}

// Objects implements [Repository] (fact F2).
func (r *execRepo) Objects(ctx context.Context, names []string, contents bool) ([]Object, error) {
	return r.reader.objects(ctx, names, contents)
}

// Head implements [Repository].
func (r *execRepo) Head(ctx context.Context) (string, error) {
	objects, err := r.Objects(ctx, []string{"HEAD^{commit}"}, false)
	if err != nil || !objects[0].Missing {
		return oidOf(objects), err
	}
	out, err := r.program.run(ctx, nil, "rev-parse", "-q", "--verify", "HEAD")
	if exited(err, 1) {
		return "", nil // unborn
	}
	if err != nil {
		return "", err
	}
	return "", fmt.Errorf("HEAD names %s, which is not in this repository: git fsck tells more", strings.TrimSpace(string(out)))
}

func oidOf(objects []Object) string {
	if len(objects) == 0 {
		return ""
	}
	return objects[0].OID
}

// Operation implements [Repository]. With reftables two of the traces are refs
// instead of files.
func (r *execRepo) Operation() (string, error) {
	op, err := r.files.Operation()
	if op != "" || err != nil || !gitdir.Exists(filepath.Join(r.at.CommonDir, "reftable")) {
		return op, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	objects, err := r.Objects(ctx, []string{"CHERRY_PICK_HEAD", "REVERT_HEAD"}, false)
	switch {
	case err != nil:
		return "", err
	case !objects[0].Missing:
		return "cherry-pick", nil
	case !objects[1].Missing:
		return "revert", nil
	}
	return "", nil
}

// maxPaths is the number of path arguments beyond which git's cost grows too
// much: cost is index entries times path arguments.
const maxPaths = 8

// Index implements [Repository] (fact F4). A bare repository has none.
func (r *execRepo) Index(ctx context.Context, folders []string) ([]IndexEntry, error) {
	if r.at.TopLevel == "" {
		return nil, nil
	}
	args := []string{"ls-files", "-s", "-v", "-z", "--"}
	if len(folders) <= maxPaths && !slices.Contains(folders, "") {
		args = append(args, folders...)
	}
	out, err := r.program.run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	entries, err := parsed("ls-files", out, parseIndex)
	return below(entries, folders), err
}

// below keeps the entries in the folders; no folders: all of them.
func below(entries []IndexEntry, folders []string) []IndexEntry {
	if len(folders) == 0 || slices.Contains(folders, "") {
		return entries
	}
	return slices.DeleteFunc(entries, func(e IndexEntry) bool {
		return !slices.ContainsFunc(folders, func(f string) bool { return within(e.Path, f) })
	})
}

// within says whether a path is the folder, or in it.
func within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, "/"))
	return ok && (rest == "" || rest[0] == '/')
}

// Staged implements [Repository] (fact F5). Before the first commit everything
// in the index is an addition.
func (r *execRepo) Staged(ctx context.Context) ([]Change, error) {
	if r.at.TopLevel == "" {
		return nil, nil
	}
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	if head == "" {
		if head, err = r.emptyTree(ctx); err != nil {
			return nil, err
		}
	}
	out, err := r.withRenames(ctx, "", "diff-index", "--cached", "-r", "-z", "--raw", "--no-abbrev",
		"--no-ext-diff", "--no-textconv", head, "--")
	if err != nil {
		return nil, err
	}
	return parsed("diff-index", out, parseChanges)
}

// emptyTree is the id of the empty tree in the repository's own hash.
func (r *execRepo) emptyTree(ctx context.Context) (string, error) {
	out, err := r.program.run(ctx, strings.NewReader(""), "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(string(out)), err
}

// withRenames runs a diff with -M. Where that needs a blob which this partial
// clone has not, only whole-file renames are found: they need no content.
func (r *execRepo) withRenames(ctx context.Context, stdin string, args ...string) ([]byte, error) {
	try := func(how string) ([]byte, error) {
		return r.program.run(ctx, strings.NewReader(stdin), slices.Insert(slices.Clone(args), 1, how)...)
	}
	out, err := try("-M")
	if failed, ok := errors.AsType[*GitError](err); ok && failed.Exit == 128 && isMissingObject(failed.Stderr) {
		return try("-M100%")
	}
	return out, err
}

func isMissingObject(stderr string) bool {
	return slices.ContainsFunc([]string{"promisor", "lazy fetching disabled", "could not fetch", "unable to read"}, func(s string) bool {
		return strings.Contains(stderr, s)
	})
}
