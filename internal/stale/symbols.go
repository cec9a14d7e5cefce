package stale

import (
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
)

// goneSymbols finds identifiers that some file mentioned when their text was
// written and none mentions any more. One that another file has now has moved.
func goneSymbols(ctx context.Context, repo gitstate.Program, refs []anchored) ([]Finding, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	all := lists.Map(refs, func(r anchored) string { return r.Name })
	now, err := mentions(ctx, repo, "HEAD", all)
	if err != nil {
		return nil, err
	}
	missing := map[string][]anchored{}
	var commits []string
	for _, r := range refs {
		if len(now[r.Name]) > 0 {
			continue
		}
		if missing[r.commit] == nil {
			commits = append(commits, r.commit)
		}
		missing[r.commit] = append(missing[r.commit], r)
	}
	var found []Finding
	for _, commit := range commits {
		names := lists.Map(missing[commit], func(r anchored) string { return r.Name })
		then, err := mentions(ctx, repo, commit, names)
		if err != nil {
			return nil, err
		}
		for _, r := range missing[commit] {
			if len(then[r.Name]) == 0 {
				continue // it never was one
			}
			by, err := lost(ctx, repo, r.Name, then[r.Name])
			if err != nil {
				return nil, err
			}
			found = append(found, r.finding(by))
		}
	}
	return found, nil
}

// mentions says which files of a revision hold each word, knowledge left out.
func mentions(ctx context.Context, repo gitstate.Program, revision string, words []string) (map[string][]string, error) {
	found := map[string][]string{}
	for chunk := range slices.Chunk(lists.SortedUnique(words), 200) {
		files, err := repo.Words(ctx, revision, chunk)
		if err != nil {
			return nil, err
		}
		for word, paths := range files {
			for _, p := range paths {
				if !knowledge.InFolders(p) {
					found[word] = append(found[word], p)
				}
			}
		}
	}
	return found, nil
}

// lost is the newest commit that took a word out of one of the files that had it,
// or of what became of them.
func lost(ctx context.Context, repo gitstate.Repository, word string, files []string) (gitstate.Commit, error) {
	var by gitstate.Commit
	for range maxHops {
		c, err := lostIn(ctx, repo, word, files[:min(len(files), manyPaths)])
		if err != nil || c.OID == "" {
			return by, err
		}
		by = c
		renames, err := repo.Renames(ctx, []string{c.OID})
		if err != nil {
			return by, err
		}
		var next []string
		for _, one := range renames {
			for _, change := range one.Changes {
				if change.Status == "R" && slices.Contains(files, change.OldPath) {
					next = append(next, change.Path)
				}
			}
		}
		if files = next; len(files) == 0 {
			return by, nil
		}
	}
	return by, nil
}

// lostIn is the newest commit that took a word out of one of the files.
func lostIn(ctx context.Context, repo gitstate.Repository, word string, files []string) (gitstate.Commit, error) {
	commits, err := repo.Log(ctx, gitstate.Walk{Paths: files})
	if err != nil {
		return gitstate.Commit{}, err
	}
	for _, c := range commits {
		for _, change := range c.Changes {
			if !slices.Contains(files, change.Path) || gitstate.IsZero(change.OldOID) {
				continue
			}
			names := []string{change.OldOID}
			if change.Status != "D" {
				names = append(names, change.NewOID)
			}
			objects, err := repo.Objects(ctx, names, true)
			if err != nil {
				return gitstate.Commit{}, err
			}
			if strings.Contains(string(objects[0].Data), word) && (len(objects) == 1 || !strings.Contains(string(objects[1].Data), word)) {
				return c, nil
			}
		}
	}
	return gitstate.Commit{}, nil
}
