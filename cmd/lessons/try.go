package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type tryCommand struct {
	jsonOutput
	Tool  string `arg:"" help:"A tool, such as Bash or Edit."`
	Input string `arg:"" help:"The command line, or the file."`
}

// Run prints what a hook would answer to the call, were it the first of a session.
func (c *tryCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	event, err := (&explainCommand{Tool: c.Tool, Input: c.Input}).event(inv)
	if err != nil {
		return err
	}
	x, err := p.Explain(ctx, s, event, "")
	if err != nil {
		return err
	}
	text := strings.TrimSpace(cmp.Or(x.Would.Reason, x.Would.Context))
	if c.JSON {
		return inv.printJSON(map[string]any{"would": verdictName(x.Would), "lessons": x.Would.Injected, "text": text})
	}
	inv.printf("the call %s", verdictName(x.Would))
	if len(x.Would.Injected) > 0 {
		inv.printf(" %s", strings.Join(x.Told(), ", "))
	}
	inv.printf("\n")
	if text != "" {
		inv.printf("the agent reads:\n%s\n", plain.Block(text))
	}
	return nil
}
