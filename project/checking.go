package project

import (
	"context"

	"github.com/lessons-cli/lessons/check"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/reconcile"
)

// CheckInput reads everything that check looks at.
func (p *Project) CheckInput(ctx context.Context) (check.Input, error) {
	s, err := p.Store.Load()
	if err != nil {
		return check.Input{}, err
	}
	in := check.Input{Snapshot: s}
	report, err := p.askGit(ctx, s, true)
	if err != nil {
		return in, nil // the snapshot's problems say why nothing could be decided
	}
	for _, item := range report.Items {
		if item.Answer == reconcile.Skipped && item.NeverHere() {
			in.Further = append(in.Further, knowledge.Problem{
				Path: item.Path, Rule: "row-without-file",
				Text: "the manifest registers it, but it was never committed; git add it, or lessons reconcile --write",
			})
		}
	}
	return in, nil
}
