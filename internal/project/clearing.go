package project

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// ClearPlan is what clear is about to forget.
type ClearPlan struct {
	Lines  int    // how many lines of the log go
	Words  string // for the question
	Backup string // where the old log will be
	before []byte
	after  *observe.Log
}

// PlanClear plans to forget all observations, or only the lines of the log that
// cannot be read.
func (p *Project) PlanClear(invalidOnly bool) (*ClearPlan, error) {
	s, err := p.Store.Load()
	if err != nil {
		return nil, err
	}
	plan := &ClearPlan{
		before: s.Log.Bytes(), after: s.Log,
		Backup: filepath.Join(p.Store.Places.Shared, "learning-log-"+p.Now().UTC().Format("20060102-150405")+".jsonl.bak"),
	}
	if invalidOnly {
		plan.Lines = len(s.Log.DropInvalid())
		plan.Words = fmt.Sprintf("This drops %s of the log that cannot be read.", prose.Counted(plan.Lines, "line"))
		return plan, nil
	}
	for _, h := range slices.Collect(s.Log.Heads()) {
		s.Log.Remove(h.ID)
		plan.Lines++
	}
	plan.Words = fmt.Sprintf("This forgets %s; rendered files stay.", prose.Counted(plan.Lines, "observation"))
	return plan, nil
}

// Clear keeps a copy of the log and writes the shorter one.
func (p *Project) Clear(plan *ClearPlan) error {
	if err := fsx.WriteFile(p.FS, plan.Backup, plan.before); err != nil {
		return err
	}
	return p.Store.Apply(store.Transaction{Log: plan.after})
}
