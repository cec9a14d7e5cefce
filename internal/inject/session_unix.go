//go:build unix

package inject

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs: the folder belongs to this user, and no other may enter it.
func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}

// safeToBelieve: the file belongs to this user or to root, and nobody else can
// have written it.
func safeToBelieve(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(stat.Uid) == os.Geteuid() || stat.Uid == 0) && info.Mode().Perm()&0o022 == 0
}
