package inject

import (
	"io/fs"
	"path/filepath"
)

// StampOf identifies the lessons that a hook asks for: those of a work tree with
// its settings, and the folder of the person's own.
func StampOf(lstat func(string) (fs.FileInfo, error), root, userFolder string) uint64 {
	var infos []fs.FileInfo
	for _, name := range []string{filepath.Join(root, ".lessons"), filepath.Join(root, ".lessons", "config.json"), userFolder} {
		info, err := lstat(name)
		if err != nil {
			info = nil
		}
		infos = append(infos, info)
	}
	return Stamp(infos...)
}

// Stamp identifies the state of the lessons' folder and of further files by
// their modification times, cheaply enough for every tool call. The folder's
// time changes when a lesson is added, removed or replaced by a rename; an edit
// in place is seen by the [Fingerprint] only. A nil info stands for a file that
// is not there.
func Stamp(infos ...fs.FileInfo) uint64 {
	h := uint64(14695981039346656037)
	mix := func(n uint64) {
		for range 8 {
			h = (h ^ n&0xff) * 1099511628211
			n >>= 8
		}
	}
	for _, info := range infos {
		if info == nil {
			mix(0)
			continue
		}
		mix(uint64(info.ModTime().UnixNano()))
		mix(uint64(info.Mode()))
		if !info.IsDir() {
			mix(uint64(info.Size()))
		}
	}
	return h
}
