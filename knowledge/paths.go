package knowledge

import (
	"path"
	"slices"
	"strconv"
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

// Place names an artifact: its path, and behind it the anchor of an entry.
func Place(path, anchor string) string { return strings.TrimSuffix(path+"#"+anchor, "#") }

// CutPlace is the path and the anchor of a place.
func CutPlace(place string) (path, anchor string) {
	path, anchor, _ = strings.Cut(place, "#")
	return path, anchor
}

// Where names a line of a file; line 0 is the whole file.
func Where(path string, line int) string {
	if line == 0 {
		return path
	}
	return path + ":" + strconv.Itoa(line)
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
