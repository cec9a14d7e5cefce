package main

import (
	"errors"
	"fmt"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/store"
)

var errLayout = errors.New("a setting does not convert the entries that are there")

type configCommand struct {
	jsonOutput
	Key   string `arg:"" optional:"" help:"A setting, such as minConfidence or thresholds.decision.required."`
	Value string `arg:"" optional:"" help:"Its new value."`
}

// Run shows all settings, shows one, or changes one.
func (c *configCommand) Run(inv *invocation, p *project.Project, s *store.Snapshot) error {
	settings := s.Config.Settings()
	switch {
	case c.Key == "" && c.JSON:
		return inv.printJSON(s.Config)
	case c.Key == "":
		for _, set := range settings {
			inv.printf("%-36s %s\n", set.Key, set.Value)
		}
		return nil
	case c.Value == "":
		for _, set := range settings {
			if set.Key == c.Key {
				inv.printf("%s\n", set.Value)
				return nil
			}
		}
		return usageError{withHint(fmt.Errorf("no setting %q", c.Key), "all settings: lessons config")}
	}
	if c.Key == "layout" && c.Value != string(s.Config.Layout) {
		return usageError{withHint(errLayout, "lessons layout %s does", c.Value)}
	}
	before, err := p.Read(project.ConfigPath)
	if err != nil {
		return err
	}
	after, err := config.Set(before, c.Key, c.Value)
	if err != nil {
		return usageError{withHint(err, "all settings: lessons config")}
	}
	return p.Store.Apply(store.Transaction{Changes: []store.Change{{Path: project.ConfigPath, Before: before, After: after}}})
}
