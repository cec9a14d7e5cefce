package gitstate

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// Log implements [Repository] (facts F6 and F9). Plain "log -- path" prunes the
// side of a merge that holds a deletion; -m with --full-history keeps it.
func (r *execRepo) Log(ctx context.Context, w Walk) ([]Commit, error) {
	args := []string{
		"log", "-m", "--full-history", "--topo-order", "--raw", "-z", "--no-abbrev",
		"--no-ext-diff", "--no-textconv", commitFormat,
	}
	if !w.Removals {
		args = append(args, "--no-renames")
	}
	if !w.Since.IsZero() {
		args = append(args, "--since="+w.Since.UTC().Format(time.RFC3339))
	}
	revs, err := walkFrom(w)
	if err != nil {
		return nil, err
	}
	if w.All || w.Reflog {
		stash, err := r.stash(ctx)
		if err != nil {
			return nil, err
		}
		revs = append(revs, stash...)
	}
	args = append(append(args, revs...), "--")
	args = append(args, w.Paths...)
	if w.Removals {
		args = slices.Insert(args, 1, "--diff-filter=DR")
	}
	ask := func() ([]byte, error) { return r.program.run(ctx, nil, args...) }
	if w.Removals {
		ask = func() ([]byte, error) { return r.withRenames(ctx, "", args...) }
	}
	out, err := ask()
	if err != nil {
		if r.unborn(ctx, err) {
			return nil, nil
		}
		return nil, err
	}
	return parsed("log", out, parseLog)
}

// walkFrom is where a walk starts, as arguments of git log.
func walkFrom(w Walk) ([]string, error) {
	var revs []string
	switch {
	case w.All && w.Reflog:
		revs = []string{"--all", "--reflog"}
	case w.All:
		revs = []string{"--all"}
	case w.Reflog:
		return []string{"--reflog", "--not", "--all"}, nil
	case w.From == "":
		return []string{"HEAD"}, nil
	}
	if w.From == "" {
		return revs, nil
	}
	if strings.HasPrefix(w.From, "-") || strings.HasPrefix(w.From, "^") || strings.ContainsAny(w.From, " \n\x00") || strings.Contains(w.From, "..") {
		return nil, fmt.Errorf("%.80q is not a revision to walk from", w.From)
	}
	return append(revs, w.From), nil
}

// maxStash bounds how many entries of the stash a walk starts from.
const maxStash = 1000

// stash lists the commits of the stash: of all of them only the newest is behind a ref.
func (r *execRepo) stash(ctx context.Context) ([]string, error) {
	if !gitdir.Exists(filepath.Join(r.at.CommonDir, "logs", "refs", "stash")) && !gitdir.Exists(filepath.Join(r.at.CommonDir, "reftable")) {
		return nil, nil
	}
	out, err := r.program.run(ctx, nil, "rev-list", "-g", "--ignore-missing", fmt.Sprintf("--max-count=%d", maxStash), "refs/stash")
	return strings.Fields(string(out)), err
}

// unborn says whether a command failed because there is no commit yet.
func (r *execRepo) unborn(ctx context.Context, err error) bool {
	if !exited(err, 128) {
		return false
	}
	head, err := r.Head(ctx)
	return err == nil && head == ""
}

// Renames implements [Repository] (fact F7). Commits that are not here are left
// out.
func (r *execRepo) Renames(ctx context.Context, commits []string) ([]Commit, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	stdin, err := lines(commits)
	if err != nil {
		return nil, err
	}
	out, err := r.withRenames(ctx, stdin, "diff-tree", "--stdin", "-m", "-r", "-z", "--raw", "--root", "--no-abbrev",
		"--no-ext-diff", "--no-textconv", commitFormat)
	if err != nil {
		return nil, err
	}
	return parsed("diff-tree", out, parseLog)
}

// lines makes a command's input of object ids, and refuses anything else.
func lines(oids []string) (string, error) {
	for _, oid := range oids {
		if !gitdir.IsOID(oid) {
			return "", fmt.Errorf("%.80q is not a commit id", oid)
		}
	}
	return strings.Join(oids, "\n") + "\n", nil
}

// Ignored implements [Repository] (fact F8). Without --no-index git looks up
// each path in the index, which costs more than everything else here.
func (r *execRepo) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	ignored := make(map[string]bool, len(paths))
	var stdin bytes.Buffer
	asked := map[string]string{}
	for _, path := range paths {
		ignored[path] = false
		if r.at.TopLevel == "" || !filepath.IsLocal(filepath.FromSlash(path)) || strings.Contains(path, "\x00") || r.behindLink(path) {
			continue // git refuses the whole question for one such path
		}
		form := path
		if strings.HasPrefix(path, ":") { // a pathspec's magic
			form = "./" + path
		}
		asked[form] = path
		stdin.WriteString(form + "\x00")
	}
	if len(asked) == 0 {
		return ignored, nil
	}
	out, err := r.program.run(ctx, &stdin, "check-ignore", "--no-index", "-z", "--stdin")
	if err != nil && !exited(err, 1) { // 1: none is
		return nil, err
	}
	for f := (&fields{rest: out}); ; {
		form, ok := f.next()
		if !ok {
			return ignored, nil
		}
		ignored[asked[form]] = true
	}
}

// behindLink says whether an ancestor of the path is a symbolic link: what lies
// there is none of this repository's business.
func (r *execRepo) behindLink(path string) bool {
	for dir := filepath.Dir(filepath.FromSlash(path)); dir != "."; dir = filepath.Dir(dir) {
		if gitdir.IsLink(filepath.Join(r.at.TopLevel, dir)) {
			return true
		}
	}
	return false
}

// Reach implements [Repository] (fact F10): a commit that rev-list prints is
// not contained.
func (r *execRepo) Reach(ctx context.Context, commits []string) (map[string]Reach, error) {
	reach := make(map[string]Reach, len(commits))
	if len(commits) == 0 {
		return reach, nil
	}
	if _, err := lines(commits); err != nil {
		return nil, err
	}
	objects, err := r.Objects(ctx, append([]string{"HEAD^{commit}"}, commits...), false)
	if err != nil {
		return nil, err
	}
	var here []string
	for _, o := range objects[1:] {
		if reach[o.Name] = Unknown; o.Type == "commit" {
			here = append(here, o.Name)
		}
	}
	elsewhere := here
	if head := objects[0].OID; head != "" && len(here) > 0 {
		if elsewhere, err = r.outside(ctx, reach, BehindHead, here, "^"+head); err != nil {
			return nil, err
		}
	}
	if len(elsewhere) > 0 {
		lost, err := r.outside(ctx, reach, Elsewhere, elsewhere, "", "--not", "--all")
		if err != nil {
			return nil, err
		}
		for _, c := range lost {
			reach[c] = Unreachable
		}
	}
	return reach, nil
}

// outside asks which of the commits some starting points do not contain. The
// contained ones get the given answer, the others are returned.
func (r *execRepo) outside(ctx context.Context, reach map[string]Reach, contained Reach, commits []string, exclude string, args ...string) ([]string, error) {
	stdin := strings.Join(commits, "\n") + "\n"
	if exclude != "" {
		stdin += exclude + "\n"
	}
	out, err := r.program.run(ctx, strings.NewReader(stdin), append([]string{"rev-list", "--stdin"}, args...)...)
	if err != nil {
		return nil, err
	}
	printed := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		printed[strings.TrimSpace(line)] = true
	}
	var rest []string
	for _, c := range commits {
		if printed[c] {
			rest = append(rest, c)
		} else {
			reach[c] = contained
		}
	}
	return rest, nil
}
