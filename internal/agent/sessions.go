package agent

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// filesBelow lists the files of a folder, and of the folders in it, that are
// wanted. A folder that does not exist has none; one inside it that cannot be
// read does not hide the others.
func filesBelow(home fs.FS, folder string, wanted func(name string) bool) ([]string, error) {
	var files []string
	err := fs.WalkDir(home, folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == folder && !errors.Is(err, fs.ErrNotExist):
			return err
		case err == nil && d.Type().IsRegular() && wanted(name):
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// maxMeta bounds what is read of a session to learn whose it is. Some begin with
// all instructions.
const maxMeta = 1 << 20

// firstObject is the JSON object with which a file begins; nil where it does not
// begin with one.
func firstObject(home fs.FS, name string) payload.Object {
	f, err := home.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var o payload.Object
	if json.NewDecoder(io.LimitReader(f, maxMeta)).Decode(&o) != nil {
		return nil
	}
	return o
}

// Inside says whether a directory is root or lies below it. Both are absolute,
// with slashes.
func Inside(dir, root string) bool {
	return dir != "" && (dir == root || strings.HasPrefix(dir, strings.TrimSuffix(root, "/")+"/"))
}
