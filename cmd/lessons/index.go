package main

import (
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

type indexCommand struct {
	jsonOutput
}

func (indexCommand) Help() string {
	return "The active decisions and pitfalls, a line each: what sub-agents are given.\n\nExample:\n  lessons index\n\nExit status: 0."
}

// Run prints the index. It reads the knowledge files only.
func (c *indexCommand) Run(inv *invocation, p *project.Project) error {
	if !c.JSON {
		text, problems, err := p.IndexText()
		inv.warn(problems)
		inv.printf("%s", text)
		return err
	}
	in, problems, err := p.IndexInput()
	inv.warn(problems)
	if err != nil {
		return err
	}
	return printLines(inv, entry.IndexEntries(in))
}
