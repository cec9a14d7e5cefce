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
	Learning bool `help:"Look for what keeps agents from learning, instead of the installation."`
}

// Run prints one line a question, and what to do where the answer is no.
func (c *doctorCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
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
	if bad := lists.Filter(results, func(r project.Result) bool { return !r.OK }); len(bad) > 0 {
		return found{len(bad)}
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
