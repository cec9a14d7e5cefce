package reconcile

import (
	"context"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// RemovedBefore says which of the artifacts that are about to be written for the
// first time here were removed on this branch before: row and artifact deleted
// in one commit leave nothing else behind in a clone that has no ledger
// (reconcile.md case 54). The events are verdicts to remember; n is what
// the tool knows of an observation's evidence now.
func RemovedBefore(ctx context.Context, repo gitstate.Repository, rows []manifest.Row, workTree string, n func(id string) int) ([]verdict.Event, error) {
	if repo == nil || len(rows) == 0 {
		return nil, nil
	}
	f := newFacts(ctx, repo, 0)
	defer func() { f.cancel() }()
	var asked []*evidence
	for _, row := range rows {
		row.Anchor = "" // a number says nothing here: the marker does
		asked = append(asked, &evidence{row: row, path: row.Path})
	}
	if err := f.removals(asked, gitstate.Walk{}); err != nil {
		if isNoHistory(err) {
			return nil, nil
		}
		return nil, err
	}
	var verdicts []verdict.Event
	for _, e := range asked {
		if e.branch == nil || e.branch.found == nil {
			continue
		}
		was := e.branch.found
		verdicts = append(verdicts, verdict.Event{
			Event: verdict.EventVerdict, WorkTree: workTree, ID: e.row.ObservationID, Type: e.row.Type,
			How: HowCommitted, Commit: was.commit, By: was.author, At: was.at, N: n(e.row.ObservationID),
		})
	}
	return verdicts, nil
}
