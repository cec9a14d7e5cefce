package instructions

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Kind is one kind of file in which people tell agents what to do.
type Kind struct {
	Name   string // as people say it
	Places []string
	// Scopes are the keys of front matter that hold the globs of files for which it
	// holds; without any, it holds for the folder in which it lies.
	Scopes []string
}

// Kinds are all of them. Places are globs of paths relative to a repository.
var Kinds = []Kind{
	{Name: "AGENTS.md", Places: []string{"**/AGENTS.md", "**/AGENTS.override.md"}},
	{Name: "CLAUDE.md", Places: []string{"**/CLAUDE.md", "**/CLAUDE.local.md"}},
	{Name: "GEMINI.md", Places: []string{"**/GEMINI.md"}},
	{Name: "Claude Code rules", Places: []string{".claude/rules/**/*.md"}, Scopes: []string{"paths", "globs"}},
	{Name: "Cursor rules", Places: []string{"**/.cursor/rules/**/*.mdc", "**/.cursor/rules/**/*.md", "**/.cursorrules"}, Scopes: []string{"globs"}},
	{Name: "Windsurf rules", Places: []string{"**/.windsurfrules", ".windsurf/rules/**/*.md"}, Scopes: []string{"globs"}},
	{Name: "Cline rules", Places: []string{".clinerules", ".clinerules/*.md"}, Scopes: []string{"paths", "globs"}},
	{Name: "Copilot instructions", Places: []string{".github/copilot-instructions.md", ".github/instructions/**/*.instructions.md"}, Scopes: []string{"applyTo"}},
}

// KindOf returns the kind of a file by its path in the repository.
func KindOf(name string) (Kind, bool) {
	for _, k := range Kinds {
		for _, place := range k.Places {
			if doublestar.MatchUnvalidated(place, name) {
				return k, true
			}
		}
	}
	return Kind{}, false
}

// FolderOf is the folder for whose files an instruction file holds: "" is the repository.
// A folder of an agent's own stands for the one that it lies in.
func FolderOf(name string) string {
	dir, _, _ := strings.Cut("/"+path.Dir(name)+"/", "/.")
	return strings.Trim(dir, "/")
}
