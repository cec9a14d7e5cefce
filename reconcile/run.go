package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/gitstate"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
)

// Input is what a run looks at.
type Input struct {
	Repository gitstate.Repository // nil: there is no git
	FS         fsx.FS
	Root       string              // top of the work tree, absolute
	Snapshot   *knowledge.Snapshot // log, ledger and artifacts are read from it
	Now        time.Time
	WorkTree   string // identity of the work tree, stable over runs
	Memo       []byte // as the last run left it
	// HistoryDeadline bounds the questions about history; beyond it rows stay
	// pending. Zero: no bound.
	HistoryDeadline time.Duration

	withoutMassRule bool // a mutation that tests the tests
}

// run is one run in progress.
type run struct {
	in     Input
	facts  *facts
	tree   *workTree
	memory *memory
	base   manifestSource
	memo   *memo
	items  []Item
}

// Run decides what happened to every artifact. It writes nothing: the report
// holds what to append to the ledger and the memo to store. An [AbortError]
// says that nothing can be decided now: an operation is in progress, or the
// manifest is unmerged, unreadable or a newer version's.
func Run(ctx context.Context, in Input) (Report, error) {
	r := &run{in: in, facts: newFacts(ctx, in.Repository, in.HistoryDeadline)}
	defer func() { r.facts.cancel() }()
	stamp, err := r.begin()
	if err != nil {
		return Report{}, err
	}
	missing, err := r.present()
	if err != nil {
		return Report{}, err
	}
	if err := r.missing(ctx, missing); err != nil {
		return Report{}, err
	}
	if err := r.unmoved(stamp); err != nil {
		return Report{}, err
	}
	return r.report()
}

// begin is step 0: it reads the manifest unless something forbids a decision.
func (r *run) begin() (stamp string, err error) {
	if repo := r.in.Repository; repo != nil {
		operation, err := repo.Operation()
		if err != nil {
			return "", err
		}
		if operation != "" {
			return "", &AbortError{operation + " in progress"}
		}
		if stamp, err = repo.IndexStamp(); err != nil {
			return "", err
		}
	}
	if r.base, err = r.facts.findManifest(r.in.FS, r.in.Root); err != nil {
		return "", err
	}
	r.tree = readWorkTree(r.in.FS, r.in.Root, r.in.Snapshot.Artifacts)
	r.memory = remember(r.in.Snapshot.Ledger, r.in.Snapshot.Log, r.in.WorkTree)
	r.memo = readMemo(r.in.Memo)
	return stamp, nil
}

// unmoved refuses answers about a repository that changed while it was read.
func (r *run) unmoved(stamp string) error {
	if r.in.Repository == nil {
		return nil
	}
	now, err := r.in.Repository.IndexStamp()
	if err != nil {
		return err
	}
	if now != stamp {
		return &AbortError{"the repository changed while it was read; the next run answers"}
	}
	return r.facts.checkUnmerged()
}

// present takes steps 1-3, 5 and the first half of 4.1: everything that the
// work tree answers. It returns the rows whose artifact is not at its path.
func (r *run) present() ([]*evidence, error) {
	var here []Item
	var missing []*evidence
	m := r.base.manifest
	for _, row := range m.Rows {
		if a := r.tree.at(row, row.Path); a != nil {
			here = append(here, standing(row, *a))
			continue
		}
		e := r.evidenceOf(row)
		if o := movedElsewhere(e, setting{}); o.decided() && o.item.Answer == Moved {
			here = append(here, *o.item)
			continue
		}
		missing = append(missing, e)
	}
	for _, t := range m.Tombstones {
		if item, ok := r.exhumed(t); ok {
			here = append(here, item)
		} else {
			r.items = append(r.items, buried(t))
		}
	}
	here = append(here, r.orphans()...)
	return missing, r.judgePresent(here)
}

// exhumed is an artifact that stands although its key has a tombstone. Only its
// marker counts: another text at that path is somebody's new file.
func (r *run) exhumed(t knowledge.Tombstone) (Item, bool) {
	found := slices.DeleteFunc(slices.Clone(r.tree.byKey[t.Key()]), func(a knowledge.Artifact) bool {
		return isCopy(t.Row, a.Path)
	})
	if len(found) == 0 {
		return Item{}, false
	}
	if a := pick(t.Row, slices.DeleteFunc(slices.Clone(found), func(a knowledge.Artifact) bool { return a.Path != t.Path })); a != nil {
		found = []knowledge.Artifact{*a}
	}
	if len(found) > 1 {
		item := newItem(t.Row, Ambiguous, fmt.Sprintf("it was removed, and its marker stands in %d places", len(found)), "F3")
		item.Candidates = places(found)
		return item, true
	}
	item := standing(t.Row, found[0])
	if found[0].Path != t.Path {
		item.To = found[0].Path
	}
	item.tombstone = &t
	return item, true
}

// orphans are the artifacts whose key has neither row nor tombstone.
func (r *run) orphans() []Item {
	var items []Item
	for key, found := range r.tree.byKey {
		_, row := r.base.manifest.Row(key)
		_, stone := r.base.manifest.Tombstone(key)
		if row || stone {
			continue
		}
		items = append(items, orphan(key, found, r.memory.observation(key.Observation)))
	}
	sortItems(items)
	return items
}

