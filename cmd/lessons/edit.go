package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

var (
	errNeedsYes = errors.New("this forgets observations, so it asks first")
	errNoFile   = errors.New("an observation is no file yet")
)

// oneLine folds a text into one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

type editCommand struct {
	ID string `arg:"" help:"An entry, a lesson, a skill or a command."`
}

// Run opens the editor and tells about mistakes at once.
func (c *editCommand) Run(inv *invocation, p *project.Project, s *store.Snapshot) error {
	item, err := find(catalog.Items(s, verdict.View{}), c.ID)
	if err != nil {
		return err
	}
	if item.Kind == catalog.KindObservation {
		return withHint(errNoFile, "lessons promote %s makes it one", item.ID)
	}
	if err := inv.sys.edit(filepath.Join(p.Root, filepath.FromSlash(item.Path)), item.Line); err != nil {
		return err
	}
	after, err := p.Store.Load()
	if err != nil {
		return err
	}
	n := 0
	for _, f := range check.Run(check.Input{Snapshot: after}) {
		if f.Path == item.Path {
			n++
			fmt.Fprintf(inv.sys.stderr, "%s\n", problemLine(f))
		}
	}
	if n > 0 {
		return found{n}
	}
	inv.printf("%s is in order\n", item.Path)
	return nil
}
