package fsxtest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// ErrKilled is what every call of a killed program returns: it has no effect.
var ErrKilled = errors.New("killed by the test")

// Mode is what happens at the chosen call.
type Mode int

// The modes. Kills end all effects of the program; its locks are freed.
const (
	KillBefore Mode = iota // the call does not happen
	KillAfter              // the call happens, nothing after it
	KillTorn               // of a write half happens; other calls are no points
	PowerLoss              // as KillAfter, and then what was not synced is lost
	PowerSome              // as KillAfter, and chance decides what of that is lost
	FailOnce               // the call fails and the program goes on
	FailOn                 // the call and all calls after it fail
	Short                  // a write writes half and says so; other calls are no points
)

var modeNames = []string{"killed before", "killed after", "killed in the middle of", "power lost after", "some power lost after", "failing", "failing from", "short"}

func (m Mode) String() string { return modeNames[m] }

func (m Mode) kills() bool { return m <= PowerSome }

// Fault passes calls on to another file system until the chosen one. Only calls
// that change something count; the first is number 0.
type Fault struct {
	FS   fsx.FS
	At   int
	Mode Mode
	Err  error // of failing calls; nil: no space left on the device

	mu      sync.Mutex
	calls   int
	dead    bool
	hit     string
	unlocks map[string]func() error
}

var _ fsx.FS = (*Fault)(nil)

// Calls is how many calls that change something were made.
func (f *Fault) Calls() int { f.mu.Lock(); defer f.mu.Unlock(); return f.calls }

// Hit describes the call that the fault struck; it is empty when none was.
func (f *Fault) Hit() string { f.mu.Lock(); defer f.mu.Unlock(); return f.hit }

// change runs a call that changes something, unless the fault says otherwise.
func (f *Fault) change(op, name string, call func() error) error {
	return f.write(op, name, call, nil)
}

// write is change for calls of which half can happen.
func (f *Fault) write(op, name string, call, half func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return ErrKilled
	}
	number := f.calls
	f.calls++
	now := number == f.At || f.Mode == FailOn && number > f.At
	if !now || half == nil && (f.Mode == KillTorn || f.Mode == Short) {
		return call()
	}
	if f.hit == "" {
		f.hit = fmt.Sprintf("%s %s", op, name)
	}
	switch f.Mode {
	case KillBefore:
	case KillAfter, PowerLoss, PowerSome:
		_ = call()
	case KillTorn:
		_ = half()
	case Short:
		return half()
	default:
		return &os.PathError{Op: op, Path: name, Err: f.err()}
	}
	f.die()
	return ErrKilled
}

func (f *Fault) err() error {
	if f.Err != nil {
		return f.Err
	}
	return syscall.ENOSPC
}

// die frees the locks, as the kernel does.
func (f *Fault) die() {
	f.dead = true
	for _, unlock := range f.unlocks {
		_ = unlock()
	}
}

func (f *Fault) alive() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return ErrKilled
	}
	return nil
}

// ReadFile implements [fsx.FS].
func (f *Fault) ReadFile(name string) ([]byte, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	return f.FS.ReadFile(name)
}

// Open implements [fsx.FS].
func (f *Fault) Open(name string) (io.ReaderAt, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	return f.FS.Open(name)
}

// Lstat implements [fsx.FS].
func (f *Fault) Lstat(name string) (fs.FileInfo, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	return f.FS.Lstat(name)
}

// ReadDir implements [fsx.FS].
func (f *Fault) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	return f.FS.ReadDir(name)
}

// MkdirAll implements [fsx.FS].
func (f *Fault) MkdirAll(name string, perm fs.FileMode) error {
	return f.change("mkdir", name, func() error { return f.FS.MkdirAll(name, perm) })
}

// Rename implements [fsx.FS].
func (f *Fault) Rename(oldName, newName string) error {
	return f.change("rename to", newName, func() error { return f.FS.Rename(oldName, newName) })
}

// Remove implements [fsx.FS].
func (f *Fault) Remove(name string) error {
	return f.change("remove", name, func() error { return f.FS.Remove(name) })
}

// SyncDir implements [fsx.FS].
func (f *Fault) SyncDir(name string) error {
	return f.change("sync directory", name, func() error { return f.FS.SyncDir(name) })
}

// OpenFile implements [fsx.FS].
func (f *Fault) OpenFile(name string, flag int, perm fs.FileMode) (fsx.File, error) {
	var file fsx.File
	err := f.change("open", name, func() (err error) {
		file, err = f.FS.OpenFile(name, flag, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	return faultFile{f, name, file}, nil
}

// Lock implements [fsx.FS]. Waiting for the lock is no call that can be struck.
func (f *Fault) Lock(name string, wait time.Duration) (func() error, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	unlock, err := f.FS.Lock(name, wait)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unlocks == nil {
		f.unlocks = map[string]func() error{}
	}
	f.unlocks[name] = unlock
	return func() error { return f.unlock(name) }, nil
}

func (f *Fault) unlock(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return ErrKilled
	}
	unlock := f.unlocks[name]
	delete(f.unlocks, name)
	return unlock()
}

type faultFile struct {
	f    *Fault
	name string
	file fsx.File
}

func (w faultFile) Write(p []byte) (n int, err error) {
	err = w.f.write(
		"write", w.name,
		func() error { n, err = w.file.Write(p); return err },
		func() error { n, err = w.file.Write(p[:len(p)/2]); return err },
	)
	return n, err
}

func (w faultFile) Sync() error { return w.f.change("sync", w.name, w.file.Sync) }

func (w faultFile) Truncate(size int64) error {
	return w.f.change("truncate", w.name, func() error { return w.file.Truncate(size) })
}

func (w faultFile) Chmod(mode fs.FileMode) error {
	return w.f.change("chmod", w.name, func() error { return w.file.Chmod(mode) })
}

// Close is no point of its own: it changes nothing that could be seen.
func (w faultFile) Close() error {
	if err := w.f.alive(); err != nil {
		return err
	}
	return w.file.Close()
}
