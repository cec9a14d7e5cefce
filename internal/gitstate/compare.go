package gitstate

import (
	"context"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// Comparison is what HEAD has and another revision has not: a pull request.
type Comparison struct {
	Base     string   // the merge base
	Changes  []Change // between the merge base and HEAD, without renames
	Messages []Message
}

// Message is a commit with all that its message says.
type Message struct{ OID, Text string }

// Compare implements [Program].
func (r *execRepo) Compare(ctx context.Context, revision string) (Comparison, error) {
	if _, err := walkFrom(Walk{From: revision}); err != nil {
		return Comparison{}, err
	}
	out, err := r.program.run(ctx, nil, "merge-base", revision, "HEAD")
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Base: strings.TrimSpace(string(out))}
	if !gitdir.IsOID(c.Base) {
		return c, fmt.Errorf("git merge-base: %.80q is no commit", c.Base)
	}
	out, err = r.program.run(ctx, nil, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", c.Base, "HEAD", "--")
	if err != nil {
		return c, err
	}
	if c.Changes, err = parsed("diff-tree", out, parseChanges); err != nil {
		return c, err
	}
	out, err = r.program.run(ctx, nil, "log", "-z", "--format=tformat:%H%n%B", c.Base+"..HEAD", "--")
	if err != nil {
		return c, err
	}
	for one := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if oid, text, ok := strings.Cut(one, "\n"); ok {
			c.Messages = append(c.Messages, Message{oid, text})
		}
	}
	return c, nil
}
