// Package fsx is the seam between lessons and the file system: everything that
// writes goes through an [FS], so that tests can fail, tear or kill any call.
package fsx

import (
	"io"
	"io/fs"
	"time"
)

// File is an open file for writing.
type File interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// FS is what lessons needs of a file system. Names are absolute paths of the
// operating system. Errors satisfy errors.Is with the io/fs sentinels.
type FS interface {
	ReadFile(name string) ([]byte, error)
	Lstat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	MkdirAll(name string, perm fs.FileMode) error
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Rename(oldName, newName string) error
	Remove(name string) error
	// SyncDir makes renames, creations and removals in a directory durable.
	SyncDir(name string) error
	// Lock takes an exclusive advisory lock on the named file, creating it and
	// waiting at most wait; it returns ErrLocked when another process holds it.
	Lock(name string, wait time.Duration) (unlock func() error, err error)
}
