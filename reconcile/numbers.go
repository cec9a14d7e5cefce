package reconcile

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// UsedNumbers returns the greatest entry number of each kind that any version of
// the knowledge files in git's history holds, on any branch that is known here:
// numbers are never used again. Headings inside of code count too, because a
// number that is left out costs nothing.
func UsedNumbers(ctx context.Context, repo gitstate.Repository) (map[knowledge.Kind]int, error) {
	commits, err := repo.Log(ctx, gitstate.Walk{All: true, Paths: []string{entry.Folder}})
	if err != nil {
		return nil, err
	}
	used := map[knowledge.Kind]int{}
	for _, c := range commits {
		for _, change := range c.Changes {
			note(used, path.Base(change.Path))
		}
	}
	books := func(path, _ string) bool { return slices.Contains(entry.BookPaths(), path) }
	err = gitstate.EachVersion(ctx, repo, commits, books, func(_ string, o gitstate.Object) error {
		noteHeadings(used, o.Data)
		return nil
	})
	return used, err
}

func noteHeadings(used map[knowledge.Kind]int, text []byte) {
	for line := range bytes.Lines(text) {
		if heading, ok := strings.CutPrefix(string(line), "## "); ok {
			note(used, strings.TrimSpace(heading))
		}
	}
}

// note takes the number of a text that begins with ADR-007 or PF-004.
func note(used map[knowledge.Kind]int, text string) {
	end := strings.IndexByte(text, '-') + 1
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if kind, n, ok := entry.ParseID(text[:end]); ok {
		used[kind] = max(used[kind], n)
	}
}
