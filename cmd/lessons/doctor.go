package main

import (
	"context"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type doctorCommand struct {
	jsonOutput
	consent
	Fix      bool `help:"Repair hooks, merge drivers, ignore rules, folders, and what a crash left."`
	Learning bool `help:"Look for what keeps agents from learning, instead of the installation."`
}

// Run prints one line a question, and what to do where the answer is no.
func (c *doctorCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	if c.Fix {
		if err := c.mend(ctx, inv, p); err != nil {
			return err
		}
	}
	results, err := c.results(ctx, inv, p, s)
	if err != nil {
		return err
	}
	if c.JSON {
		if err := printLines(inv, results); err != nil {
			return err
		}
	} else {
		printResults(inv, results)
	}
	return foundAny(len(lists.Filter(results, func(r project.Result) bool { return !r.OK })))
}

// mend shows what can be mended, asks, and says each thing that it did.
func (c *doctorCommand) mend(ctx context.Context, inv *invocation, p *project.Project) error {
	m, err := p.PlanMending(ctx, agent.All)
	if err != nil || m.Empty() {
		return err
	}
	tell := inv.sys.stderr.Printf // standard output is for what doctor finds afterwards
	tell("%s", plain.Block(m.Diff()))
	if err := c.agree(ctx, inv, "Mend "+count(len(m.Steps)+len(m.Drivers)+len(m.Left), "thing", "things")+"?"); err != nil {
		return err
	}
	if err := p.Mend(ctx, m); err != nil {
		return err
	}
	for _, s := range m.Steps {
		tell("repaired %s: %s\n", s.Path, s.Why)
	}
	if len(m.Drivers) > 0 {
		tell("repaired git's configuration: merge drivers, for this clone\n")
	}
	for _, file := range m.Left {
		tell("removed  %s: a temporary file of a crash\n", file)
	}
	return nil
}

func printResults(inv *invocation, results []project.Result) {
	t := plain.Table{Columns: []plain.Column{{Name: ""}, {Name: "LOOKED AT"}, {Name: "FOUND"}}}
	for _, r := range results {
		row := plain.Row{Cells: []string{"ok", r.Name, r.Text}}
		if !r.OK {
			row.Cells[0] = "FIX"
			if r.Next != "" {
				row.Notes = []string{r.Next}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	inv.sys.stdout.Table(t)
}

func (c *doctorCommand) results(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) ([]project.Result, error) {
	if c.Learning {
		return p.DiagnoseLearning(ctx, s)
	}
	return p.Diagnose(ctx, s, project.Diagnosis{Clients: agent.All, Executable: inv.sys.executable}), nil
}
