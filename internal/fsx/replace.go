package fsx

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// TempPrefix begins the name of every temporary file that lessons writes.
const TempPrefix = ".lessons-tmp-"

// Permissions of what is created; the umask narrows them.
const (
	filePerm = 0o644
	dirPerm  = 0o755
)

// Replacement is the new content of one file.
type Replacement struct {
	Path string // relative to the root, slashes
	Data []byte // nil: the file is removed, unless there is a Stream
	// Guarded makes the replacement conditional: the file must still hold
	// Before, and must not exist when Before is nil.
	Guarded bool
	Before  []byte
	// Stream writes the content of a file that is too large for memory, in place of
	// Data. Unchanged then guards it, in place of Before; nil: it must not exist.
	Stream    func(io.Writer) error
	Unchanged func(text io.ReaderAt, size int64) bool
}

func (f Replacement) removes() bool { return f.Data == nil && f.Stream == nil }

// Replace writes a batch of files below root so that each is old or new at any
// moment, and all are durable when it returns nil. In turn: every file goes to a
// temporary file in its directory and is synced once; all are renamed; then files
// are removed; every directory is synced once, and again where files were removed. The mode of an existing file stays. Files that
// already hold the content are not touched.
//
// Nothing is written when a component below root is a symbolic link or the
// target is not a regular file ([RefusedError]), or when a guarded file changed
// ([ChangedError], also found between writing and renaming). On any other error
// each file is old or new, and the temporary files are gone; after a crash they
// are removed by the next batch that writes the same file, which is why the
// caller holds the lock that guards the files.
func Replace(fsys FS, root string, files []Replacement) error {
	return replaceAll(fsys, root, files, true)
}

// WriteFile replaces one file that no lock guards, creating its directory. Of
// two writers at once one wins. Temporary files that crashes left for the file
// are removed once they are an hour older than what is written.
func WriteFile(fsys FS, name string, data []byte) error {
	if data == nil {
		data = []byte{}
	}
	return writeAlone(fsys, name, Replacement{Data: data})
}

// WriteStream is [WriteFile] of what is too large for memory.
func WriteStream(fsys FS, name string, stream func(io.Writer) error) error {
	return writeAlone(fsys, name, Replacement{Stream: stream})
}

func writeAlone(fsys FS, name string, r Replacement) error {
	dir, base := filepath.Split(name)
	r.Path = base
	if err := replaceAll(fsys, filepath.Clean(dir), []Replacement{r}, false); err != nil {
		return err
	}
	removeAged(fsys, filepath.Clean(dir), base)
	return nil
}

// orphanAge is how much older than a fresh file a temporary one must be to be
// no other writer's that is at work.
const orphanAge = time.Hour

// removeAged compares the file system's times with one another, not with a
// clock: they may come from another machine's.
func removeAged(fsys FS, dir, base string) {
	fresh, err := fsys.Lstat(filepath.Join(dir, base))
	if err != nil {
		return
	}
	for _, name := range leftovers(fsys, dir) {
		info, err := fsys.Lstat(filepath.Join(dir, name))
		if err == nil && strings.HasPrefix(name, TempPrefix+base+"-") && fresh.ModTime().Sub(info.ModTime()) > orphanAge {
			_ = fsys.Remove(filepath.Join(dir, name)) // the next writer tries again
		}
	}
}

func replaceAll(fsys FS, root string, files []Replacement, locked bool) error {
	b := batch{fs: fsys, root: root, locked: locked, dirty: map[string]bool{}, left: map[string][]string{}}
	for _, f := range files {
		if err := b.plan(f); err != nil {
			return err
		}
	}
	err := b.stage()
	if err == nil {
		err = b.recheck()
	}
	if err == nil {
		err = b.commit()
	}
	b.discard()
	return err
}

// batch is one run of [Replace].
type batch struct {
	fs     FS
	root   string
	locked bool
	steps  []*step
	dirty  map[string]bool     // directories to sync
	left   map[string][]string // temporary files found in a directory
}

// step is one file of a batch that is going to change.
type step struct {
	Replacement
	name string      // of the operating system
	mode fs.FileMode // of the existing file
	old  bool        // there is an existing file
	temp string      // staged, not yet renamed
}

// plan decides what there is to do for one file, without writing. A content that is not held
// in memory is not compared here: whether the file is as it was planned from is asked once the
// content is written.
func (b *batch) plan(f Replacement) error {
	if err := ValidPath(f.Path); err != nil {
		return err
	}
	name := filepath.Join(b.root, filepath.FromSlash(f.Path))
	s := &step{Replacement: f, name: name}
	info, err := b.regular(f.Path)
	if err != nil {
		return err
	}
	if info != nil {
		s.old, s.mode = true, info.Mode().Perm()
	}
	if f.Stream != nil {
		b.steps = append(b.steps, s)
		return nil
	}
	var now []byte
	if s.old {
		if now, err = b.fs.ReadFile(name); err != nil {
			return err
		}
	}
	if f.Guarded && (s.old != (f.Before != nil) || !bytes.Equal(now, f.Before)) {
		if s.old == (f.Data != nil) && bytes.Equal(now, f.Data) {
			return nil // somebody did the same
		}
		return &ChangedError{f.Path}
	}
	if s.old == (f.Data != nil) && bytes.Equal(now, f.Data) {
		return b.sweep(filepath.Dir(name), path.Base(f.Path))
	}
	if !f.Guarded {
		s.Before = now
		if s.old && now == nil {
			s.Before = []byte{}
		}
	}
	b.steps = append(b.steps, s)
	return nil
}

