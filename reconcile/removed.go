package reconcile

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// RemovedBefore says which of the artifacts that are about to be written for the
// first time here were removed on this branch before: row and artifact deleted
// in one commit leave nothing else behind in a clone that has no ledger. Other clones
// gave them names with other ends. The events are verdicts to remember; n is what the
// tool knows of an observation's evidence now.
func RemovedBefore(ctx context.Context, repo gitstate.Repository, rows []manifest.Row, workTree string, n func(id string) int) ([]verdict.Event, error) {
	if repo == nil || len(rows) == 0 {
		return nil, nil
	}
	f := newFacts(ctx, repo, 0)
	defer func() { f.cancel() }()
	asked, err := f.everyName(rows)
	if err == nil {
		err = f.removals(asked, gitstate.Walk{})
	}
	if isNoHistory(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	newest := map[knowledge.Key]*removal{}
	for _, e := range asked {
		if e.branch == nil || e.branch.found == nil {
			continue
		}
		if was := newest[e.row.Key()]; was == nil || was.at.Before(e.branch.found.at) {
			newest[e.row.Key()] = e.branch.found
		}
	}
	var verdicts []verdict.Event
	for _, row := range rows {
		if was := newest[row.Key()]; was != nil {
			verdicts = append(verdicts, verdict.Event{
				Event: verdict.EventVerdict, WorkTree: workTree, ID: row.ObservationID, Type: row.Type,
				How: HowCommitted, Commit: was.commit, By: was.author, At: was.at, N: n(row.ObservationID),
			})
		}
	}
	return verdicts, nil
}

// everyName asks about each row's path, and about those that were deleted and differ
// from it in what a clone or a number put into the name.
func (f *facts) everyName(rows []manifest.Row) ([]*evidence, error) {
	commits, err := f.walk(gitstate.Walk{Paths: slices.Clone(knowledge.Folders)})
	if err != nil {
		return nil, err
	}
	deleted := map[string]map[string]bool{} // by what names have in common
	for _, c := range commits {
		for _, change := range c.Changes {
			if change.Status != "D" {
				continue
			}
			for _, stem := range stems(change.Path) {
				lists.AddTo(deleted, stem, change.Path)
			}
		}
	}
	var asked []*evidence
	for _, row := range rows {
		row.Anchor = "" // a number says nothing here: the marker does
		asked = append(asked, &evidence{row: row, path: row.Path})
		others := map[string]bool{row.Path: true}
		for _, stem := range stems(row.Path) {
			for other := range deleted[stem] {
				if !others[other] {
					others[other] = true
					asked = append(asked, &evidence{row: row, path: other, namesake: true})
				}
			}
		}
	}
	return asked, nil
}

// stems are a file's name without its number, and that without what may be a clone's
// characters at its end.
func stems(name string) []string {
	dir, base := path.Split(strings.TrimSuffix(strings.TrimSuffix(name, "/SKILL.md"), ".md"))
	for _, prefix := range []string{"ADR-", "PF-"} {
		if rest, ok := strings.CutPrefix(base, prefix); ok {
			base = strings.TrimLeft(rest, "0123456789")
		}
	}
	all := []string{dir + base}
	if i := strings.LastIndexByte(base, '-'); i > 0 && len(base)-i > 4 {
		all = append(all, dir+base[:i])
	}
	return all
}
