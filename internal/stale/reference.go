package stale

import (
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// Kind is what a reference names.
type Kind string

const (
	Path   Kind = "path"   // a file or folder, repository-relative
	Symbol Kind = "symbol" // an identifier of the code
	Target Kind = "target" // a script or target of a manifest: "make bench", "npm run build"
)

// Reference is something of the repository that a text names.
type Reference struct {
	Kind Kind
	Name string // of a target: "Makefile#bench", "package.json#build"
	Line int    // 1-based, within the text
}

var (
	codeSpan   = automata.Lazily("`([^`\n]+)`")
	pathName   = automata.Lazily(`(?:^|[\s("'=\[,])(\.?/?(?:[\w@.+-]+/)+[\w@.+-]*[\w+-]|[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7})(?::\d+(?:-\d+)?|#L\d+)?`)
	symbolName = automata.Lazily(`^[*&]?(?:[A-Za-z_]\w*(?:\.|::|#))?([A-Za-z_]\w*)(?:\(.*\))?$`)
	targetName = automata.Lazily(`\b(make|npm run|pnpm run|yarn run|pnpm|yarn)\s+([A-Za-z][\w:.-]*)`)
)

// References lists what a text names: paths anywhere in it, and identifiers and
// commands between backticks. Whether they exist is for git to say. Where
// something was imported from is no reference: that file may go.
func References(text string) []Reference {
	var found []Reference
	add := func(kind Kind, name string, line int) {
		if !slices.ContainsFunc(found, func(r Reference) bool { return r.Kind == kind && r.Name == name }) {
			found = append(found, Reference{kind, name, line})
		}
	}
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "- **Imported**: ") || strings.HasPrefix(line, "imported: ") {
			continue
		}
		for _, m := range pathName().FindAllStringSubmatch(" "+strings.ReplaceAll(line, "`", " "), -1) {
			if name, ok := clean(m[1]); ok {
				add(Path, name, i+1)
			}
		}
		for _, m := range codeSpan().FindAllStringSubmatch(line, -1) {
			if s := symbolName().FindStringSubmatch(m[1]); s != nil && telling(s[1]) {
				add(Symbol, s[1], i+1)
			}
			for _, t := range targetName().FindAllStringSubmatch(m[1], -1) {
				file := "package.json"
				if t[1] == "make" {
					file = "Makefile"
				}
				add(Target, file+"#"+t[2], i+1)
			}
		}
	}
	return found
}

// clean is a path as git has it, if it can be one of this repository.
func clean(name string) (string, bool) {
	name = strings.TrimRight(strings.TrimPrefix(name, "./"), ".,;:")
	if name == "" || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "../") || strings.Contains(name, "//") || path.Clean(name) != strings.TrimSuffix(name, "/") {
		return "", false
	}
	return strings.TrimSuffix(name, "/"), true
}

// telling says whether an identifier is more than a word of prose or of a
// programming language: long enough, and written as names are.
func telling(name string) bool {
	if len(name) < 4 {
		return false
	}
	upper := strings.IndexFunc(name[1:], func(r rune) bool { return 'A' <= r && r <= 'Z' }) >= 0
	lower := strings.IndexFunc(name, func(r rune) bool { return 'a' <= r && r <= 'z' }) >= 0
	return upper && lower || strings.Contains(strings.Trim(name, "_"), "_")
}
