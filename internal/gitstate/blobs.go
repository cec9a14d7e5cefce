package gitstate

import (
	"context"
	"slices"
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
