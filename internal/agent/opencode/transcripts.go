package opencode

import (
	"io/fs"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// maxSession bounds a stored session's own file, which holds a title and times.
const maxSession = 1 << 20

// Transcripts lists where sessions of a repository are below OpenCode's data
// folder: the files of older versions that describe one session each, whose
// messages lie beside them, and the databases of newer ones, which hold the
// sessions of all repositories.
func Transcripts(home fs.FS, root string) ([]string, error) {
	var files []string
	databases, err := fs.Glob(home, "opencode*.db")
	if err != nil {
		return nil, err
	}
	files = append(files, databases...)
	err = fs.WalkDir(home, "storage/session", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && path.Ext(name) == ".json" && agent.Inside(directoryOf(home, name), root) {
			files = append(files, name)
		}
		return nil // there may be no such folder, and an unreadable one does not hide the others
	})
	return files, err
}

// directoryOf is the working directory of a stored session, empty when its file
// does not tell.
func directoryOf(home fs.FS, name string) string {
	if info, err := fs.Stat(home, name); err != nil || info.Size() > maxSession {
		return ""
	}
	data, err := fs.ReadFile(home, name)
	if err != nil {
		return ""
	}
	o, err := payload.Parse(data)
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(o.Text("directory"), `\`, "/")
}
