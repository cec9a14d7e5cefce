package fsx

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed is when a file's content or attributes changed last, by the clock of
// the system: unlike the modification time nobody can set it. It is zero where
// that is not known.
func Changed(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(int64(stat.Ctim.Sec), int64(stat.Ctim.Nsec))
	}
	return time.Time{}
}
