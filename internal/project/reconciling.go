package project

import (
	"context"
	"path/filepath"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/reconcile"
)

// historyDeadline bounds git's history questions at session start
// (reconcile.md section 7); a person waits as long as it takes.
const historyDeadline = 600 * time.Millisecond

// pendingAnswer is what a person is asked about.
const pendingAnswer = reconcile.Pending

// ReconcileOptions of [Project.Reconcile].
type ReconcileOptions struct {
	Write bool // also rows and tombstones of the manifest, which git tracks
}

// Reconcile asks git what people did, remembers it in the ledger, and with
// Write in the manifest.
func (p *Project) Reconcile(ctx context.Context, o ReconcileOptions) (report reconcile.Report, problems []knowledge.Problem, err error) {
	err = again(func() error {
		report, problems, err = p.reconcileOnce(ctx, o)
		return err
	})
	return report, problems, err
}

func (p *Project) reconcileOnce(ctx context.Context, o ReconcileOptions) (reconcile.Report, []knowledge.Problem, error) {
	s, err := p.Store.Load()
	if err != nil {
		return reconcile.Report{}, nil, err
	}
	report, err := p.reconcile(ctx, s, true)
	if err != nil || !o.Write {
		return report, s.Problems, err
	}
	planned := knowledge.Transaction{Log: reconcile.PlanLog(report, s.Log)}
	if manifest := reconcile.PlanManifest(report, s.Manifest); report.WritesManifest(manifest) {
		planned.Manifest = manifest
	}
	return report, s.Problems, p.Store.Apply(planned)
}

// reconcile asks git and remembers the answers in ledger and memo, both of
// which lie in the git directory. patient waits for history.
func (p *Project) reconcile(ctx context.Context, s *knowledge.Snapshot, patient bool) (reconcile.Report, error) {
	report, err := p.askGit(ctx, s, patient)
	if err != nil {
		return report, err
	}
	if len(report.Ledger) > 0 {
		if err := p.Store.Apply(knowledge.Transaction{Ledger: report.Ledger}); err != nil {
			return report, err
		}
		s.Ledger = append(s.Ledger, report.Ledger...)
	}
	p.remember(report.Memo)
	return report, nil
}

// askGit runs the decision procedure on a loaded snapshot and writes nothing, so
// that a command which only shows something uses up no news.
func (p *Project) askGit(ctx context.Context, s *knowledge.Snapshot, patient bool) (reconcile.Report, error) {
	in := reconcile.Input{
		Repository: p.Git, Snapshot: s, Now: p.Now(), WorkTree: p.WorkTree(), Root: p.Root, FS: p.FS,
		Memo: p.memo(),
	}
	if !patient {
		in.HistoryDeadline = historyDeadline
	}
	return reconcile.Run(ctx, in)
}

// View is what this work tree sees of the artifacts. Where git cannot be asked
// nothing is withdrawn.
func (p *Project) View(ctx context.Context, s *knowledge.Snapshot) knowledge.View {
	report, err := p.askGit(ctx, s, true)
	if err != nil {
		return knowledge.View{}
	}
	return report.View
}

func (p *Project) memoPath() string {
	return filepath.Join(p.Store.Places.Local, "reconcile-memo.json")
}

func (p *Project) memo() []byte {
	data, err := p.FS.ReadFile(p.memoPath())
	if err != nil {
		return nil
	}
	return data
}

// remember stores the memo. Losing it costs time only.
func (p *Project) remember(memo []byte) {
	if len(memo) == 0 {
		return
	}
	_ = fsx.WriteFile(p.FS, p.memoPath(), memo)
}
