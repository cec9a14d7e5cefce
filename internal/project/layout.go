package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
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

	settled []string // files in the new layout: as they will be, or not there yet
	resumed bool     // some of them are there: a conversion broke off
}

// ErrUncommitted says that knowledge files differ from the last commit, which a
// conversion would bury.
var ErrUncommitted = errors.New("there are changes that are not committed")

// PlanLayout plans the conversion of entries and manifest into the other layout.
// Nothing is lost: back and forth gives the same bytes. It refuses while
// knowledge files are not as git has them, but for what a conversion that broke
// off left: that is brought to its end.
func (p *Project) PlanLayout(ctx context.Context, s *store.Snapshot, to entry.Layout) (*Conversion, error) {
	c := &Conversion{From: s.Config.Layout, To: to, Entries: len(s.Decisions) + len(s.Pitfalls)}
	committed, err := p.committed(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		if err := c.entries(s, committed, kind); err != nil {
			return nil, err
		}
	}
	c.Manifest = s.Manifest
	if c.From == to && len(c.Changes) == 0 {
		return c, nil
	}
	if err := c.unchanged(s, committed); err != nil {
		return nil, err
	}
	if c.From != to {
		settings, err := config.Set(s.ConfigData, "layout", string(to), false)
		if err != nil {
			return nil, err
		}
		c.Changes = append(c.Changes, store.Change{Path: ConfigPath, Before: s.ConfigData, After: settings})
	}
	c.Branches, err = p.behindOn(ctx)
	return c, err
}

// entries plans the files of one kind's entries, and takes the rows along. What is
// there of the new ones already is there because a conversion broke off.
func (c *Conversion) entries(s *store.Snapshot, committed map[string][]byte, kind knowledge.Kind) error {
	before := c.sources(committed, kind)
	for path := range before {
		if text := s.Before(path); text != nil {
			before[path] = text
		}
	}
	after := c.targets(before, kind)
	complete := true
	for _, path := range sortedKeys(after) {
		switch was := s.Before(path); {
		case was == nil:
			complete = false
			c.Changes = append(c.Changes, store.Change{Path: path, After: after[path]})
		case !bytes.Equal(was, after[path]):
			return fmt.Errorf("%s is there already; move it away first", path)
		default:
			c.resumed = true
		}
		book, _ := entry.ParseBook(path, after[path])
		for _, e := range book.Entries {
			moveRow(s.Manifest, e)
		}
	}
	for _, path := range sortedKeys(before) {
		switch text := s.Before(path); {
		case text != nil:
			c.Changes = append(c.Changes, store.Change{Path: path, Before: text})
		case !complete:
			return fmt.Errorf("%s: %w", path, ErrUncommitted)
		}
	}
	c.settled = append(c.settled, sortedKeys(after)...)
	return nil
}

// sources are the committed files of one kind's entries that are in the layout to
// convert from.
func (c *Conversion) sources(committed map[string][]byte, kind knowledge.Kind) map[string][]byte {
	sources := map[string][]byte{}
	for path, data := range committed {
		book := path == entry.BookPath(kind)
		file := strings.HasPrefix(path, entry.Dir(kind)+"/") && strings.HasSuffix(path, ".md")
		if book && c.To == entry.LayoutFiles || file && c.To == entry.LayoutBook {
			sources[path] = data
		}
	}
	return sources
}

// targets are the same entries in the layout to convert into.
func (c *Conversion) targets(sources map[string][]byte, kind knowledge.Kind) map[string][]byte {
	targets := map[string][]byte{}
	if len(sources) == 0 {
		return targets
	}
	if c.To == entry.LayoutFiles {
		book, _ := entry.ParseBook(entry.BookPath(kind), sources[entry.BookPath(kind)])
		return lists.Table(entry.SplitBook(book), func(f entry.File) (string, []byte) { return f.Path, f.Data })
	}
	files := lists.Map(sortedKeys(sources), func(path string) entry.File { return entry.File{Path: path, Data: sources[path]} })
	targets[entry.BookPath(kind)] = entry.JoinBook(kind, files)
	return targets
}

// moveRow takes an entry's row to its new file. The entry's text, and so its
// hash, is the same in both layouts.
func moveRow(m *manifest.Manifest, e entry.Entry) {
	if row, ok := m.Row(knowledge.Key{Observation: e.Source, Kind: e.Kind}); ok && e.Source != "" && row.Path != e.Path {
		row.Path = e.Path
		m.PutRow(row)
	}
}

// committed are the files of .memory that git has; without git, those of the work
// tree.
func (p *Project) committed(ctx context.Context, s *store.Snapshot) (map[string][]byte, error) {
	files := map[string][]byte{}
	if p.Git == nil {
		for _, e := range s.Entries() {
			readme := entry.Dir(e.Kind) + "/" + entry.Readme
			files[e.Path], files[readme] = s.Before(e.Path), s.Before(readme)
		}
		maps.DeleteFunc(files, func(_ string, data []byte) bool { return data == nil })
		return files, nil
	}
	staged, err := p.Git.Staged(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range staged {
		if strings.HasPrefix(c.Path, ".memory/") {
			return nil, fmt.Errorf("%s: %w", c.Path, ErrUncommitted)
		}
	}
	index, err := p.Git.Index(ctx, []string{".memory"})
	if err != nil {
		return nil, err
	}
	names := lists.Map(index, func(e gitstate.IndexEntry) string { return e.OID })
	objects, err := p.Git.Objects(ctx, names, true)
	if err != nil {
		return nil, err
	}
	for i, e := range index {
		files[e.Path] = objects[i].Data
	}
	return files, nil
}

// unchanged says whether the knowledge files are as git has them, but for those
// that a conversion which broke off made.
func (c *Conversion) unchanged(s *store.Snapshot, committed map[string][]byte) error {
	paths := lists.Map(s.Entries(), func(e entry.Entry) string { return e.Path })
	for path := range committed {
		if merge.Driver(path) == merge.Manifest && !c.resumed {
			paths = append(paths, path)
		}
	}
	for _, path := range lists.SortedUnique(paths) {
		if slices.Contains(c.settled, path) {
			continue
		}
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
	git, ok := p.Git.(gitstate.Program)
	if !ok {
		return nil, nil
	}
	branches, err := git.Branches(ctx)
	if err != nil {
		return nil, err
	}
	paths := []string{entry.Folder, ".memory/manifest", manifest.Path}
	here, err := p.Git.Log(ctx, gitstate.Walk{Paths: paths})
	if err != nil {
		return nil, err
	}
	merged := lists.SetOf(here, func(c gitstate.Commit) string { return c.OID })
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
