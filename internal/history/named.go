package history

import (
	"context"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// Named returns the entry that last had a display name behind HEAD, as it was
// then; false when none had it.
func Named(ctx context.Context, repo gitstate.Repository, id string) (artifact.Artifact, bool, error) {
	kind, number, ok := entry.ParseID(id)
	if !ok {
		return artifact.Artifact{}, false, nil
	}
	id = entry.ID(kind, number)
	commits, err := repo.Log(ctx, gitstate.Walk{Paths: []string{entry.Folder}})
	if err != nil {
		return artifact.Artifact{}, false, err
	}
	var found artifact.Artifact
	all := func(string, string) bool { return true }
	err = gitstate.EachVersion(ctx, repo, commits, all, func(path string, o gitstate.Object) error {
		for _, a := range artifact.In(kind, path, o.Data) {
			if a.Anchor == id {
				found = a
				return gitstate.ErrEnough
			}
		}
		return nil
	})
	return found, found.Anchor == id, err
}
