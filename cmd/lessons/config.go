package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/store"
)

var (
	errLayout     = errors.New("a setting does not convert the entries that are there")
	errNoTerminal = errors.New("there is no terminal to ask at")
)

type configCommand struct {
	jsonOutput
	User        bool   `help:"Your own settings, for all repositories."`
	Interactive bool   `help:"Go through the settings one by one."`
	Key         string `arg:"" optional:"" help:"A setting, such as minConfidence or thresholds.decision.required."`
	Value       string `arg:"" optional:"" help:"Its new value."`
}

// Run shows all settings, shows one, or changes some.
func (c *configCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	inv.warn(p.SettingsProblems)
	inv.warn(p.UnknownSettings(s))
	switch {
	case c.Interactive:
		return c.ask(ctx, inv, p, s)
	case c.Value != "":
		return c.change(ctx, inv, p, s, c.Key, c.Value)
	case c.Key != "":
		return c.show(inv, s.Config.Settings())
	case c.JSON:
		return inv.printJSON(s.Config)
	}
	for _, set := range s.Config.Settings() {
		inv.printf("%-36s %s\n", set.Key, set.Value)
	}
	if c.User {
		inv.printf("\nyour own: %s\n", p.SettingsPath())
		return nil
	}
	inv.printf("\nthis repository's: %s; your own: %s\n", project.ConfigPath, p.SettingsPath())
	return nil
}

func (c *configCommand) show(inv *invocation, settings []config.Setting) error {
	i := slices.IndexFunc(settings, func(set config.Setting) bool { return set.Key == c.Key })
	switch {
	case i < 0:
		return usageError{withHint(fmt.Errorf("no setting %q", c.Key), "all settings: lessons config")}
	case c.JSON:
		return inv.printJSON(settings[i])
	}
	inv.printf("%s\n", settings[i].Value)
	return nil
}

// change sets one setting, and says where.
func (c *configCommand) change(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot, key, value string) error {
	if key == "layout" && value != string(s.Config.Layout) {
		return usageError{withHint(errLayout, "lessons layout %s does", value)}
	}
	path, err := p.Configure(ctx, key, value, c.User)
	switch _, faulty := errors.AsType[*project.SettingError](err); {
	case faulty:
		return usageError{withHint(err, "all settings: lessons config")}
	case err != nil:
		return err
	case c.JSON:
		return inv.printJSON(map[string]string{"key": key, "value": value, "path": path})
	}
	inv.printf("%s is %s now, in %s\n", key, value, path)
	return nil
}

// ask goes through the settings that the file may hold. What is left empty stays.
func (c *configCommand) ask(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	if !inv.sys.interactive {
		return usageError{withHint(errNoTerminal, "lessons config KEY VALUE sets one")}
	}
	inv.printf("An empty line leaves a setting as it is; q ends.\n")
	for _, set := range s.Config.Settings() {
		if set.Key == "layout" || set.User && !c.User {
			continue
		}
		inv.printf("%s\n", set.About)
		for again := true; again; {
			word := inv.choose(ctx, fmt.Sprintf("%s [%s]:", set.Key, set.Value))
			switch {
			case word == "q" || ctx.Err() != nil:
				return nil
			case word == "":
				again = false
			default:
				err := c.change(ctx, inv, p, s, set.Key, word)
				if again = err != nil; again {
					inv.printf("%v\n", err)
				}
			}
		}
	}
	return nil
}
