package main

import (
	"context"
	"fmt"
	"time"

	"github.com/lessons-cli/lessons/internal/project"
)

type migrateCommand struct {
	jsonOutput
	Apply string `placeholder:"NAME" help:"Carry out the migration of this name or number."`
	consent
}

// Run lists the migrations, or carries one out.
func (c *migrateCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	all, err := p.Migrations()
	if err != nil {
		return err
	}
	if c.Apply != "" {
		return c.apply(ctx, inv, p, all)
	}
	if c.JSON {
		return inv.printJSON(map[string]any{"migrations": all})
	}
	for _, m := range all {
		c.words(inv, m)
	}
	return nil
}

func (c *migrateCommand) words(inv *invocation, m project.MigrationState) {
	state := "nothing to do here"
	if len(m.Does) > 0 {
		state = "would change " + count(len(m.Does), "thing", "things")
	}
	if !m.Applied.IsZero() {
		state = "applied " + m.Applied.Format(time.DateOnly) + "; " + state
	}
	inv.printf("%d %s: %s\n    %s\n", m.Number, m.Name, state, m.About)
	for _, line := range m.Does {
		inv.printf("    %s\n", line)
	}
	for _, line := range m.Keeps {
		inv.printf("    keep %s\n", line)
	}
}

func (c *migrateCommand) apply(ctx context.Context, inv *invocation, p *project.Project, all []project.MigrationState) error {
	for _, m := range all {
		if m.Name != c.Apply && fmt.Sprint(m.Number) != c.Apply {
			continue
		}
		if !c.JSON {
			c.words(inv, m)
		}
		if len(m.Does) > 0 {
			if err := c.agree(ctx, inv, "Do it?"); err != nil {
				return err
			}
		}
		backup, err := p.Migrate(ctx, m)
		if err != nil {
			return withHint(err, "run it again when that is settled; what is done already is not done twice")
		}
		if c.JSON {
			return inv.printJSON(map[string]any{"applied": m, "copies": backup})
		}
		if backup != "" {
			inv.printf("done; the files as they were are in %s\n", backup)
		} else {
			inv.printf("recorded: there was nothing to do\n")
		}
		return nil
	}
	return usageError{withHint(fmt.Errorf("no migration %q", c.Apply), "lessons migrate lists them")}
}
