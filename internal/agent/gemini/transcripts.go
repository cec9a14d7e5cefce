package gemini

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Transcripts lists the chats of a repository, sub-agents' included. They lie
// below tmp in a folder per project: a short name that projects.json or the
// folder's own .project_root explains, of older versions the hash of the path.
func Transcripts(home fs.FS, root string) ([]string, error) {
	folders, err := fs.ReadDir(home, "tmp")
	if err != nil {
		return nil, err
	}
	known := projects(home, root)
	var files []string
	for _, folder := range folders {
		dir := "tmp/" + folder.Name()
		if !folder.IsDir() || !known[folder.Name()] && !agent.Inside(rootOf(home, dir), root) {
			continue
		}
		err := fs.WalkDir(home, dir+"/chats", func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && (path.Ext(name) == ".jsonl" || path.Ext(name) == ".json") {
				files = append(files, name)
			}
			return nil // a project without chats, or an unreadable folder, does not hide the others
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// projects are the names of folders that belong to a repository.
func projects(home fs.FS, root string) map[string]bool {
	sum := sha256.Sum256([]byte(root))
	known := map[string]bool{hex.EncodeToString(sum[:]): true}
	data, err := fs.ReadFile(home, "projects.json")
	if err != nil {
		return known
	}
	o, err := payload.Parse(data)
	if err != nil {
		return known
	}
	var names map[string]string
	if json.Unmarshal(o["projects"], &names) != nil {
		return known
	}
	for dir, name := range names {
		if agent.Inside(dir, root) {
			known[name] = true
		}
	}
	return known
}

func rootOf(home fs.FS, dir string) string {
	data, err := fs.ReadFile(home, dir+"/.project_root")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
