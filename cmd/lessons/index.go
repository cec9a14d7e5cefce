package main

import "github.com/lessons-cli/lessons/knowledge"

type indexCommand struct {
	jsonOutput
}

func (indexCommand) Help() string {
	return "The active decisions and pitfalls, a line each: what sub-agents are given.\n\nExample:\n  lessons index\n\nExit status: 0."
}

// Run prints the index. It reads the knowledge files only.
func (c *indexCommand) Run(inv *invocation) error {
	ctx, stop := interruptible()
	defer stop()
	p, err := inv.open(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	in, problems, err := p.IndexInput()
	if err != nil {
		return err
	}
	inv.warn(problems)
	if c.JSON {
		for _, item := range knowledge.IndexEntries(in) {
			if err := inv.printJSON(item); err != nil {
				return err
			}
		}
		return nil
	}
	inv.printf("%s", knowledge.Index(in))
	return nil
}
