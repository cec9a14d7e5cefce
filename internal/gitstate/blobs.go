package gitstate

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// blobsAtOnce bounds how many contents are in memory.
const blobsAtOnce = 50

// EachBlob calls f with the content of each object, in order. It asks for a few
// at a time, so that many versions of a file cost little memory. An error of f
// ends it.
func EachBlob(ctx context.Context, repo Repository, names []string, f func(Object) error) error {
	for chunk := range slices.Chunk(names, blobsAtOnce) {
		objects, err := repo.Objects(ctx, chunk, true)
		if err != nil {
			return err
		}
		for _, o := range objects {
			if err := f(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// modeSubmodule is the mode of a commit of another repository.
const modeSubmodule = "160000"

// EachVersion calls f with the versions of files that commits brought and took
// away: each wanted one once, with a path that it had, in the order of the commits.
// It ends early, without an error, where f says [ErrEnough].
func EachVersion(ctx context.Context, repo Repository, commits []Commit, wanted func(path, oid string) bool, f func(path string, o Object) error) error {
	paths := map[string]string{}
	var oids []string
	for _, c := range commits {
		for _, change := range c.Changes {
			if change.NewMode == modeSubmodule || change.OldMode == modeSubmodule {
				continue
			}
			for _, oid := range []string{change.NewOID, change.OldOID} {
				if paths[oid] == "" && !IsZero(oid) && wanted(change.Path, oid) {
					paths[oid] = change.Path
					oids = append(oids, oid)
				}
			}
		}
	}
	err := EachBlob(ctx, repo, oids, func(o Object) error { return f(paths[o.Name], o) })
	if errors.Is(err, ErrEnough) {
		return nil
	}
	return err
}

// ErrEnough ends a walk that has what it wanted.
var ErrEnough = errors.New("enough is found")

// IsZero says whether an object id stands for "no such file".
func IsZero(oid string) bool { return strings.Trim(oid, "0") == "" }
