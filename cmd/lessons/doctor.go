package main

import (
	"context"

	"github.com/lessons-cli/lessons/internal/agent"
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
	bad := 0
	for _, r := range results {
		mark := "ok  "
		if !r.OK {
			mark = "FIX "
			bad++
		}
		if c.JSON {
			continue
		}
		inv.printf("%s  %-14s %s\n", mark, r.Name, r.Text)
		if !r.OK && r.Next != "" {
			inv.printf("                      %s\n", r.Next)
		}
	}
	if c.JSON {
		if err := printLines(inv, results); err != nil {
			return err
		}
	}
	if bad > 0 {
		return found{bad}
	}
	return nil
}

func (c *doctorCommand) results(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) ([]project.Result, error) {
	if c.Learning {
		return p.DiagnoseLearning(ctx, s)
	}
	return p.Diagnose(ctx, s, project.Diagnosis{Clients: agent.All, Executable: inv.sys.executable}), nil
}
