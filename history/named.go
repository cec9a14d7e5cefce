package history

import (
	"context"

	"github.com/lessons-cli/lessons/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
)

// Named returns the entry that last had a display name behind HEAD, as it was
// then; false when none had it.
func Named(ctx context.Context, repo gitstate.Repository, id string) (knowledge.Artifact, bool, error) {
	kind, number, ok := knowledge.ParseEntryID(id)
	if !ok {
		return knowledge.Artifact{}, false, nil
	}
	id = knowledge.EntryID(kind, number)
	commits, err := repo.Log(ctx, gitstate.Walk{Paths: []string{".memory/knowledge"}})
	if err != nil {
		return knowledge.Artifact{}, false, err
	}
	seen := map[string]bool{}
	for _, c := range commits {
		for _, change := range c.Changes {
			for _, oid := range []string{change.NewOID, change.OldOID} {
				if seen[oid] {
					continue
				}
				seen[oid] = true
				objects, err := repo.Objects(ctx, []string{oid}, true)
				if err != nil {
					return knowledge.Artifact{}, false, err
				}
				for _, a := range knowledge.ArtifactsIn(kind, change.Path, objects[0].Data) {
					if a.Anchor == id {
						return a, true, nil
					}
				}
			}
		}
	}
	return knowledge.Artifact{}, false, nil
}
