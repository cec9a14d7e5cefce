package main

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/store"
)

var errNoFile = errors.New("an observation is no file yet")

// oneLine folds a text into one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

type editCommand struct {
	ID string `arg:"" help:"An entry, a lesson, a skill or a command."`
}

// Run opens the editor on a copy, stores what came of it, and tells about mistakes at
// once.
func (c *editCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	at, err := inv.locate(ctx, p, s, c.ID)
	if err != nil {
		return err
	}
	item := at.item
	if item.Kind == catalog.KindObservation {
		return withHint(errNoFile, "lessons promote %s makes it one", item.ID)
	}
	before, err := at.p.Read(item.Path)
	if err != nil {
		return err
	}
	after, err := inv.sys.typed(path.Base(item.Path), before, item.Line)
	switch {
	case bytes.Equal(before, after) && err == nil:
		inv.printf("%s is as it was\n", at.shown())
		return nil
	case err == nil:
		err = at.p.Rewrite(ctx, item, before, after)
	case len(after) == 0 || bytes.Equal(before, after):
		return err
	}
	if err != nil {
		return keptWith(err, at.p, path.Base(item.Path), string(after), "")
	}
	return at.check(inv)
}

// check says what is wrong with an item's file that was not before.
func (at located) check(inv *invocation) error {
	after, err := at.p.Store.Load()
	if err != nil {
		return err
	}
	before := check.Run(check.Input{Snapshot: at.s})
	n := 0
	for _, f := range check.Run(check.Input{Snapshot: after}) {
		if f.Path == at.item.Path && !slices.Contains(before, f) {
			n++
			inv.sys.stderr.Printf("%s\n", f.Said())
		}
	}
	if n == 0 {
		inv.printf("%s is in order\n", at.shown())
	}
	return foundAny(n)
}
