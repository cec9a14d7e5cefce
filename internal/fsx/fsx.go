// Package fsx is the seam between lessons and the file system: everything that
// writes goes through an [FS], so that tests can fail, tear or kill any call.
//
// [Replace] and [Append] are the two ways in which lessons writes files. Both
// are durable when they return without an error. [Extend] is for lines of many files,
// which one [Sync] makes durable.
package fsx

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// File is an open file for writing.
type File interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	// Chmod sets the permission bits, whatever the umask says.
	Chmod(mode fs.FileMode) error
	Close() error
}

// FS is what lessons needs of a file system. Names are absolute paths of the
// operating system. Errors satisfy errors.Is with the io/fs sentinels.
type FS interface {
	ReadFile(name string) ([]byte, error)
	// Open opens a file to be read at any place, and again. It stays what it was when
	// another file takes its name, and is closed when nobody uses it any more.
	Open(name string) (io.ReaderAt, error)
	Lstat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error) // sorted by name
	MkdirAll(name string, perm fs.FileMode) error
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Rename(oldName, newName string) error
	Remove(name string) error
	// SyncDir makes renames, creations and removals in a directory durable.
	SyncDir(name string) error
	// Lock takes an exclusive advisory lock on the named file, creating it and
	// waiting at most wait; it returns ErrLocked when another process holds it.
	// The kernel frees the lock when the process dies.
	Lock(name string, wait time.Duration) (unlock func() error, err error)
}

var (
	// ErrLocked says that another process held the lock for as long as the
	// caller wanted to wait.
	ErrLocked = errors.New("another lessons process is writing")
	// ErrRefused says that a path is not one that lessons reads or writes: a
	// symbolic link, a directory where a file should be, a device, a path that
	// leaves its root.
	ErrRefused = errors.New("refused")
	// ErrChanged says that a file no longer holds what a plan was made from.
	ErrChanged = errors.New("changed meanwhile")
)

// RefusedError names the path and says what it is instead of a regular file.
// It matches [ErrRefused].
type RefusedError struct {
	Path string
	Why  string
	Link bool // it is a symbolic link
}

func (e *RefusedError) Error() string        { return fmt.Sprintf("%s: %s", e.Path, e.Why) }
func (e *RefusedError) Is(target error) bool { return target == ErrRefused }

// ChangedError names a file that somebody changed between a plan and its
// execution. It matches [ErrChanged].
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return e.Path + ": changed while lessons was working; nothing in it was touched, run the command again"
}
func (e *ChangedError) Is(target error) bool { return target == ErrChanged }
