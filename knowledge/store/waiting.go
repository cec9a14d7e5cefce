package store

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// waitingPath is the book of entries that hold and wait for a person's render, in the
// folder of the work tree that git does not see.
func (s *Store) waitingPath(kind knowledge.Kind) string {
	return filepath.Join(s.Places.Local, "waiting", path.Base(entry.BookPath(kind)))
}

// Waiting are the entries that wait beside those that stand: none that stands by now,
// and none under a number that is taken by now.
func (s *Store) Waiting(standing []entry.Entry) []entry.Entry {
	var waiting []entry.Entry
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		data, err := s.FS.ReadFile(s.waitingPath(kind))
		if err != nil {
			continue // nothing waits, or the next session's end writes it again
		}
		book, _ := entry.ParseBook(entry.BookPath(kind), data)
		next := 1 + entry.MaxNumber(kind, standing)
		for _, e := range book.Entries {
			if slices.ContainsFunc(standing, func(o entry.Entry) bool { return o.Kind == kind && o.Source == e.Source }) {
				continue
			}
			next = max(next, e.Number)
			was := e.ID()
			e.Path, e.Number = "", next
			e.Text = bytes.Replace(e.Text, []byte(was), []byte(e.ID()), 1)
			waiting = append(waiting, e)
			next++
		}
	}
	return waiting
}

// KeepWaiting replaces what waits.
func (s *Store) KeepWaiting(entries []entry.Entry) error {
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		var files []entry.File
		for _, e := range entries {
			if e.Kind == kind {
				files = append(files, entry.File{Path: entry.Path(e), Data: entry.Format(e)})
			}
		}
		name := s.waitingPath(kind)
		if len(files) == 0 {
			if err := s.FS.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := fsx.WriteFile(s.FS, name, entry.JoinBook(kind, files)); err != nil {
			return err
		}
	}
	return nil
}
