package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Conversion is a change of layout, planned.
type Conversion struct {
	store.Transaction
	From, To entry.Layout
	Entries  int
	// Branches are local branches that are not merged here and changed knowledge
	// files: merging one will conflict in the old layout's files.
	Branches []string
}

// ErrUncommitted says that knowledge files differ from the last commit, which a
// conversion would bury.
var ErrUncommitted = errors.New("there are changes that are not committed")

// PlanLayout plans the conversion of entries and manifest into the other layout.
// Nothing is lost: back and forth gives the same bytes. It refuses while
// knowledge files are not as HEAD has them.
func (p *Project) PlanLayout(ctx context.Context, s *store.Snapshot, to entry.Layout) (*Conversion, error) {
	c := &Conversion{From: s.Config.Layout, To: to}
	if c.From == to {
		return c, nil
	}
	if err := p.clean(ctx, s); err != nil {
		return nil, err
	}
	if err := c.entries(s); err != nil {
		return nil, err
	}
	settings, err := config.Set(s.ConfigData, "layout", string(to), false)
	if err != nil {
		return nil, err
	}
	c.Changes = append(c.Changes, store.Change{Path: ConfigPath, Before: s.ConfigData, After: settings})
	c.Manifest = s.Manifest
	c.Branches, err = p.behindOn(ctx)
	return c, err
}

// entries plans the files of the entries, and takes the rows along.
func (c *Conversion) entries(s *store.Snapshot) error {
	all := slices.Concat(s.Decisions, s.Pitfalls)
	c.Entries = len(all)
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		before, after := c.files(s, all, kind)
		for _, path := range sortedKeys(before) {
			if after[path] == nil {
				c.Changes = append(c.Changes, store.Change{Path: path, Before: before[path]})
			}
		}
		for _, path := range sortedKeys(after) {
			if was := s.Before(path); was != nil && before[path] == nil {
				return fmt.Errorf("%s is there already; move it away first", path)
			}
			c.Changes = append(c.Changes, store.Change{Path: path, Before: before[path], After: after[path]})
			book, _ := entry.ParseBook(path, after[path])
			for _, e := range book.Entries {
				moveRow(s.Manifest, e)
			}
		}
	}
	return nil
}

// files are those of one kind's entries as they are, and as they will be.
func (c *Conversion) files(s *store.Snapshot, entries []entry.Entry, kind knowledge.Kind) (before, after map[string][]byte) {
	before, after = map[string][]byte{}, map[string][]byte{}
	book := entry.BookPath(kind)
	if c.To == entry.LayoutFiles {
		if data := s.Before(book); data != nil {
			before[book] = data
			parsed, _ := entry.ParseBook(book, data)
			for _, f := range entry.SplitBook(parsed) {
				after[f.Path] = f.Data
			}
		}
		return before, after
	}
	var files []entry.File
	paths := []string{entry.Dir(kind) + "/README.md"}
	for _, e := range entries {
		if e.Kind == kind {
			paths = append(paths, e.Path)
		}
	}
	for _, path := range paths {
		if data := s.Before(path); data != nil && path != book {
			before[path] = data
			files = append(files, entry.File{Path: path, Data: data})
		}
	}
	if len(files) > 0 {
		after[book] = entry.JoinBook(kind, files)
	}
	return before, after
}

// moveRow takes an entry's row to its new file. The entry's text, and so its
// hash, is the same in both layouts.
func moveRow(m *manifest.Manifest, e entry.Entry) {
	if row, ok := m.Row(knowledge.Key{Observation: e.Source, Kind: e.Kind}); ok && e.Source != "" && row.Path != e.Path {
		row.Path = e.Path
		m.PutRow(row)
	}
}

// clean says whether the knowledge files are as HEAD has them.
func (p *Project) clean(ctx context.Context, s *store.Snapshot) error {
	if p.Git == nil {
		return nil
	}
	staged, err := p.Git.Staged(ctx)
	if err != nil {
		return err
	}
	for _, c := range staged {
		if strings.HasPrefix(c.Path, ".memory/") {
			return fmt.Errorf("%s: %w", c.Path, ErrUncommitted)
		}
	}
	index, err := p.Git.Index(ctx, []string{".memory"})
	if err != nil {
		return err
	}
	names := lists.Map(index, func(e gitstate.IndexEntry) string { return e.OID })
	objects, err := p.Git.Objects(ctx, names, true)
	if err != nil {
		return err
	}
	committed := map[string][]byte{}
	for i, e := range index {
		committed[e.Path] = objects[i].Data
	}
	return sameAsCommitted(s, committed)
}

func sameAsCommitted(s *store.Snapshot, committed map[string][]byte) error {
	paths := lists.Map(slices.Concat(s.Decisions, s.Pitfalls), func(e entry.Entry) string { return e.Path })
	for path := range committed {
		if merge.Driver(path) == merge.Manifest {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		data, tracked := committed[path]
		if !tracked || !bytes.Equal(knowledge.NormaliseLines(data), knowledge.NormaliseLines(s.Before(path))) {
			return fmt.Errorf("%s: %w", path, ErrUncommitted)
		}
	}
	return nil
}

// behindOn lists the local branches with changes of knowledge files that are not
// merged here.
func (p *Project) behindOn(ctx context.Context) ([]string, error) {
	brancher, ok := p.Git.(gitstate.Brancher)
	if !ok {
		return nil, nil
	}
	branches, err := brancher.Branches(ctx)
	if err != nil {
		return nil, err
	}
	paths := []string{".memory/knowledge", ".memory/manifest", manifest.Path}
	here, err := p.Git.Log(ctx, gitstate.Walk{Paths: paths})
	if err != nil {
		return nil, err
	}
	merged := map[string]bool{}
	for _, c := range here {
		merged[c.OID] = true
	}
	var found []string
	for _, name := range branches {
		commits, err := p.Git.Log(ctx, gitstate.Walk{From: name, Paths: paths})
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(commits, func(c gitstate.Commit) bool { return !merged[c.OID] }) {
			found = append(found, strings.TrimPrefix(name, "refs/heads/"))
		}
	}
	return found, nil
}

// Convert carries a conversion out, and takes away the folders that it emptied.
func (p *Project) Convert(c *Conversion) error {
	if err := p.Store.Apply(c.Transaction); err != nil {
		return err
	}
	if c.To == entry.LayoutBook {
		for _, dir := range []string{entry.DecisionsDir, entry.PitfallsDir, manifest.Folder} {
			p.removeEmpty(dir)
		}
	}
	return nil
}
