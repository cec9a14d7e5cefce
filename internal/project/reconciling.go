package project

import (
	"context"
	"slices"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/reconcile"
)

// Reconciled is what people did, with what could not be read.
type Reconciled struct {
	reconcile.Report
	Problems []knowledge.Problem
}

// Reconcile asks git what people did, remembers it in the ledger, and with write
// in the manifest and the log too: rows and tombstones, which git tracks.
func (p *Project) Reconcile(ctx context.Context, write bool) (Reconciled, error) {
	return attempt(p, func(s *store.Snapshot) (Reconciled, error) {
		report, err := p.reconcile(ctx, s, true)
		if err == nil && write {
			planned := store.Transaction{Log: reconcile.PlanLog(report, s.Log)}
			if manifest := reconcile.PlanManifest(report, s.Manifest); report.WritesManifest(manifest) {
				planned.Manifest = manifest
			}
			err = p.Store.Apply(planned)
		}
		return Reconciled{report, s.Problems}, err
	})
}

// reconcile asks git and remembers the answers in ledger and memo, both of
// which lie in the git directory. patient waits for history.
func (p *Project) reconcile(ctx context.Context, s *store.Snapshot, patient bool) (reconcile.Report, error) {
	report, err := p.askGit(ctx, s, patient)
	if err != nil {
		return report, err
	}
	if len(report.Ledger) > 0 {
		if err := p.Store.Apply(store.Transaction{Ledger: report.Ledger}); err != nil {
			return report, err
		}
		s.Ledger = append(s.Ledger, report.Ledger...)
		if slices.ContainsFunc(report.Ledger, func(e verdict.Event) bool { return e.Event != verdict.EventSeen }) {
			p.recompile(ctx, true) // of what people removed hooks tell nothing
		}
	}
	p.remember(report.Memo)
	return report, nil
}

// askGit runs the decision procedure on a loaded snapshot and writes nothing, so
// that a command which only shows something uses up no news.
func (p *Project) askGit(ctx context.Context, s *store.Snapshot, patient bool) (reconcile.Report, error) {
	in := reconcile.Input{
		Repository: p.Git, Snapshot: s, Now: p.Now(), WorkTree: p.WorkTree(), Root: p.Root, FS: p.FS,
		Memo: p.memo(),
	}
	if !patient {
		in.HistoryDeadline = agent.HookDeadline(p.Env) * 6 / 10
	}
	return reconcile.Run(ctx, in)
}

// sawRendered remembers that artifacts stood in this work tree once they are written:
// what is discarded before the next look at them was rendered all the same.
func (p *Project) sawRendered(rows []manifest.Row) []verdict.Event {
	return lists.Map(rows, func(r manifest.Row) verdict.Event {
		return verdict.Event{Event: verdict.EventSeen, WorkTree: p.WorkTree(), ID: r.ObservationID, Type: r.Type, At: p.Now().UTC()}
	})
}

// View is what this work tree sees of the artifacts. Where git cannot be asked
// nothing is withdrawn.
func (p *Project) View(ctx context.Context, s *store.Snapshot) verdict.View {
	report, err := p.askGit(ctx, s, true)
	if err != nil {
		return verdict.View{}
	}
	return report.View
}

func (p *Project) memoPath() string { return p.local("reconcile-memo.json") }

func (p *Project) memo() []byte {
	data, _ := p.FS.ReadFile(p.memoPath())
	return data
}

// remember stores the memo. Losing it costs time only.
func (p *Project) remember(memo []byte) {
	if len(memo) == 0 {
		return
	}
	_ = fsx.WriteFile(p.FS, p.memoPath(), memo)
}
