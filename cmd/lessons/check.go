package main

import (
	"fmt"

	"github.com/lessons-cli/lessons/check"
)

type checkCommand struct {
	jsonOutput
}

func (checkCommand) Help() string {
	return `Unreadable files, numbers used twice, citations of entries that do not exist, and rendered files that the manifest
does not know (or the other way round).

Example:
  lessons check

With --json: one finding a line. Exit status: 0; 3 when something was found.`
}

// Run prints the findings as compilers do.
func (c *checkCommand) Run(inv *invocation) error {
	ctx, stop := interruptible()
	defer stop()
	p, err := inv.open(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	in, err := p.CheckInput(ctx)
	if err != nil {
		return err
	}
	findings := check.Run(in)
	for _, f := range findings {
		if c.JSON {
			if err := inv.printJSON(f); err != nil {
				return err
			}
			continue
		}
		inv.printf("%s [%s]\n", problemLine(f.Problem), f.Rule)
	}
	if len(findings) > 0 {
		return found{len(findings)}
	}
	if !c.JSON {
		fmt.Fprintln(inv.sys.stdout, "nothing found")
	}
	return nil
}
