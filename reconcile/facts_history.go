package reconcile

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
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

// versions reads the blobs of a walk's events round by round and lets look judge
// what is known so far, until it is satisfied or nothing is left. look is told
// whether these are all events.
func (f *facts) versions(rows []*evidence, w gitstate.Walk, look func(e *evidence, es []event, all bool) bool) error {
	events, err := f.events(rows, w)
	if err != nil {
		return err
	}
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

func (f *facts) gatherRefs(rows []*evidence) error {
	return f.sightings(rows, gitstate.Walk{All: true}, func(e *evidence, s sightingFact) { e.refs = &s })
}

func (f *facts) gatherReflog(rows []*evidence) error {
	return f.sightings(rows, gitstate.Walk{Reflog: true}, func(e *evidence, s sightingFact) { e.reflog = &s })
}

// sightings looks for any version with the row's marker in a walk.
func (f *facts) sightings(rows []*evidence, w gitstate.Walk, set func(*evidence, sightingFact)) error {
	return f.versions(rows, w, func(e *evidence, es []event, _ bool) bool {
		s := f.sighting(e, es)
		set(e, s)
		return s.commit != ""
	})
}

func (f *facts) sighting(e *evidence, events []event) sightingFact {
	var s sightingFact
	for i, ev := range events {
		for _, id := range []string{ev.change.NewOID, ev.change.OldOID} {
			switch h := f.holds(e, id); {
			case h == mine, h == unread && !inBook(e.row, e.path):
				s.commit, s.removed = ev.commit.OID, f.steps(e, events[i:i+1])[0].removes(mine)
				return s
			case h == unread:
				s.unread = true
			}
		}
	}
	return s
}

func (f *facts) gatherBranch(rows []*evidence) error {
	since := rows[0].row.RenderedAt
	for _, e := range rows {
		if e.row.RenderedAt.Before(since) {
			since = e.row.RenderedAt
		}
	}
	if since.IsZero() {
		return f.gatherBranchAll(rows)
	}
	return f.removals(rows, gitstate.Walk{Since: since.Add(-24 * time.Hour)})
}

func (f *facts) gatherBranchAll(rows []*evidence) error { return f.removals(rows, gitstate.Walk{}) }

// removals looks for the newest removal of each row's artifact in a walk.
func (f *facts) removals(rows []*evidence, w gitstate.Walk) error {
	return f.versions(rows, w, func(e *evidence, es []event, all bool) bool {
		fact := f.newestRemoval(e, es, all)
		fact.unbounded = w.Since.IsZero()
		e.branch = &fact
		return fact.found != nil
	})
}

// step is one event seen by one row.
type step struct {
	*event
	before, after hold
}

func (s step) removes(h hold) bool { return s.before == h && s.after == absent }

// steps classifies the versions of each event for a row.
func (f *facts) steps(e *evidence, events []event) []step {
	steps := make([]step, len(events))
	for i := range events {
		s := step{&events[i], f.holds(e, events[i].change.OldOID), f.holds(e, events[i].change.NewOID)}
		if s.change.Status == "D" {
			s.after = absent
		}
		if s.before == unread && s.after == absent && !inBook(e.row, e.path) && !e.namesake {
			s.before = mine // the path alone says enough of a file
		}
		steps[i] = s
	}
	return steps
}

// newestRemoval finds the newest event that took this row's artifact away. Each
// pair of versions is checked for its marker, else a reused name or a second
// generation takes an older deletion for its own. A version without any marker
// counts only if an older one had the marker. A merge that took the removal
// over from one of its parents is named only if no plain commit is found.
func (f *facts) newestRemoval(e *evidence, events []event, all bool) removalFact {
	steps := f.steps(e, events)
	against := map[string]int{} // parents against which a commit removes it
	for _, s := range steps {
		if s.removes(mine) || s.removes(bare) {
			against[s.commit.OID]++
		}
	}
	var fact removalFact
	var unmarked, carried *event
	for _, s := range steps {
		own := against[s.commit.OID] >= len(s.commit.Parents)
		switch {
		case s.before == unread || s.after == unread:
			fact.unread = true
		case unmarked != nil && (s.before == mine || s.after == mine):
			return fact.at(unmarked)
		case s.removes(mine) && own:
			return fact.at(s.event)
		case s.removes(mine) && carried == nil:
			carried = s.event
		case s.removes(bare) && own && unmarked == nil:
			unmarked = s.event
		}
	}
	if carried != nil && all {
		return fact.at(carried)
	}
	return fact
}

func (r removalFact) at(ev *event) removalFact {
	r.found = &removal{commit: ev.commit.OID, author: ev.commit.Author, at: ev.commit.Time}
	return r
}

// gatherRenames is F7: where the removing commits took the artifacts.
func (f *facts) gatherRenames(rows []*evidence) error {
	var ask []string
	for _, e := range rows {
		c := e.branch.found.commit
		if _, ok := f.renames[c]; !ok && !slices.Contains(ask, c) {
			ask = append(ask, c)
		}
	}
	if len(ask) > 0 {
		commits, err := f.repo.Renames(f.historyContext(), ask)
		if err != nil {
			return err
		}
		for _, c := range ask {
			f.renames[c] = nil
		}
		for _, c := range commits {
			f.renames[c.OID] = append(f.renames[c.OID], c)
		}
	}
	changes := func(e *evidence) []gitstate.Change {
		return lists.Flat(f.renames[e.branch.found.commit], func(c gitstate.Commit) []gitstate.Change { return c.Changes })
	}
	return f.targets(f.historyContext(), rows, changes, func(e *evidence, to []string) { e.targets = &to })
}

// maxGained bounds how many files of one change are read for a marker.
const maxGained = 2000

// targets finds where a set of changes took each row's artifact: the other end
// of a rename, or the files that gained its marker.
func (f *facts) targets(ctx context.Context, rows []*evidence, changes func(*evidence) []gitstate.Change, set func(*evidence, []string)) error {
	var ids []string
	for _, e := range rows {
		for i, ch := range changes(e) {
			if i < maxGained && mayGain(e, ch) {
				ids = append(ids, ch.OldOID, ch.NewOID)
			}
		}
	}
	if err := f.load(ctx, ids); err != nil {
		return err
	}
	for _, e := range rows {
		to := []string{}
		for i, ch := range changes(e) {
			if i < maxGained && mayGain(e, ch) && f.gained(e, ch) && !slices.Contains(to, ch.Path) {
				to = append(to, ch.Path)
			}
		}
		set(e, to)
	}
	return nil
}

// mayGain says whether a change may have taken in the row's artifact.
func mayGain(e *evidence, ch gitstate.Change) bool {
	if ch.Path == e.path || ch.Status == "D" || isCopy(e.row, ch.Path) || gitstate.IsZero(ch.NewOID) {
		return false
	}
	return ch.Status == "R" && ch.OldPath == e.path || path.Ext(ch.Path) == ".md"
}

func (f *facts) gained(e *evidence, ch gitstate.Change) bool {
	after := f.holds(e, ch.NewOID)
	if ch.Status == "R" && ch.OldPath == e.path {
		return after == mine || after == bare || (after == unread && !inBook(e.row, e.path))
	}
	return after == mine && (ch.Status == "A" || ch.Status == "R" || ch.Status == "C" || f.holds(e, ch.OldOID) != mine)
}

// gatherTracked is F12: the tracked files outside of the artifact folders that have
// the rows' artifacts.
func (f *facts) gatherTracked(rows []*evidence) error {
	words := lists.Map(rows, func(e *evidence) string { return knowledge.Marker(e.row.ObservationID) })
	paths, err := f.repo.Search(f.historyContext(), words)
	if err != nil {
		return err
	}
	paths = lists.Filter(paths, func(p string) bool { return !knowledge.InFolders(p) })
	objects, err := f.repo.Objects(f.historyContext(), lists.Map(paths, func(p string) string { return ":0:" + p }), true)
	if err != nil {
		return err
	}
	var changes []gitstate.Change
	for i, o := range objects {
		if !o.Missing {
			f.blobs[o.OID] = blob{data: o.Data}
			changes = append(changes, gitstate.Change{Status: "A", Path: paths[i], NewOID: o.OID})
		}
	}
	return f.targets(f.historyContext(), rows, func(*evidence) []gitstate.Change { return changes },
		func(e *evidence, to []string) { e.tracked = &to })
}
