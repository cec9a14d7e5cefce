package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// located is an item with the repository that it lies in: the one at hand, or the
// person's folder with lessons for all repositories.
type located struct {
	p    *project.Project
	s    *store.Snapshot
	item catalog.Item
	user bool
}

// locate finds what a person named, here or else among the lessons for all repositories.
func (inv *invocation) locate(ctx context.Context, p *project.Project, s *store.Snapshot, name string) (located, error) {
	item, err := catalog.Find(catalog.Named(s, p.View(ctx, s), name), name)
	if err == nil {
		return located{p: p, s: s, item: item}, nil
	}
	if _, unknown := errors.AsType[*catalog.NotFoundError](err); unknown {
		if at, ok := inv.locateOwn(ctx, p, name); ok {
			return at, nil
		}
	}
	return located{}, withHint(err, hintNames)
}

// hintNames says where the names of items are found.
const hintNames = "lessons list shows the names; --observations those that are no file yet"

// locateOwn looks among the lessons for all repositories.
func (inv *invocation) locateOwn(ctx context.Context, p *project.Project, name string) (located, bool) {
	own := p.OfUser()
	s, err := own.Store.Load()
	if err != nil {
		return located{}, false
	}
	item, err := catalog.Find(catalog.Named(s, own.View(ctx, s), name), name)
	return located{p: own, s: s, item: item, user: true}, err == nil && item.Kind == string(knowledge.KindLesson)
}

// shown is the item's path as a person opens it from here.
func (at located) shown() string {
	if at.user {
		return filepath.Join(at.p.Root, filepath.FromSlash(at.item.Path))
	}
	return at.item.Path
}
