package main

import (
	"errors"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

type allowCommand struct {
	ID      string `arg:"" help:"The guard's lesson."`
	Once    bool   `help:"Let one call or stop pass (the default)."`
	Session bool   `xor:"once" help:"Let it pass until the session ends."`
}

// Run notes the permission for the session.
func (c *allowCommand) Run(inv *invocation, p *project.Project, s *store.Snapshot) error {
	item, err := find(catalog.Named(s, verdict.View{}, c.ID), c.ID)
	if err != nil {
		return err
	}
	if item.Kind != string(knowledge.KindLesson) {
		return usageError{withHint(errors.New(item.Name()+" is no lesson"), "guards are lessons with require: lessons trust lists them")}
	}
	if err := p.Allow(item.ID, !c.Session); err != nil {
		if errors.Is(err, inject.ErrNothingHeld) {
			return withHint(err, "there is nothing to allow")
		}
		return err
	}
	how := "once"
	if c.Session {
		how = "until the session ends"
	}
	inv.printf("%s may be passed %s, in the session that it held back last\n", item.Name(), how)
	return nil
}
