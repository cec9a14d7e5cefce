package fsx

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const openNoFollow = 0

const (
	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
)

// open reads the whole file: nobody could replace one that is open.
func open(name string) (io.ReaderAt, error) {
	data, err := os.ReadFile(name)
	return bytes.NewReader(data), err
}

// rename tries again for a quarter of a second while a scanner or an editor
// holds one of the files open.
func rename(oldName, newName string) error {
	for try := 0; ; try++ {
		err := os.Rename(oldName, newName)
		busy := errors.Is(err, syscall.ERROR_ACCESS_DENIED) || errors.Is(err, errorSharingViolation) || errors.Is(err, errorLockViolation)
		if !busy || try == 10 {
			return err
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// syncDir does nothing: NTFS journals its directories, and they cannot be
// flushed through an ordinary handle.
func syncDir(string) error { return nil }

func unsupportedLock(error) bool { return false }

// FileID is empty: Windows does not tell a file's index without opening it.
func FileID(fs.FileInfo) string { return "" }

// alive says whether a process of this machine runs.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
