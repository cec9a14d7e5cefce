package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// writtenFolders are where temporary files of a crash are looked for: all
// folders into which lessons writes, but for those of single skills, which are
// looked at when they are written again.
var writtenFolders = []string{
	".", ".lessons", ".memory", ".memory/knowledge", ".memory/knowledge/decisions", ".memory/knowledge/pitfalls",
	manifest.Folder, ".claude", ".claude/commands/self-learning", ".lessons/skills", ".claude/skills", ".agents/skills",
}

// Apply carries out a transaction under one lock (reliability 2.2, rulings 26).
// First it reads again and checks, without writing anything: a file that is not
// as it was planned from is [ErrChanged]. Then come the artifacts, whose renames
// are the commit point; log and manifest, which can be rebuilt from the ids that
// the artifacts carry; and the ledger. Each file is synced once. After a crash at
// any point the same transaction, planned anew, leads to the same state.
//
// When it returns nil everything is durable.
func (s *Store) Apply(t Transaction) error {
	tree := len(t.Changes) > 0 || t.Manifest != nil
	t.Changes = lists.Filter(t.Changes, func(c Change) bool { return !sameFile(c.Before, c.After) }) // others change nothing
	if len(t.Changes) == 0 && t.Log == nil && t.Manifest == nil && len(t.Ledger) == 0 {
		return nil
	}
	unlock, err := s.lock(t.Log != nil || len(t.Ledger) > 0)
	if err != nil {
		return err
	}
	w, err := s.prepare(t)
	if err == nil && tree {
		err = fsx.Sweep(s.FS, s.Places.Root, writtenFolders...)
	}
	if err == nil {
		err = s.write(w)
	}
	return errors.Join(err, unlock())
}

// Sweep removes the temporary files that killed processes left in the work tree,
// those of merge drivers too.
func (s *Store) Sweep() error {
	unlock, err := s.lock(false)
	if err != nil {
		return err
	}
	return errors.Join(fsx.Sweep(s.FS, s.Places.Root, writtenFolders...), unlock())
}

// lock takes the lock of the work tree. Log and ledger belong to all linked
// work trees of a clone: who writes those takes the lock of the shared folder
// first, which is the main work tree's own.
func (s *Store) lock(shared bool) (unlock func() error, err error) {
	dirs := []string{s.Places.Local}
	if shared && s.Places.Shared != s.Places.Local {
		dirs = []string{s.Places.Shared, s.Places.Local}
	}
	wait := cmp.Or(s.Wait, defaultWait)
	var held []func() error
	unlock = func() error {
		var errs []error
		for i := range held {
			errs = append(errs, held[len(held)-1-i]())
		}
		return errors.Join(errs...)
	}
	for _, dir := range dirs {
		err := fsx.MkdirAll(s.FS, dir)
		if err == nil {
			var one func() error
			if one, err = s.FS.Lock(filepath.Join(dir, lockName), wait); err == nil {
				held = append(held, one)
				continue
			}
		}
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

// writes are the files of a transaction, in the order in which they are written.
type writes struct {
	artifacts []fsx.Replacement
	logs      []logWrite
	manifest  []fsx.Replacement
	ledger    [][]byte
}

// prepare reads what is there under the lock and decides everything.
func (s *Store) prepare(t Transaction) (writes, error) {
	var w writes
	var err error
	config, _, _ := s.config(s.readAfter(t.Changes))
	if t.Log != nil {
		if w.logs, err = s.planLog(t.Log, config); err != nil {
			return w, err
		}
	}
	if t.Manifest != nil {
		if w.manifest, err = s.planManifest(t.Manifest, config); err != nil {
			return w, err
		}
	}
	seen := map[string]bool{}
	for _, c := range t.Changes {
		if seen[c.Path] {
			return w, fmt.Errorf("%s: planned twice in one transaction", c.Path)
		}
		seen[c.Path] = true
		if s.Hook && s.tracks(c.Path) {
			return w, fmt.Errorf("%s: git tracks it, and a hook changes no such file", c.Path)
		}
		w.artifacts = append(w.artifacts, fsx.Replacement{Path: c.Path, Data: c.After, Guarded: true, Before: c.Before})
	}
	w.ledger = append(w.ledger, lists.Map(t.Ledger, verdict.Event.Line)...)
	return w, nil
}

// readAfter reads files as they will be once the changes are made.
func (s *Store) readAfter(changes []Change) func(string, int64) ([]byte, bool) {
	return func(path string, limit int64) ([]byte, bool) {
		for _, c := range changes {
			if c.Path == path {
				return c.After, c.After != nil
			}
		}
		return s.readQuietly(path, limit)
	}
}

// readQuietly reads a file whose problems [Store.Load] reported.
func (s *Store) readQuietly(path string, limit int64) ([]byte, bool) {
	data, err := fsx.ReadBelow(s.FS, s.Places.Root, path, limit)
	return data, err == nil
}

// write carries the plan out.
func (s *Store) write(w writes) error {
	root := s.Places.Root
	if err := fsx.Replace(s.FS, root, w.artifacts); err != nil {
		return err
	}
	// A committed log lies in the work tree as the manifest does: one batch.
	rest := map[string][]fsx.Replacement{}
	for _, l := range w.logs {
		if !l.same {
			rest[l.root] = append(rest[l.root], l.replacement())
		}
		if l.root == root && s.Places.Shared != root {
			hash, err := hashOf(l.after.Write)
			if err != nil {
				return err
			}
			rest[s.Places.Shared] = append(rest[s.Places.Shared], s.vouching(hash))
		}
	}
	if s.Places.Shared != root {
		if err := fsx.Replace(s.FS, s.Places.Shared, rest[s.Places.Shared]); err != nil {
			return err
		}
	}
	if err := fsx.Replace(s.FS, root, append(rest[root], w.manifest...)); err != nil {
		return err
	}
	return fsx.Append(s.FS, filepath.Join(s.Places.Shared, ledgerName), bytes.Join(w.ledger, nil))
}
