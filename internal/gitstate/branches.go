package gitstate

import (
	"context"
	"strings"
)

// Branches implements [Program].
func (r *execRepo) Branches(ctx context.Context) ([]string, error) {
	out, err := r.program.run(ctx, nil, "for-each-ref", "--format=%(refname)", "refs/heads/")
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out)), nil
}
