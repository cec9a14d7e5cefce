package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
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

// maxMeta bounds what is read of a session to learn whose it is.
const maxMeta = 1 << 20

// textIn is a text in the object with which a file begins, by the keys on the way
// to it; empty where there is none. What stands behind it is not read: there may
// be thousands of sessions, and some begin with all instructions.
func textIn(home fs.FS, name string, keys ...string) string {
	f, err := home.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	return textAt(json.NewDecoder(io.LimitReader(f, maxMeta)), keys)
}

func textAt(d *json.Decoder, keys []string) string {
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, err := d.Token()
		var other json.RawMessage
		switch {
		case err != nil:
			return ""
		case key == keys[0] && len(keys) > 1:
			return textAt(d, keys[1:])
		case key == keys[0]:
			value, _ := d.Token() // a file that ends here tells nothing
			text, _ := value.(string)
			return text
		case d.Decode(&other) != nil:
			return ""
		}
	}
	return ""
}

// objectIn is the object in a file; nil where there is none. Lines may be comments: Copilot
// begins its file with some.
func objectIn(home fs.FS, name string) payload.Object {
	data, err := fs.ReadFile(home, name)
	if err != nil {
		return nil
	}
	lines := slices.DeleteFunc(bytes.SplitAfter(data, []byte("\n")), func(line []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) })
	o, _ := payload.Parse(bytes.Join(lines, nil)) // damage is the same as nothing
	return o
}

// hooksOff tells that a file of settings switches all hooks off.
func hooksOff(settings payload.Object, file string) []Obstacle {
	if !settings.Flag("disableAllHooks") {
		return nil
	}
	return []Obstacle{{Text: "disableAllHooks is set in " + file, Next: "take it out"}}
}

// Inside says whether a directory is root or lies below it. Both are absolute,
// with slashes.
func Inside(dir, root string) bool {
	return dir != "" && (dir == root || strings.HasPrefix(dir, strings.TrimSuffix(root, "/")+"/"))
}
