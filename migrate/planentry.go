package migrate

import (
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// shelf is where the entries of one kind stand.
type shelf struct {
	kind    knowledge.Kind
	next    int
	active  int
	broken  string // why nothing can be added
	files   bool   // layout files
	book    []byte // as it was read
	entries []entry.Entry
	added   int // active ones
}

func readShelves(s *store.Snapshot, used map[knowledge.Kind]int) map[knowledge.Kind]*shelf {
	shelves := map[knowledge.Kind]*shelf{}
	for kind, entries := range map[knowledge.Kind][]entry.Entry{knowledge.KindADR: s.Decisions, knowledge.KindPF: s.Pitfalls} {
		sh := &shelf{kind: kind, files: s.Config.Layout == entry.LayoutFiles}
		sh.next = 1 + max(entry.MaxNumber(kind, entries, numbersHere(s.Manifest, kind)...), used[kind])
		for _, e := range entries {
			if e.Active() {
				sh.active++
			}
		}
		if !sh.files {
			sh.readBook(s)
		}
		shelves[kind] = sh
	}
	return shelves
}

// numbersHere are the numbers that were given out in this tool's own files. Rows
// of an earlier tool may number the entries of a book in another place, which keep
// their numbers when they come in.
func numbersHere(m *manifest.Manifest, kind knowledge.Kind) []string {
	here := m.Clone()
	here.Rows = slices.DeleteFunc(here.Rows, func(r manifest.Row) bool {
		return r.Path != entry.BookPath(kind) && path.Dir(r.Path) != entry.Dir(kind)
	})
	return here.Anchors(kind)
}

func (sh *shelf) readBook(s *store.Snapshot) {
	path := entry.BookPath(sh.kind)
	sh.book = s.Before(path)
	for _, problem := range s.Problems {
		if problem.Path == path && (sh.book == nil || problem.Rule == "conflict") {
			sh.broken = Source{Path: path, Line: problem.Line}.Place() + ": " + problem.Text
		}
	}
}

// changes are the files of the entries that were added.
func (sh *shelf) changes(s *store.Snapshot) []store.Change {
	if len(sh.entries) == 0 {
		return nil
	}
	if !sh.files {
		path := entry.BookPath(sh.kind)
		book, _ := entry.ParseBook(path, sh.book)
		return []store.Change{{Path: path, Before: sh.book, After: book.Append(sh.entries...)}}
	}
	var changes []store.Change
	for _, e := range sh.entries {
		changes = append(changes, store.Change{Path: e.Path, Before: s.Before(e.Path), After: entry.Format(e)})
	}
	return changes
}

// crowded says what more active entries than the ceiling mean. Nothing is left
// out of an import for it.
func (sh *shelf) crowded(c config.Config) string {
	noun := "decisions"
	if sh.kind == knowledge.KindPF {
		noun = "pitfalls"
	}
	now := sh.active + sh.added
	switch {
	case sh.added == 0 || c.SoftStart <= 0 || now < c.SoftStart:
		return ""
	case c.Ceiling > 0 && now >= c.Ceiling:
		return fmt.Sprintf("%d active %s: all were imported, but render adds no more beyond %d. lessons deprecate what no longer holds, or raise it: lessons config ceiling %d", now, noun, c.Ceiling, now+50)
	}
	return fmt.Sprintf("%d active %s: an index this long is read less; lessons deprecate what no longer holds", now, noun)
}

// entry plans an ADR or PF entry.
func (p *planner) entry(a *admission) {
	e := entry.Entry{Kind: a.Kind, Number: a.number, Title: a.Title, Source: a.id}
	add := func(name, value string) {
		if value = p.clean(p.refs.rewrite(value, a.Source)); value != "" {
			e.Fields = append(e.Fields, entry.Field{Name: name, Value: value})
		}
	}
	e.Title = p.refs.rewrite(e.Title, a.Source)
	if !a.Date.IsZero() {
		add(entry.FieldDate, a.Date.UTC().Format(time.DateOnly))
	}
	if a.Kind == knowledge.KindADR {
		add(entry.FieldStatus, a.Status)
	}
	for _, f := range a.Fields {
		add(f.Name, f.Value)
	}
	if a.Kind == knowledge.KindPF {
		add(entry.FieldStatus, a.Status)
	}
	e.Fields = append(e.Fields, entry.Field{Name: fieldImported, Value: oneLine(a.Source.String())})
	shelf := p.shelves[a.Kind]
	e.Path = entry.BookPath(a.Kind)
	if shelf.files {
		e.Path = entry.Path(e)
	}
	shelf.entries = append(shelf.entries, e)
	if e.Active() {
		shelf.added++
	}
	p.plan.Items[a.item].Status = e.Status()
	p.register(a, e.Path, e.ID(), entry.Format(e))
}
