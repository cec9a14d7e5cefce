package project

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/jsonlines"
)

// movedPath lists where this repository was before it was moved or renamed: its
// sessions name those directories.
func (p *Project) movedPath() string { return p.shared("moved-from.json") }

// MovedFrom are the earlier places of this repository, those that lie in others
// first: a path belongs to the innermost. What cannot be read names none.
func (p *Project) MovedFrom() []string {
	var roots []string
	data, err := p.FS.ReadFile(p.movedPath())
	if err != nil || json.Unmarshal(data, &roots) != nil {
		return nil
	}
	return roots
}

// AddMovedFrom remembers an earlier place of this repository.
func (p *Project) AddMovedFrom(root string) error {
	if err := p.FS.MkdirAll(p.Store.Places.Shared, 0o777); err != nil {
		return err
	}
	roots := p.MovedFrom()
	if root == p.Root || slices.Contains(roots, root) {
		return nil
	}
	roots = append(roots, root)
	slices.SortFunc(roots, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) }) // what lies in another is longer
	return fsx.WriteFile(p.FS, p.movedPath(), jsonlines.Line(roots))
}
