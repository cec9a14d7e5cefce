package main

import (
	"context"
	"strconv"

	"github.com/lessons-cli/lessons/internal/audit"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
)

type auditCommand struct {
	jsonOutput
	Format string `enum:"text,sarif,github" default:"text" help:"text, sarif, or github (annotations)."`
}

// Run prints what is wrong with what agents are told, and what it costs.
func (c *auditCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	a, err := p.Audit(ctx)
	if err != nil {
		return err
	}
	switch {
	case c.JSON:
		err := inv.printJSON(struct {
			Findings []knowledge.Problem `json:"findings"`
			Files    []audit.Cost        `json:"files"`
		}{append([]knowledge.Problem{}, a.Findings...), a.Costs})
		if err != nil {
			return err
		}
	default:
		if err := printAs(inv, c.Format, a.Findings); err != nil {
			return err
		}
		if c.Format == "text" {
			printCosts(inv, a.Costs)
		}
	}
	return foundAny(len(a.Findings))
}

func printCosts(inv *invocation, costs []audit.Cost) {
	if len(costs) == 0 {
		return
	}
	always := 0
	t := plain.Table{Columns: []plain.Column{{Name: "TOKENS", Number: true}, {Name: "FILE"}, {Name: "READ"}}}
	for _, c := range costs {
		when := "every session"
		if len(c.Scope) > 0 {
			when = c.Scope[0]
		} else {
			always += c.Tokens
		}
		t.Rows = append(t.Rows, plain.Row{Cells: []string{strconv.Itoa(c.Tokens), c.Path, when}})
	}
	inv.sys.stdout.Table(t)
	inv.printf("%d tokens of instructions for every session at most; an agent reads its own files of these\n", always)
}
