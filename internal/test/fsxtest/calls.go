package fsxtest

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// ReadFile implements [fsx.FS].
func (m *Memory) ReadFile(name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, true)
	switch {
	case err != nil:
	case n.isDir():
		err = syscall.EISDIR
	case n.mode.Perm()&0o400 == 0:
		err = fs.ErrPermission
	default:
		return append([]byte{}, n.data...), nil
	}
	return nil, pathError("read", name, err)
}

// Open implements [fsx.FS].
func (m *Memory) Open(name string) (io.ReaderAt, error) {
	data, err := m.ReadFile(name)
	return bytes.NewReader(data), err
}

// Lstat implements [fsx.FS].
func (m *Memory) Lstat(name string) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, false)
	if err != nil {
		return nil, pathError("lstat", name, err)
	}
	return infoOf(filepath.Base(name), n), nil
}

// ReadDir implements [fsx.FS].
func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, true)
	switch {
	case err != nil:
	case !n.isDir():
		err = syscall.ENOTDIR
	case n.mode.Perm()&0o400 == 0:
		err = fs.ErrPermission
	default:
		entries := make([]fs.DirEntry, 0, len(n.entries))
		for base, e := range n.entries {
			entries = append(entries, fs.FileInfoToDirEntry(infoOf(base, e)))
		}
		slices.SortFunc(entries, func(a, b fs.DirEntry) int {
			if a.Name() < b.Name() {
				return -1
			}
			return 1
		})
		return entries, nil
	}
	return nil, pathError("readdir", name, err)
}

// MkdirAll implements [fsx.FS].
func (m *Memory) MkdirAll(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err := m.makeDirs(name, perm)
	return pathError("mkdir", name, err)
}

// OpenFile implements [fsx.FS] for writing. A last component that is a symbolic
// link is not followed.
func (m *Memory) OpenFile(name string, flag int, perm fs.FileMode) (fsx.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, err := m.open(name, flag, perm)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return f, nil
}

func (m *Memory) open(name string, flag int, perm fs.FileMode) (*memoryFile, error) {
	dir, err := m.find(filepath.Dir(name), true)
	if err != nil {
		return nil, err
	}
	if !dir.isDir() {
		return nil, syscall.ENOTDIR
	}
	n := dir.entries[filepath.Base(name)]
	switch {
	case n == nil && flag&os.O_CREATE == 0:
		return nil, fs.ErrNotExist
	case n == nil && dir.mode.Perm()&0o200 == 0:
		return nil, fs.ErrPermission
	case n == nil:
		n = &node{mode: perm.Perm(), mtime: m.tick()}
		dir.set(entryChange{filepath.Base(name), n})
	case flag&os.O_EXCL != 0:
		return nil, fs.ErrExist
	case n.isLink():
		return nil, syscall.ELOOP
	case n.isDir():
		return nil, syscall.EISDIR
	case n.mode.Perm()&0o200 == 0:
		return nil, fs.ErrPermission
	case flag&os.O_TRUNC != 0:
		n.data, n.mtime = nil, m.tick()
	}
	return &memoryFile{m: m, n: n, add: flag&os.O_APPEND != 0}, nil
}

// Rename implements [fsx.FS]. Within one directory it is one step, also for
// [Memory.Crash].
func (m *Memory) Rename(oldName, newName string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return pathError("rename", newName, m.rename(oldName, newName))
}

func (m *Memory) rename(oldName, newName string) error {
	from, err := m.find(filepath.Dir(oldName), true)
	if err != nil {
		return err
	}
	to, err := m.find(filepath.Dir(newName), true)
	if err != nil {
		return err
	}
	n := from.entries[filepath.Base(oldName)]
	if n == nil {
		return fs.ErrNotExist
	}
	if old := to.entries[filepath.Base(newName)]; old != nil && old.isDir() {
		return syscall.EISDIR
	}
	if from.mode.Perm()&0o200 == 0 || to.mode.Perm()&0o200 == 0 {
		return fs.ErrPermission
	}
	gone, come := entryChange{filepath.Base(oldName), nil}, entryChange{filepath.Base(newName), n}
	if from == to {
		from.set(gone, come)
		return nil
	}
	to.set(come)
	from.set(gone)
	return nil
}

// Remove implements [fsx.FS].
func (m *Memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, err := m.find(filepath.Dir(name), true)
	if err != nil {
		return pathError("remove", name, err)
	}
	n := dir.entries[filepath.Base(name)]
	switch {
	case n == nil:
		err = fs.ErrNotExist
	case dir.mode.Perm()&0o200 == 0:
		err = fs.ErrPermission
	case len(n.entries) > 0:
		err = syscall.ENOTEMPTY
	default:
		dir.set(entryChange{filepath.Base(name), nil})
	}
	return pathError("remove", name, err)
}

// SyncDir implements [fsx.FS].
func (m *Memory) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, true)
	switch {
	case err != nil:
	case !n.isDir():
		err = syscall.ENOTDIR
	default:
		n.syncEntries()
	}
	return pathError("sync", name, err)
}

// Lock implements [fsx.FS].
func (m *Memory) Lock(name string, wait time.Duration) (func() error, error) {
	deadline := time.Now().Add(wait)
	for {
		taken, err := m.tryLock(name)
		if err != nil {
			return nil, err
		}
		if taken {
			return func() error { return m.unlock(name) }, nil
		}
		if !time.Now().Before(deadline) {
			return nil, fmt.Errorf("%w (it holds %s)", fsx.ErrLocked, name)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

func (m *Memory) tryLock(name string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.locks[name] {
		return false, nil
	}
	f, err := m.open(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return false, pathError("lock", name, err)
	}
	f.n.lock = true
	m.locks[name] = true
	return true, nil
}

func (m *Memory) unlock(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.locks[name] {
		return fmt.Errorf("unlock %s: not locked", name)
	}
	delete(m.locks, name)
	return nil
}

// memoryFile is an open file.
type memoryFile struct {
	m      *Memory
	n      *node
	add    bool // append
	offset int
	closed bool
}

func (f *memoryFile) use(call func()) error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if f.closed {
		return fs.ErrClosed
	}
	call()
	return nil
}

func (f *memoryFile) Write(p []byte) (int, error) {
	err := f.use(func() {
		if f.add {
			f.offset = len(f.n.data)
		}
		head := f.n.data[:min(f.offset, len(f.n.data))]
		tail := f.n.data[min(f.offset+len(p), len(f.n.data)):]
		f.n.data = slices.Concat(head, p, tail)
		f.offset += len(p)
		f.n.mtime = f.m.tick()
	})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Sync makes the content durable, not the name.
func (f *memoryFile) Sync() error {
	return f.use(func() { f.n.durable = slices.Clone(f.n.data) })
}

func (f *memoryFile) Truncate(size int64) error {
	return f.use(func() { f.n.data = f.n.data[:min(int(size), len(f.n.data))] })
}

func (f *memoryFile) Chmod(mode fs.FileMode) error {
	return f.use(func() { f.n.mode = f.n.mode.Type() | mode.Perm() })
}

// Close does not sync.
func (f *memoryFile) Close() error {
	return f.use(func() { f.closed = true })
}

// info describes a node at one moment.
type info struct {
	name  string
	size  int64
	mode  fs.FileMode
	mtime time.Time
}

func infoOf(name string, n *node) info {
	return info{name, int64(len(n.data)), n.mode, n.mtime}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.mtime }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
