package project

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// shared names a file that all work trees of this clone have in common.
func (p *Project) shared(name string) string { return filepath.Join(p.Store.Places.Shared, name) }

// local names a file of this work tree's own.
func (p *Project) local(name string) string { return filepath.Join(p.Store.Places.Local, name) }

// readOwn reads a file of our own. One that is not there has no text.
func (m Machine) readOwn(name string) ([]byte, error) {
	data, err := m.FS.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// appendLine adds a value to a file of lines of JSON in the shared folder; wait is for another
// process that writes to it.
func (p *Project) appendLine(name string, v any, wait time.Duration) error {
	line, err := json.Marshal(v)
	if err == nil {
		err = fsx.MkdirAll(p.FS, p.Store.Places.Shared)
	}
	if err != nil {
		return err
	}
	return p.locked(name+".lock", wait, func() error { return fsx.Append(p.FS, name, line) })
}

// locked does what no two processes may do at once; wait is for another that does it.
func (m Machine) locked(lock string, wait time.Duration, do func() error) error {
	unlock, err := m.FS.Lock(lock, wait)
	if err != nil {
		return err
	}
	return errors.Join(do(), unlock())
}

// attempt is [retry] for what starts from all that is known, which it reads anew each time.
func attempt[T any](p *Project, do func(*store.Snapshot) (T, error)) (T, error) {
	return retry(func() (result T, err error) {
		s, err := p.Store.Load()
		if err != nil {
			return result, err
		}
		return do(s)
	})
}
