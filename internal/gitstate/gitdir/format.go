package gitdir

import (
	"fmt"
	"strings"
)

// format is what a repository's configuration says of its storage.
type format struct {
	unsupported string // what cannot be read in process; empty: nothing
	perWorktree bool   // extensions.worktreeConfig
}

// formatOf judges core.repositoryFormatVersion and the extensions by the rules
// of git's technical document "repository-version": a reader must know every
// extension that it meets.
func formatOf(settings []setting) format {
	var f format
	version := "0"
	for _, s := range settings {
		switch {
		case s.section == "core" && s.sub == "" && s.key == "repositoryformatversion":
			version = s.value
		case s.section == "extensions" && s.sub == "":
			f.extension(s)
		}
	}
	if version != "0" && version != "1" {
		f.unsupported = "repository format version " + version
	}
	return f
}

func (f *format) extension(s setting) {
	value := strings.ToLower(s.value)
	switch s.key {
	case "noop", "noop-v1", "partialclone", "preciousobjects", "relativeworktrees":
		return
	case "worktreeconfig":
		f.perWorktree = s.truth()
		return
	case "objectformat":
		if value == "sha1" {
			return
		}
	case "refstorage":
		if value == "files" {
			return
		}
	}
	f.unsupported = fmt.Sprintf("extensions.%s = %s", s.key, s.value)
}
