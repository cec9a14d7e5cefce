package gitstate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Search implements [Repository].
func (r *execRepo) Search(ctx context.Context, words []string) ([]string, error) {
	if len(words) == 0 || r.at.TopLevel == "" {
		return nil, nil
	}
	out, err := r.grep(ctx, words, []string{"-l"}, "--")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return lists.SortedUnique(strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")), nil
}

// Words implements [Program].
func (r *execRepo) Words(ctx context.Context, revision string, words []string) (map[string][]string, error) {
	if _, err := walkFrom(Walk{From: revision}); err != nil || len(words) == 0 {
		return nil, err
	}
	out, err := r.grep(ctx, words, []string{"-o", "-w"}, revision, "--")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	found := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		path, word, ok := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), revision+":"), "\x00")
		if ok && !slices.Contains(found[word], path) {
			found[word] = append(found[word], path)
		}
	}
	return found, nil
}

// grep looks for words in text files, with names ended by NUL. It gives nothing
// when nothing is found, which git tells by its exit status.
func (r *execRepo) grep(ctx context.Context, words, how []string, where ...string) ([]byte, error) {
	args := slices.Concat([]string{"grep", "-z", "-I", "-F", "--no-textconv", "--no-recurse-submodules", "--full-name"}, how)
	for _, w := range words {
		args = append(args, "-e", w)
	}
	out, err := r.program.run(ctx, nil, append(args, where...)...)
	if failed, ok := errors.AsType[*GitError](err); ok && failed.Exit == 1 {
		return nil, nil
	}
	return out, err
}
