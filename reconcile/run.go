package reconcile

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Input is what a run looks at.
type Input struct {
	Repository gitstate.Repository // nil: there is no git
	FS         fsx.FS
	Root       string          // top of the work tree, absolute
	Snapshot   *store.Snapshot // log, ledger and artifacts are read from it
	Now        time.Time
	WorkTree   string // identity of the work tree, stable over runs
	Memo       []byte // as the last run left it
	// HistoryDeadline bounds the questions about history; beyond it rows stay
	// pending. Zero: no bound.
	HistoryDeadline time.Duration
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
	report, err := once(ctx, in)
	for try := 1; errors.Is(err, errChanged) && try < 3; try++ {
		report, err = once(ctx, in) // an editor's git status rewrites the index, too
	}
	return report, err
}

// errChanged says that the repository changed while it was read.
var errChanged error = &AbortError{"the repository changed while it was read; the next run answers"}

func once(ctx context.Context, in Input) (Report, error) {
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
	if err := r.checkUnchanged(stamp); err != nil {
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
	r.memory = readLedger(r.in.Snapshot.Ledger, r.in.Snapshot.Log, r.in.WorkTree)
	r.memo = readMemo(r.in.Memo)
	return stamp, nil
}

// checkUnchanged refuses answers about a repository that changed while it was read.
func (r *run) checkUnchanged(stamp string) error {
	if r.in.Repository == nil {
		return nil
	}
	now, err := r.in.Repository.IndexStamp()
	if err != nil {
		return err
	}
	if now != stamp {
		return errChanged
	}
	return r.facts.checkUnmerged()
}

// report sums up.
func (r *run) report() (Report, error) {
	sortItems(r.items)
	view := verdict.View{Gone: map[knowledge.Key]bool{}, Lost: map[knowledge.Key]bool{}, Live: map[knowledge.Key]bool{}}
	for _, item := range r.items {
		switch {
		case item.Answer == Gone:
			view.Gone[item.Key()] = true
		case item.Answer == Lost:
			view.Lost[item.Key()] = true
		case item.artifact != nil || item.Answer == Ambiguous:
			view.Live[item.Key()] = true
		}
	}
	memo, err := r.memo.bytes(r.items, r.in.Memo)
	return Report{Items: r.items, Ledger: r.memory.added, Memo: memo, View: view, base: r.base}, err
}

// PlanManifest is the manifest that a command which writes the work tree anyway
// should store: tombstones for committed removals, rows that follow moves, rows
// rebuilt or given back. It changes neither the report nor the manifest that is
// passed, which is the one of the work tree as it was read for the run; nil is
// an empty one. Every clone plans the same from the same commits.
func PlanManifest(r Report, m *manifest.Manifest) *manifest.Manifest {
	if r.base.from != "" && r.base.from != "work tree" {
		m = r.base.manifest // it was not there: the index or HEAD had it
	}
	planned := cmp.Or(m, &manifest.Manifest{}).Clone()
	for _, item := range r.Items {
		if !item.fromHistory {
			item.plan(planned)
		}
	}
	return planned
}

// WritesManifest says whether the planned manifest differs from what the work
// tree has. A manifest outside of a sparse checkout is never written.
func (r Report) WritesManifest(planned *manifest.Manifest) bool {
	switch r.base.from {
	case "work tree":
		return string(planned.Bytes()) != string(r.base.manifest.Bytes())
	case "":
		return len(planned.Rows)+len(planned.Tombstones) > 0
	}
	return !r.base.absent
}

// PlanLog is the log in which the observations of healed artifacts are created
// and no longer ready, where a rendering was interrupted; nil when none was.
func PlanLog(r Report, log *observe.Log) *observe.Log {
	if log == nil {
		return nil
	}
	var planned *observe.Log
	for _, item := range r.Items {
		o := log.Get(item.ObservationID)
		if item.Answer != Healed || o == nil || o.Status != observe.Ready {
			continue
		}
		if planned == nil {
			planned = log.Clone()
		}
		o.Status, o.ArtifactPath = observe.Created, item.Path
		planned.Put(o)
	}
	return planned
}

func (i Item) plan(m *manifest.Manifest) {
	switch {
	case i.tombstone != nil && i.artifact != nil && i.Answer != Skipped:
		m.PutRow(i.present(i.tombstone.Row))
	case i.Answer == Gone && i.How == HowCommitted:
		m.Bury(manifest.Tombstone{Row: i.row, Commit: i.Commit, By: i.By, At: i.At, How: HowCommitted})
	case i.Answer == Gone && i.How == HowUncommitted && !i.committed:
		m.DropRow(i.Key())
	case i.artifact == nil || i.Answer == Ambiguous || i.Answer == Skipped:
	default:
		row, has := m.Row(i.Key())
		if !has {
			row = i.row
		}
		if now := i.present(row); !has || now.Path != row.Path || now.Anchor != row.Anchor {
			m.PutRow(now)
		}
	}
}

// present is a row at the place where its artifact stands. Its hash stays that
// of the rendered text.
func (i Item) present(row manifest.Row) manifest.Row {
	row.Path, row.Anchor = i.artifact.Path, i.artifact.Anchor
	return row
}
