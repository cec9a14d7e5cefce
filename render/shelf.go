package render

import (
	"path"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
)

// shelf is where the entries of one kind stand: a book, or a folder of files.
type shelf struct {
	kind    knowledge.Kind
	layout  knowledge.Layout
	book    *knowledge.Book // of layout book
	entries []knowledge.Entry
	next    int    // the number of the next entry
	broken  string // why nothing can be added
}

func (s *shelf) noun() string {
	if s.kind == knowledge.KindPF {
		return "pitfalls"
	}
	return "decisions"
}

// folder is where the shelf's files are.
func (s *shelf) folder() string {
	if s.layout == knowledge.LayoutFiles {
		return knowledge.EntryDir(s.kind)
	}
	return path.Dir(knowledge.BookPath(s.kind))
}

// active counts the entries that the index shows.
func (s *shelf) active() int {
	n := 0
	for _, e := range s.entries {
		if e.Active() {
			n++
		}
	}
	return n
}

// readShelves takes in the entries of both kinds. A number that was ever used,
// here, in a row, in a tombstone or in history, is not given again.
func readShelves(s *knowledge.Snapshot, m *knowledge.Manifest, used map[knowledge.Kind]int) map[knowledge.Kind]*shelf {
	shelves := map[knowledge.Kind]*shelf{}
	for kind, entries := range map[knowledge.Kind][]knowledge.Entry{knowledge.KindADR: s.Decisions, knowledge.KindPF: s.Pitfalls} {
		sh := &shelf{kind: kind, layout: s.Config.Layout, entries: slices.Clone(entries)}
		sh.next = 1 + max(knowledge.MaxNumber(kind, entries, m.Anchors(kind)...), used[kind])
		if sh.layout != knowledge.LayoutFiles {
			sh.book, sh.broken = bookOf(s, kind)
		}
		shelves[kind] = sh
	}
	return shelves
}

// add plans a further entry and returns its path and text.
func (s *shelf) add(e knowledge.Entry, f *files) (path string, text []byte, ok bool) {
	if s.layout == knowledge.LayoutFiles {
		path, text = knowledge.EntryPath(e), knowledge.FormatEntry(e)
		if !f.free(path) {
			return path, nil, false
		}
		f.write(path, text)
	} else {
		path, text = s.book.Path, knowledge.FormatEntry(e)
		s.book, _ = knowledge.ParseBook(path, s.book.Append(e))
		f.write(path, s.book.Bytes())
	}
	e.Path = path
	s.entries = append(s.entries, e)
	s.next = max(s.next, e.Number) + 1
	return path, text, true
}
