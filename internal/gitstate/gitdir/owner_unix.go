//go:build unix

package gitdir

import (
	"os"
	"syscall"
)

// ownedHere says whether all of the places (empty ones aside) belong to the
// current user and lie on one file system: then git finds nothing to object to
// (safe.directory) and does not stop on its way up.
func ownedHere(places ...string) bool {
	device, uid := uint64(0), uint32(os.Geteuid())
	for i, place := range places {
		if place == "" {
			continue
		}
		info, err := os.Lstat(place)
		if err != nil {
			return false
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok || (i > 0 && stat.Uid != uid) {
			return false
		}
		if i > 1 {
			continue // the git directory may lie elsewhere
		}
		if i == 1 && uint64(stat.Dev) != device {
			return false
		}
		device = uint64(stat.Dev)
	}
	return true
}
