package render

import (
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// shelf is where the entries of one kind stand: a book, or a folder of files.
type shelf struct {
	kind    knowledge.Kind
	layout  entry.Layout
	book    *entry.Book // of layout book
	entries []entry.Entry
	next    int    // the number of the next entry
	broken  string // why nothing can be added
}

// folder is where the shelf's files are.
func (s *shelf) folder() string {
	if s.layout == entry.LayoutFiles {
		return entry.Dir(s.kind)
	}
	return path.Dir(entry.BookPath(s.kind))
}

// active counts the entries that the index shows.
func (s *shelf) active() int {
	return entry.CountActive(s.entries)
}

// readShelves takes in the entries of both kinds. A number that was ever used,
// here, in a row, in a tombstone or in history, is not given again.
func readShelves(s *store.Snapshot, m *manifest.Manifest, used map[knowledge.Kind]int) map[knowledge.Kind]*shelf {
	shelves := map[knowledge.Kind]*shelf{}
	for kind, entries := range map[knowledge.Kind][]entry.Entry{knowledge.KindADR: s.Decisions, knowledge.KindPF: s.Pitfalls} {
		sh := &shelf{kind: kind, layout: s.Config.Layout, entries: slices.Clone(entries)}
		sh.next = 1 + max(entry.MaxNumber(kind, entries, m.Anchors(kind)...), used[kind])
		if sh.layout != entry.LayoutFiles {
			path := entry.BookPath(kind)
			sh.book, _ = entry.ParseBook(path, s.Before(path))
			sh.broken = s.BookFault(kind)
		}
		shelves[kind] = sh
	}
	return shelves
}

// add plans a further entry and returns its path and text. suffix ends the name of
// its own file.
func (s *shelf) add(e entry.Entry, suffix string, f *files) (path string, text []byte, ok bool) {
	if s.layout == entry.LayoutFiles {
		path, text = withSuffix(strings.TrimSuffix(entry.Path(e), ".md"), suffix)+".md", entry.Format(e)
		if !f.free(path) {
			return path, nil, false
		}
		f.write(path, text)
	} else {
		path, text = s.book.Path, entry.Format(e)
		s.book, _ = entry.ParseBook(path, s.book.Append(e))
		f.write(path, s.book.Bytes())
	}
	e.Path = path
	s.wait(e)
	return path, text, true
}

// wait takes an entry's number and place on the shelf.
func (s *shelf) wait(e entry.Entry) {
	s.entries = append(s.entries, e)
	s.next = max(s.next, e.Number) + 1
}

// open reads the file that a row names, as it is planned, and its entry.
func (s *shelf) open(row manifest.Row, f *files) (*entry.Book, entry.Entry, bool) {
	text, ok := f.read(row.Path)
	if !ok {
		return nil, entry.Entry{}, false
	}
	b, _ := entry.ParseBook(row.Path, text)
	i := slices.IndexFunc(b.Entries, func(e entry.Entry) bool { return e.Kind == s.kind && e.ID() == row.Anchor })
	if i < 0 {
		return nil, entry.Entry{}, false
	}
	return b, b.Entries[i], true
}

// rewrite plans another text of a file of entries.
func (s *shelf) rewrite(path string, text []byte, f *files) {
	f.write(path, text)
	b, _ := entry.ParseBook(path, text)
	if s.book != nil && s.book.Path == path {
		s.book = b
	}
	s.entries = slices.DeleteFunc(s.entries, func(e entry.Entry) bool { return e.Path == path })
	s.entries = append(s.entries, b.Entries...)
}