// judgePresent is step 2 for everything that stands.
func (r *run) judgePresent(here []Item) error {
	var commits []string
	uncertain := []knowledge.Key{}
	for _, item := range here {
		for _, v := range r.memory.open[item.Key()] {
			commits = appendCommit(commits, v.Commit)
		}
		if item.tombstone != nil {
			commits = appendCommit(commits, item.tombstone.Commit)
		}
	}
	reach, err := r.facts.reach(r.facts.ctx, commits)
	if err != nil {
		return err
	}
	for _, item := range here {
		if t := item.tombstone; t != nil && reach[t.Commit] == gitstate.Elsewhere {
			uncertain = append(uncertain, item.Key())
		}
	}
	published := &knowledge.Manifest{}
	if len(uncertain) > 0 {
		if published, err = r.facts.headManifest(uncertain); err != nil {
			return err
		}
	}
	for _, item := range here {
		r.settle(item, reach, published)
	}
	return nil
}

func appendCommit(commits []string, c string) []string {
	if c == "" {
		return commits
	}
	return appendNew(commits, c)
}

func (r *run) settle(item Item, reach map[string]gitstate.Reach, published *knowledge.Manifest) {
	key := item.Key()
	stone := item.tombstone
	open := r.memory.open[key]
	if item.Answer != Ambiguous && (stone != nil || len(open) > 0) {
		_, inHead := published.Tombstone(key)
		var undone []string
		item, undone = presentAgain(item, judged{
			tombstone: stone, open: open, undone: r.memory.undone[key], reach: reach,
			published: inHead, workTree: r.in.WorkTree,
		})
		r.memory.undo(item.row, undone, r.in.Now)
	}
	if item.artifact != nil {
		r.memory.see(item.row, r.in.Now)
	}
	item.New = item.Answer == Restored || ((item.Answer == Moved || item.Answer == Healed) && !r.memo.told(item))
	r.items = append(r.items, item)
}

// evidenceOf starts the evidence of a row whose artifact is not at its path.
func (r *run) evidenceOf(row knowledge.Row) *evidence {
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
	lost := lostObservations(r.in.Snapshot.Log, r.base.manifest, r.tree)
	if len(rows)+len(lost) == 0 {
		r.memo.forget()
		return nil
	}
	fresh, items, err := r.recall(ctx, rows, lost)
	if err != nil {
		return err
	}
	if fresh {
		items, err = r.ask(ctx, rows, lost)
		if err != nil {
			return err
		}
	}
	for _, item := range items {
		if item.Answer == Gone {
			item.New = r.memory.judge(item, r.in.Now)
		}
		if item.artifact != nil {
			item.New = !r.memo.told(item)
			r.memory.see(item.row, r.in.Now)
		}
		r.items = append(r.items, item)
	}
	if !fresh {
		return nil
	}
	return r.memorise(ctx, rows, lost, items)
}

// ask decides about missing rows and lost observations with git's help.
func (r *run) ask(ctx context.Context, rows []*evidence, lost []*knowledge.Observation) ([]Item, error) {
	s := setting{git: r.in.Repository != nil}
	if s.git {
		head, err := r.in.Repository.Head(ctx)
		if err != nil {
			return nil, err
		}
		s.unborn, s.shallow = head == "", r.in.Repository.Location().Shallow
	}
	items, found, err := r.askManifest(s, lost)
	if err != nil {
		return nil, err
	}
	answers, err := r.decide(append(slices.Clone(rows), found...), s)
	return append(items, answers...), err
}

// askManifest is step 6: the rows that history still has are decided like any
// other, the rest was never here.
func (r *run) askManifest(s setting, lost []*knowledge.Observation) (items []Item, found []*evidence, err error) {
	rows := map[string][]knowledge.Row{}
	reason := "rendered elsewhere: this branch never had its row"
	switch {
	case len(lost) == 0:
		return nil, nil, nil
	case r.base.from == "" || !s.git || s.unborn:
		reason = "there is no manifest here"
	default:
		rows, err = r.facts.lostRows(lost)
		switch {
		case err == nil:
		case isNoHistory(err):
			reason = "no history without the git program"
		case r.facts.late():
			return r.notAsked(lost), nil, nil
		default:
			return nil, nil, err
		}
	}
	for _, o := range lost {
		if len(rows[o.ID]) == 0 {
			items = append(items, noRow(o, reason, "F6"))
		}
		for _, row := range rows[o.ID] {
			e := r.evidenceOf(row)
			e.lost, e.unbounded = true, true
			found = append(found, e)
		}
	}
	return items, found, nil
}

func (r *run) notAsked(lost []*knowledge.Observation) []Item {
	var items []Item
	for _, o := range lost {
		item := noRow(o, "history not asked yet")
		item.notAsked = true
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
			return r.afterwards(items)
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

// afterwards applies what concerns several rows at once.
func (r *run) afterwards(items []*Item) ([]Item, error) {
	if !r.in.withoutMassRule {
		known := func(k knowledge.Key) bool {
			return slices.ContainsFunc(r.memory.open[k], func(v knowledge.LedgerEvent) bool {
				return v.How == HowUncommitted && v.WorkTree == r.in.WorkTree
			})
		}
		cleaned(items, known, func(i Item) bool { return r.tree.folderGone(i.row) })
	}
	out := make([]Item, len(items))
	for i, item := range items {
		out[i] = *item
	}
	return out, nil
}

// report sums up.
func (r *run) report() (Report, error) {
	sortItems(r.items)
	view := knowledge.View{Gone: map[knowledge.Key]bool{}, Live: map[knowledge.Key]bool{}}
	for _, item := range r.items {
		switch {
		case item.Answer == Gone:
			view.Gone[item.Key()] = true
		case item.artifact != nil || item.Answer == Ambiguous:
			view.Live[item.Key()] = true
		}
	}
	memo, err := r.memo.bytes(r.items, r.in.Memo)
	return Report{Items: r.items, Ledger: r.memory.added, Memo: memo, View: view, base: r.base}, err
}
