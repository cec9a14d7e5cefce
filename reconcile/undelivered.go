package reconcile

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

const reasonLost = "no branch, stash or work tree has it, and nobody removed it"

// undelivered tells what was lost from what is elsewhere: an artifact that this
// clone rendered, that nobody removed, and that no commit behind a ref, no entry
// of the stash and no other work tree has.
func (r *run) undelivered(items []Item) error {
	var open []*Item
	var ids []string
	for i := range items {
		if item := &items[i]; item.vanished && r.memory.renderedHere(item.ObservationID) && !r.rejected(item) {
			open = append(open, item)
			if item.Answer == NoRow { // of the others the refs were asked by their paths
				ids = append(ids, r.memory.observation(item.ObservationID).Names()...)
			}
		}
	}
	if len(open) == 0 || r.in.Repository == nil {
		return nil
	}
	committed, err := r.facts.markers(ids)
	if isNoHistory(err) {
		return nil
	}
	late := err != nil && r.facts.late()
	if err != nil && !late {
		return err
	}
	trees := r.otherTrees()
	for _, item := range open {
		here := r.memory.observation(item.ObservationID).Names()
		item.byRefs, item.passing = true, late || trees != nil
		switch {
		case late && item.Answer == NoRow:
			item.Reason = reasonNotAsked
		case item.Answer == NoRow && slices.ContainsFunc(here, func(id string) bool { return committed[id] }):
			item.Reason = "another branch or the stash has it"
		case slices.ContainsFunc(here, func(id string) bool { return trees[knowledge.Key{Observation: id, Kind: item.Kind}] }):
			item.Reason = "another work tree has it, not committed"
		default:
			item.Answer, item.Reason = Lost, reasonLost
		}
	}
	return nil
}

func (r *run) rejected(item *Item) bool {
	o := r.memory.observation(item.ObservationID)
	return verdict.Rejected(o, r.base.manifest, r.in.Snapshot.Ledger, item.Kind) != verdict.NotRejected
}

// otherTrees are the artifacts that stand in the clone's other work trees; nil:
// there are no others.
func (r *run) otherTrees() map[knowledge.Key]bool {
	var keys map[knowledge.Key]bool
	for _, dir := range r.in.Repository.WorkTrees() {
		if dir == r.in.Repository.Location().TopLevel {
			continue
		}
		if keys == nil {
			keys = map[knowledge.Key]bool{}
		}
		for _, a := range artifact.Read(r.in.FS, dir).Artifacts {
			keys[knowledge.Key{Observation: a.Source, Kind: a.Kind}] = true
		}
	}
	return keys
}

var marker = automata.Lazily(knowledge.MarkerPrefix + `([\w.-]*\w)`)

// markers says which of the ids any version of an artifact behind a ref or in the
// stash carries. What cannot be read may carry any of them.
func (f *facts) markers(ids []string) (map[string]bool, error) {
	found := map[string]bool{}
	if len(ids) == 0 {
		return found, nil
	}
	commits, err := f.walk(gitstate.Walk{All: true, Paths: knowledge.Folders})
	if err != nil {
		return nil, err
	}
	wanted := func(path, _ string) bool { return !isManifest(path) }
	err = gitstate.EachVersion(f.historyContext(), f.repo, commits, wanted, func(_ string, o gitstate.Object) error {
		for _, m := range marker().FindAllSubmatch(o.Data, -1) {
			found[string(m[1])] = true
		}
		unread := o.Data == nil
		for _, id := range ids {
			if found[id] = found[id] || unread; !found[id] {
				return nil
			}
		}
		return gitstate.ErrEnough
	})
	return found, err
}
