package gitstate

import (
	"context"
	"strings"
)

// Brancher lists branches. Only the git program offers it.
type Brancher interface {
	// Branches lists the local branches by their full names, sorted.
	Branches(ctx context.Context) ([]string, error)
}

var _ Brancher = (*execRepo)(nil)

// Branches implements [Brancher].
func (r *execRepo) Branches(ctx context.Context) ([]string, error) {
	out, err := r.program.run(ctx, nil, "for-each-ref", "--format=%(refname)", "refs/heads/")
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out)), nil
}
