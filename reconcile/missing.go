package reconcile

import (
	"context"
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// evidenceOf starts the evidence of a row whose artifact is not at its path.
func (r *run) evidenceOf(row manifest.Row) *evidence {
	return &evidence{
		row: row, path: row.Path, seen: r.memory.seen[row.Key()],
		elsewhere:  r.tree.elsewhere(row, r.base.manifest.Rows),
		outside:    r.tree.outside(row.Path),
		folderGone: r.tree.folderGone(row),
	}
}

// follow sends the evidence to where a rename led.
func (r *run) follow(e *evidence, to string) {
	e.follow(to)
	e.here = r.tree.at(e.row, to)
	e.outside = r.tree.outside(to)
}

// missing takes steps 4 and 6: what git has to answer, unless the memo knows.
func (r *run) missing(ctx context.Context, rows []*evidence) error {
	away := awayObservations(r.in.Snapshot.Log, r.base.manifest, r.tree)
	if len(rows)+len(away) == 0 {
		r.memo.forget()
		return nil
	}
	fresh, items, err := r.keptAnswers(ctx, rows, away)
	if err != nil {
		return err
	}
	if fresh {
		items, err = r.ask(ctx, rows, away)
		if err != nil {
			return err
		}
	}
	for _, item := range items {
		if item.Answer == Gone {
			item.New = r.memory.recordVerdict(item, r.in.Now)
		}
		if item.artifact != nil {
			item.New = !r.memo.counted(item)
			r.memory.recordSeen(item.row, r.in.Now)
		}
		r.items = append(r.items, item)
	}
	if !fresh {
		return nil
	}
	return r.keepAnswers(ctx, rows, away, items)
}

// ask decides about missing rows and observations that are away with git's help.
func (r *run) ask(ctx context.Context, rows []*evidence, away []*observe.Observation) ([]Item, error) {
	s := setting{git: r.in.Repository != nil}
	if s.git {
		head, err := r.in.Repository.Head(ctx)
		if err != nil {
			return nil, err
		}
		s.unborn, s.shallow = head == "", r.in.Repository.Location().Shallow
	}
	items, found, err := r.searchManifestHistory(s, away)
	if err != nil {
		return nil, err
	}
	answers, err := r.decide(append(slices.Clone(rows), found...), s)
	if err != nil {
		return nil, err
	}
	items = append(items, answers...)
	return items, r.undelivered(items)
}

// searchManifestHistory is step 6: the rows that history still has are decided like any
// other, the rest was never here.
func (r *run) searchManifestHistory(s setting, away []*observe.Observation) (items []Item, found []*evidence, err error) {
	rows := map[string][]manifest.Row{}
	reason := "rendered elsewhere: this branch never had its row"
	switch {
	case len(away) == 0:
		return nil, nil, nil
	case r.base.from == "" || !s.git || s.unborn:
		reason = "there is no manifest here"
	default:
		rows, err = r.facts.awayRows(away)
		switch {
		case err == nil:
		case isNoHistory(err):
			reason = "no history without the git program"
		case r.facts.late():
			return r.notAsked(away), nil, nil
		default:
			return nil, nil, err
		}
	}
	for _, o := range away {
		if len(rows[o.ID]) == 0 {
			item := noRow(o, reason, "F6")
			item.vanished = true
			items = append(items, item)
		}
		for _, row := range rows[o.ID] {
			e := r.evidenceOf(row)
			e.fromHistory, e.unbounded = true, true
			found = append(found, e)
		}
	}
	return items, found, nil
}

func (r *run) notAsked(away []*observe.Observation) []Item {
	var items []Item
	for _, o := range away {
		item := noRow(o, reasonNotAsked)
		item.passing = true
		items = append(items, item)
	}
	return items
}

// decide runs step 4 for all rows side by side: the smallest need of any row is
// gathered for all that have it before a larger one is asked.
func (r *run) decide(rows []*evidence, s setting) ([]Item, error) {
	items := make([]*Item, len(rows))
	for range 400 { // each turn gathers a fact; a row has at most six lives of ten facts
		needs := map[need][]*evidence{}
		for i, e := range rows {
			for items[i] == nil {
				o := decideMissing(e, s)
				if o.item != nil {
					items[i] = o.item
				} else if o.follow != "" {
					r.follow(e, o.follow)
				} else {
					needs[o.need] = append(needs[o.need], e)
					break
				}
			}
		}
		if len(needs) == 0 {
			return r.spareCleaned(items), nil
		}
		next := needReflog + 100
		for n := range needs {
			next = min(next, n)
		}
		if err := r.facts.gather(next, needs[next]); err != nil {
			return nil, err
		}
		if err := r.facts.checkUnmerged(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("reconcile: %d rows find no answer", len(rows))
}

// spareCleaned applies the rule about files that went at once.
func (r *run) spareCleaned(items []*Item) []Item {
	known := func(k knowledge.Key) bool {
		return slices.ContainsFunc(r.memory.open[k], func(v verdict.Event) bool {
			return v.How == HowUncommitted && v.WorkTree == r.in.WorkTree
		})
	}
	cleaned(items, known, func(i Item) bool { return r.tree.folderGone(i.row) })
	return lists.Map(items, func(item *Item) Item { return *item })
}
