//go:build unix

package fsx

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

const openNoFollow = syscall.O_NOFOLLOW

// open leaves the file to the garbage collector, which closes it.
func open(name string) (io.ReaderAt, error) { return os.OpenFile(name, os.O_RDONLY|openNoFollow, 0) }

func rename(oldName, newName string) error { return os.Rename(oldName, newName) }

// syncDir opens the directory and syncs it. File systems that cannot do that
// say EINVAL or ENOTSUP, and then there is nothing more to be had.
func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// unsupportedLock says that the file system has no locks at all.
func unsupportedLock(err error) bool {
	return errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS)
}

// FileID identifies a file on its device, so that a rotated file is told from a
// grown one. It is empty where that is not known.
func FileID(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(stat.Ino), 10)
	}
	return ""
}

// alive says whether a process of this machine runs.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
