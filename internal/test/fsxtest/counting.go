package fsxtest

import (
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// Counts are calls that cost time. FilesWritten counts names, not writes; a
// temporary file counts as what it was renamed to.
type Counts struct {
	Locked                                     []string // the names, in order
	FileSyncs, DirSyncs, FilesWritten, Renames int
}

// Counting counts the calls that go through it to another file system.
type Counting struct {
	fsx.FS
	mu      sync.Mutex
	counts  Counts
	written map[string]bool
}

// NewCounting wraps a file system.
func NewCounting(fsys fsx.FS) *Counting {
	return &Counting{FS: fsys, written: map[string]bool{}}
}

// Counts returns what happened so far.
func (c *Counting) Counts() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	counts := c.counts
	counts.Locked, counts.FilesWritten = slices.Clone(counts.Locked), len(c.written)
	return counts
}

func (c *Counting) count(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// Lock implements [fsx.FS].
func (c *Counting) Lock(name string, wait time.Duration) (func() error, error) {
	c.count(func() { c.counts.Locked = append(c.counts.Locked, name) })
	return c.FS.Lock(name, wait)
}

// SyncDir implements [fsx.FS].
func (c *Counting) SyncDir(name string) error {
	c.count(func() { c.counts.DirSyncs++ })
	return c.FS.SyncDir(name)
}

// Rename implements [fsx.FS].
func (c *Counting) Rename(oldName, newName string) error {
	err := c.FS.Rename(oldName, newName)
	if err == nil {
		c.count(func() {
			c.counts.Renames++
			delete(c.written, oldName)
			c.written[newName] = true
		})
	}
	return err
}

// OpenFile implements [fsx.FS].
func (c *Counting) OpenFile(name string, flag int, perm fs.FileMode) (fsx.File, error) {
	f, err := c.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		c.count(func() { c.written[name] = true })
	}
	return countedFile{f, c}, nil
}

type countedFile struct {
	fsx.File
	c *Counting
}

func (f countedFile) Sync() error {
	f.c.count(func() { f.c.counts.FileSyncs++ })
	return f.File.Sync()
}