// regular is a regular file as it is now; no info: there is none.
func (b *batch) regular(p string) (fs.FileInfo, error) {
	info, err := LstatBelow(b.fs, b.root, p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, refuse(filepath.Join(b.root, filepath.FromSlash(p)), info.Mode())
	}
	return info, nil
}

// present reads a file as it is now; no info: there is none.
func (b *batch) present(p string) (fs.FileInfo, []byte, error) {
	info, err := b.regular(p)
	if info == nil || err != nil {
		return nil, nil, err
	}
	data, err := b.fs.ReadFile(filepath.Join(b.root, filepath.FromSlash(p)))
	return info, data, err
}

// stage writes every new content to a temporary file beside its target.
func (b *batch) stage() error {
	for _, s := range b.steps {
		dir := filepath.Dir(s.name)
		if err := b.sweep(dir, filepath.Base(s.name)); err != nil {
			return err
		}
		if s.removes() {
			continue
		}
		if err := b.makeDir(dir); err != nil {
			return err
		}
		if err := b.write(s, dir); err != nil {
			return fmt.Errorf("write %s: %w", s.name, WithoutPath(err))
		}
	}
	return nil
}

func (b *batch) write(s *step, dir string) error {
	perm := fs.FileMode(filePerm)
	if s.old {
		perm = s.mode
	}
	temp := filepath.Join(dir, TempPrefix+filepath.Base(s.name)+"-"+rand.Text()[:10])
	f, err := b.fs.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	s.temp = temp
	if s.old {
		err = f.Chmod(s.mode)
	}
	if err == nil {
		err = writeDurably(f, s.Replacement)
	}
	return errors.Join(err, f.Close())
}

// writeDurably writes all of the content, and has it on the disk when it returns nil.
func writeDurably(f File, r Replacement) error {
	var err error
	if r.Stream != nil {
		err = r.Stream(wholly{f})
	} else {
		_, err = wholly{f}.Write(r.Data)
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}

// wholly is a writer that takes all of what it is given, or fails.
type wholly struct{ to io.Writer }

func (w wholly) Write(data []byte) (int, error) {
	n, err := w.to.Write(data)
	if err == nil && n != len(data) {
		err = io.ErrShortWrite
	}
	return n, err
}

// recheck looks once more whether the files are as they were planned from,
// because an editor takes no lock.
func (b *batch) recheck() error {
	for _, s := range b.steps {
		same, err := b.same(s)
		if err != nil {
			return err
		}
		if !same {
			return &ChangedError{s.Path}
		}
	}
	return nil
}

// same says whether a file is as it was planned from.
func (b *batch) same(s *step) (bool, error) {
	if s.Stream == nil {
		info, now, err := b.present(s.Path)
		return s.old == (info != nil) && bytes.Equal(now, s.Before), err
	}
	info, err := b.regular(s.Path)
	switch {
	case err != nil || !s.Guarded:
		return true, err
	case info == nil || s.Unchanged == nil:
		return info == nil && s.Unchanged == nil, nil
	}
	text, err := b.fs.Open(s.name)
	return err == nil && s.Unchanged(text, info.Size()), err
}

// commit renames and syncs the directories, then removes and syncs again: what a
// file is moved to is there before the file is gone, at a crash too.
func (b *batch) commit() error {
	for _, change := range []func(*step) error{b.rename, b.remove} {
		for _, s := range b.steps {
			if err := change(s); err != nil {
				return err
			}
		}
		if err := b.syncDirs(); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) rename(s *step) error {
	if s.removes() {
		return nil
	}
	if err := b.fs.Rename(s.temp, s.name); err != nil {
		return err
	}
	s.temp = ""
	b.dirty[filepath.Dir(s.name)] = true
	return nil
}

// remove takes the directory along that the last file leaves empty.
func (b *batch) remove(s *step) error {
	if !s.removes() {
		return nil
	}
	if err := b.fs.Remove(s.name); err != nil {
		return err
	}
	b.dirty[filepath.Dir(s.name)] = true
	b.removeEmpty(filepath.Dir(s.name))
	return nil
}

// discard removes what was staged and not renamed.
func (b *batch) discard() {
	for _, s := range b.steps {
		if s.temp != "" {
			_ = b.fs.Remove(s.temp)
		}
	}
}

// sweep removes temporary files that a crash left for this target.
func (b *batch) sweep(dir, base string) error {
	if !b.locked {
		return nil
	}
	names, known := b.left[dir]
	if !known {
		names = leftovers(b.fs, dir)
		b.left[dir] = names
	}
	return removeAll(b.fs, dir, names, TempPrefix+base+"-")
}

// Sweep removes the temporary files that crashes left in directories below
// root. The caller holds the lock under which alone files are written there.
func Sweep(fsys FS, root string, dirs ...string) error {
	var errs []error
	for _, dir := range dirs {
		info, err := LstatBelow(fsys, root, dir)
		if err == nil && info.IsDir() {
			name := filepath.Join(root, filepath.FromSlash(dir))
			errs = append(errs, removeAll(fsys, name, leftovers(fsys, name), TempPrefix))
		}
	}
	return errors.Join(errs...)
}

// leftovers lists the temporary files of a directory; where nothing can be
// read nothing is found.
func leftovers(fsys FS, dir string) []string {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), TempPrefix) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

func removeAll(fsys FS, dir string, names []string, prefix string) error {
	for _, name := range names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if err := fsys.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
