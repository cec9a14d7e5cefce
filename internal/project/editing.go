package project

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// RefusedError: what a person made of a file cannot be read any more.
type RefusedError struct {
	Path string
	Why  string
}

func (e *RefusedError) Error() string { return fmt.Sprintf("%s stays as it was: %s", e.Path, e.Why) }

// Rewrite stores what a person made of an item's file, if it can be read.
func (p *Project) Rewrite(ctx context.Context, item catalog.Item, before, after []byte) error {
	if why := unreadable(item, before, after); why != "" {
		return &RefusedError{item.Path, why}
	}
	return p.writeNamed(ctx, store.Transaction{Changes: []store.Change{{Path: item.Path, Before: before, After: after}}})
}

// unreadable says why the new text of a file is not one, or nothing.
func unreadable(item catalog.Item, before, after []byte) string {
	if len(bytes.TrimSpace(after)) == 0 {
		return "nothing is left of it; git rm removes it"
	}
	if !isLesson(item.Path) {
		return newProblem(item.Path, before, after)
	}
	l, err := lesson.Parse(item.Path, after)
	switch {
	case err != nil:
		return err.Error()
	case l.ID != item.ID:
		return fmt.Sprintf("its id is %s, by which it is known, and not %q", item.ID, l.ID)
	}
	return ""
}

// newProblem is the first problem of a file of entries that its old text did not have.
func newProblem(path string, before, after []byte) string {
	_, had := entry.ParseBook(path, before)
	_, has := entry.ParseBook(path, after)
	texts := lists.Map(had, func(p knowledge.Problem) string { return p.Text })
	for _, p := range has {
		if !slices.Contains(texts, p.Text) {
			return fmt.Sprintf("line %d: %s", p.Line, p.Text)
		}
	}
	return ""
}
