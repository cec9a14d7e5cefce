package scan

import (
	"io"
	"time"
)

// File is one session file. Its functions are the only way in which this
// package meets a file system; their errors satisfy errors.Is with the io/fs
// sentinels.
type File struct {
	Path  string // absolute, of the operating system; names the file in the scan state
	Named bool   // somebody asked for this file: when it is no session, they are told
	// Open opens the file for reading and describes what was opened. It must
	// refuse what is not a regular file.
	Open func() (io.ReadSeekCloser, FileInfo, error)
	// Stat describes the file without opening it, so that unchanged files cost
	// one call. It may be nil.
	Stat func() (FileInfo, error)
}

// FileInfo is what tells one state of a file from another.
type FileInfo struct {
	Size    int64     // grows with the session; bytes, where it is a file
	ModTime time.Time // zero: not known, the file is then read to see
	ID      string    // identity on its device, such as the inode number; may be empty
}
