package knowledge

import (
	"path"
	"slices"
	"strings"
)

// RepositoryPath turns a path that an earlier tool stored as an absolute one
// into the repository-relative path with slashes: what stands behind the last
// artifact folder's parent. Other paths are only cleaned of backslashes; a path
// that leads nowhere known is returned as it is.
func RepositoryPath(p string) string {
	slashed := strings.ReplaceAll(p, `\`, "/")
	if !isAbsolute(slashed) {
		return strings.TrimPrefix(slashed, "./")
	}
	at := -1
	for _, folder := range Folders {
		at = max(at, strings.LastIndex(slashed, "/"+folder+"/"))
	}
	if at < 0 {
		return p
	}
	return path.Clean(slashed[at+1:])
}

func isAbsolute(slashed string) bool {
	return strings.HasPrefix(slashed, "/") || (len(slashed) > 2 && slashed[1] == ':' && slashed[2] == '/')
}

// InFolders says whether a path is one of the artifact folders, or lies in one.
func InFolders(path string) bool {
	return slices.ContainsFunc(Folders, func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
}

// Folders are the artifact folders, repository-relative: the only places in
// which markers are looked for.
var Folders = []string{".lessons", ".memory", ".claude", ".agents"}
