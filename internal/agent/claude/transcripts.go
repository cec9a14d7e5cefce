package claude

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// maxName is the length up to which a project folder's name holds the whole
// path; longer ones end in a hash that differs between versions.
const maxName = 200

// ProjectFolder is the name of the folder in which sessions of a working
// directory are kept. cwd must be the physical path. Of a path that is too long
// only the part that every version agrees on is returned, and whole is false.
func ProjectFolder(cwd string) (name string, whole bool) {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		default:
			return '-'
		}
	}, cwd)
	if len(name) > maxName {
		return name[:maxName], false
	}
	return name, true
}

// Transcripts lists the session files of a repository, sub-agents' included:
// those of the folders that belong to root or to a directory below it. config is
// Claude Code's folder (~/.claude). Folder names are lossy, so a reader must
// still look at the cwd inside the lines.
func Transcripts(config fs.FS, root string) ([]string, error) {
	prefix, whole := ProjectFolder(root)
	folders, err := fs.ReadDir(config, "projects")
	if err != nil {
		return nil, err
	}
	var files []string
	for _, folder := range folders {
		name := folder.Name()
		ours := name == prefix || strings.HasPrefix(name, prefix+"-") || (!whole && strings.HasPrefix(name, prefix))
		if !ours || !folder.IsDir() {
			continue
		}
		err := fs.WalkDir(config, "projects/"+name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".jsonl" {
				files = append(files, path)
			}
			return nil // an unreadable folder does not hide the others
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
