package fsx

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// OS is the operating system's file system.
type OS struct{}

var _ FS = OS{}

func (OS) ReadFile(name string) ([]byte, error)         { return os.ReadFile(name) }
func (OS) Open(name string) (io.ReaderAt, error)        { return open(name) }
func (OS) Lstat(name string) (fs.FileInfo, error)       { return os.Lstat(name) }
func (OS) ReadDir(name string) ([]fs.DirEntry, error)   { return os.ReadDir(name) }
func (OS) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }
func (OS) Remove(name string) error                     { return os.Remove(name) }

// OpenFile opens a file for writing. It follows no symbolic link in the last
// component of the name where the system can be told so.
func (OS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag|openNoFollow, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Rename replaces newName atomically.
func (OS) Rename(oldName, newName string) error { return rename(oldName, newName) }

// SyncDir makes the entries of a directory durable; where the system cannot
// sync directories it does nothing.
func (OS) SyncDir(name string) error { return syncDir(name) }

// How often a lock is tried: the first waits are short, because a writer holds
// the lock for a few milliseconds only.
const (
	lockFirstPause = time.Millisecond
	lockMaxPause   = 16 * time.Millisecond
)

// Lock takes the lock with flock or LockFileEx on an open descriptor. The file
// is never removed: whoever removed it would let two processes hold two locks
// of one name.
func (OS) Lock(name string, wait time.Duration) (unlock func() error, err error) {
	lock := flock.New(name, flock.SetPermissions(0o666))
	deadline := time.Now().Add(wait)
	for pause := lockFirstPause; ; pause = min(2*pause, lockMaxPause) {
		held, err := lock.TryLock()
		switch {
		case held:
			return lock.Unlock, nil
		case err != nil:
			_ = lock.Close()
			if unsupportedLock(err) {
				return lockByFile(name, deadline)
			}
			return nil, fmt.Errorf("lock %s: %w", name, WithoutPath(err))
		}
		left := time.Until(deadline)
		if left <= 0 {
			_ = lock.Close()
			return nil, fmt.Errorf("%w (it holds %s)", ErrLocked, name)
		}
		time.Sleep(min(pause, left))
	}
}

func WithoutPath(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}
