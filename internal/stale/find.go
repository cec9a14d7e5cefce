package stale

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge/artifact"
)

// Finding is a reference that leads nowhere any more.
type Finding struct {
	Path   string `json:"path"` // of the text that names it
	Anchor string `json:"anchor,omitempty"`
	Line   int    `json:"line"`
	Kind   Kind   `json:"kind"`
	Name   string `json:"name"`
	Commit string `json:"commit,omitempty"` // that did it, where it is known
	Author string `json:"author,omitempty"`
}

// Place is where the text stands, as [artifact.Artifact.Place] says it.
func (f Finding) Place() string { return artifact.Artifact{Path: f.Path, Anchor: f.Anchor}.Place() }

// What says what is gone.
func (f Finding) What() string {
	name := strings.Replace(f.Name, "#", ": ", 1)
	if f.Kind == Symbol {
		return "nothing mentions " + name + " any more"
	}
	return name + " is gone"
}

// Text says it to a person.
func (f Finding) Text() string {
	text := f.What()
	if f.Commit != "" {
		name, _, _ := strings.Cut(f.Author, " <")
		text += fmt.Sprintf(" (%.10s, %s)", f.Commit, name)
	}
	return text + "; correct the text, or edit it to confirm it"
}

// anchored is a reference with the commit as of which it is vouched for.
type anchored struct {
	Reference
	artifact artifact.Artifact
	commit   string
}

// Find lists the stale references of the artifacts, in their order.
func Find(ctx context.Context, repo gitstate.Program, artifacts []artifact.Artifact) ([]Finding, error) {
	head, err := repo.Head(ctx)
	if err != nil || head == "" {
		return nil, err
	}
	commits, err := lastChanges(ctx, repo, artifacts)
	if err != nil {
		return nil, err
	}
	byKind := map[Kind][]anchored{}
	for i, a := range artifacts {
		if commits[i] == "" {
			continue // not committed: nothing changed since
		}
		for _, r := range References(string(a.Text)) {
			byKind[r.Kind] = append(byKind[r.Kind], anchored{r, a, commits[i]})
		}
	}
	paths, err := gonePaths(ctx, repo, byKind[Path])
	if err != nil {
		return nil, err
	}
	targets, err := goneTargets(ctx, repo, byKind[Target])
	if err != nil {
		return nil, err
	}
	symbols, err := goneSymbols(ctx, repo, byKind[Symbol])
	if err != nil {
		return nil, err
	}
	found := slices.Concat(paths, targets, symbols)
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return found, nil
}

func (a anchored) finding(by gitstate.Commit) Finding {
	return Finding{
		Path: a.artifact.Path, Anchor: a.artifact.Anchor, Line: a.artifact.Line + a.Line - 1, Kind: a.Kind, Name: a.Name,
		Commit: by.OID, Author: by.Author,
	}
}
