package render

import (
	"fmt"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// bookOf returns the book of a kind, a new one where there is none, or why
// nothing may be added to it.
func bookOf(s *store.Snapshot, kind knowledge.Kind) (*entry.Book, string) {
	path := entry.BookPath(kind)
	data := s.Before(path)
	b, _ := entry.ParseBook(path, data)
	for _, p := range s.Problems {
		if p.Path != path || (data != nil && p.Rule != "conflict") {
			continue
		}
		if p.Line > 0 {
			return b, fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Text)
		}
		return b, fmt.Sprintf("%s: %s", p.Path, p.Text)
	}
	return b, ""
}
