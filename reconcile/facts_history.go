package reconcile

import (
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
)

// event is one version of a path giving way to another.
type event struct {
	commit *gitstate.Commit
	change gitstate.Change
}

// maxPaths is how many paths besides the artifact folders one walk takes: cost
// grows with tree entries times path arguments.
const maxPaths = 4

// events lists what a walk says of each row's path, newest first.
func (f *facts) events(rows []*evidence, w gitstate.Walk) (map[string][]event, error) {
	wanted := map[string]bool{}
	var outside []string
	for _, e := range rows {
		if !knowledge.InFolders(e.path) && !wanted[e.path] {
			outside = append(outside, e.path)
		}
		wanted[e.path] = true
	}
	events := map[string][]event{}
	for i := 0; i == 0 || i < len(outside); i += maxPaths {
		w.Paths = slices.Clone(knowledge.Folders)
		w.Paths = append(w.Paths, outside[min(i, len(outside)):min(i+maxPaths, len(outside))]...)
		commits, err := f.walk(w)
		if err != nil {
			return nil, err
		}
		for p, es := range eventsOf(commits, wanted) {
			if knowledge.InFolders(p) && i > 0 {
				continue // the first walk has them
			}
			events[p] = append(events[p], es...)
		}
	}
	return events, nil
}

// walk asks each walk once.
func (f *facts) walk(w gitstate.Walk) ([]gitstate.Commit, error) {
	name := strings.Join(append(slices.Clone(w.Paths), w.Since.UTC().Format(time.RFC3339), w.From), "\x00")
	if w.All {
		name += "\x00all"
	}
	if w.Reflog {
		name += "\x00reflog"
	}
	if commits, ok := f.walks[name]; ok {
		return commits, nil
	}
	commits, err := f.repo.Log(f.historyContext(), w)
	if err != nil {
		return nil, err
	}
	f.walks[name] = commits
	return commits, nil
}

func eventsOf(commits []gitstate.Commit, wanted map[string]bool) map[string][]event {
	events := map[string][]event{}
	for i := range commits {
		for _, ch := range commits[i].Changes {
			if wanted[ch.Path] {
				events[ch.Path] = append(events[ch.Path], event{&commits[i], ch})
			}
		}
	}
	return events
}

// round is how many versions of a path are read at a time, newest first: most
// answers lie in the newest ones.
const round = 16

// versions reads the blobs of the events round by round and lets look judge
// what is known so far, until it is satisfied or nothing is left. look is told
// whether these are all events.
func (f *facts) versions(rows []*evidence, events map[string][]event, look func(e *evidence, es []event, all bool) bool) error {
	open := rows
	for n := round; len(open) > 0; n *= 2 {
		var ids []string
		for _, e := range open {
			es := events[e.path]
			for _, ev := range es[:min(n, len(es))] {
				ids = append(ids, ev.change.OldOID, ev.change.NewOID)
			}
		}
		if err := f.load(f.historyContext(), ids); err != nil {
			return err
		}
		var left []*evidence
		for _, e := range open {
			es := events[e.path]
			if done := look(e, es[:min(n, len(es))], n >= len(es)); !done && n < len(es) {
				left = append(left, e)
			}
		}
		open = left
	}
	return nil
}
