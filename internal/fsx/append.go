package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Append adds records, each a line with its line end, to a file of lines and
// makes them durable. The caller holds the lock that guards the file.
//
// A last line without a line end, which a crash left, is not touched: the first
// record begins on a line of its own. All records go out in one write; when that
// fails or is short the file gets its old length back.
func Append(fsys FS, name string, records ...[]byte) error {
	var lines []byte
	for _, r := range records {
		lines = append(lines, r...)
		if len(r) > 0 && r[len(r)-1] != '\n' {
			lines = append(lines, '\n')
		}
	}
	if len(lines) == 0 {
		return nil
	}
	dir, base := filepath.Split(name)
	b := batch{fs: fsys, root: filepath.Clean(dir), dirty: map[string]bool{}}
	info, err := fsys.Lstat(name)
	size := int64(0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := b.makeDir(b.root); err != nil {
			return err
		}
		b.dirty[b.root] = true
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return refuse(name, info.Mode())
	default:
		old, err := fsys.ReadFile(name)
		if err != nil {
			return err
		}
		size = int64(len(old))
		if len(old) > 0 && old[len(old)-1] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if err := appendDurably(fsys, name, lines, size); err != nil {
		return fmt.Errorf("append to %s: %w", base, WithoutPath(err))
	}
	return b.syncDirs()
}

func appendDurably(fsys FS, name string, lines []byte, size int64) error {
	f, err := fsys.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, filePerm)
	if err != nil {
		return err
	}
	if err := writeDurably(f, Replacement{Data: lines}); err != nil {
		return errors.Join(err, f.Truncate(size), f.Close())
	}
	return f.Close()
}

// Extend adds whole lines to a file that holds whole lines, or creates it in a directory
// that is there. They are durable after [Sync].
func Extend(fsys FS, name string, lines []byte) error {
	f, err := fsys.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, filePerm)
	if err != nil {
		return err
	}
	_, err = wholly{f}.Write(lines)
	return errors.Join(err, f.Close())
}

// Sync makes files durable that were extended. To sync many together takes a fraction
// of the time of syncing each when it is written.
func Sync(fsys FS, names []string) error {
	b := batch{fs: fsys, dirty: map[string]bool{}}
	for _, name := range names {
		f, err := fsys.OpenFile(name, os.O_WRONLY, filePerm)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
		b.dirty[filepath.Dir(name)] = true
	}
	return b.syncDirs()
}
