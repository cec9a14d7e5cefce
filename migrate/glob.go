package migrate

import (
	"fmt"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Patterns of paths become doublestar globs, relative to the repository:
//
//	*.go (fnmatch, no slash)     **/*.go: fnmatch is asked about the base name
//	src/*.go (fnmatch)           src/**/*.go: its star crosses slashes
//	\.(ts|tsx)$ (regexp)         **/*.ts, **/*.tsx; only an ending, a name or a folder
//	/home/me/x, ~/x              refused: it lies outside of the repository
//	flag i                       letters as they are written; globs heed case

// GlobOfFnmatch turns a pattern of Python's fnmatch, whose star crosses slashes,
// into globs.
func GlobOfFnmatch(pattern string) ([]string, error) {
	pattern = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(pattern), `\`, "/"), "./")
	if err := insideRepository(pattern); err != nil {
		return nil, err
	}
	pattern = strings.ReplaceAll(pattern, "[!", "[^")
	if !strings.Contains(pattern, "/") {
		return checkedGlobs("**/" + pattern)
	}
	parts := strings.Split(pattern, "/")
	var out []string
	for i, part := range parts {
		switch {
		case part == "**" || part == "*" && i+1 < len(parts):
			part = "**"
		case strings.HasPrefix(part, "*") && (i == 0 || parts[i-1] != "**"):
			out = append(out, "**")
		}
		out = append(out, part)
	}
	return checkedGlobs(strings.Join(out, "/"))
}

// Glob takes a glob as it is, as far as one repository has such paths.
func Glob(glob string) ([]string, error) {
	glob = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(glob), `\`, "/"), "./")
	if err := insideRepository(glob); err != nil {
		return nil, err
	}
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	return checkedGlobs(glob)
}

func insideRepository(pattern string) error {
	if pattern == "" || strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "~") || strings.HasPrefix(pattern, "../") {
		return fmt.Errorf("%q names no place in the repository", pattern)
	}
	return nil
}

func checkedGlobs(globs ...string) ([]string, error) {
	for _, glob := range globs {
		if _, problems := compile.Trigger(&lesson.Trigger{Paths: []string{glob}}); len(problems) > 0 {
			return nil, fmt.Errorf("%s", problems[0].Text)
		}
	}
	return globs, nil
}

// globsOfEither turns a glob or a regular expression into globs, of lists that
// hold both. The expressions there are made from globs: they end where a path does.
func globsOfEither(pattern string) ([]string, error) {
	if looksLikeGlob(pattern) {
		return Glob(pattern)
	}
	if !strings.HasSuffix(pattern, "/") && !strings.HasSuffix(pattern, "*") {
		pattern = strings.TrimSuffix(pattern, "$") + "$"
	}
	return GlobsOfRegexp(pattern)
}

// looksLikeGlob says whether a pattern is a glob and no regular expression.
func looksLikeGlob(pattern string) bool {
	if strings.ContainsAny(pattern, `\^$()|+`) || strings.Contains(pattern, ".*") || strings.Contains(pattern, "[^") {
		return false
	}
	return strings.ContainsAny(pattern, "*?{") || path.Ext(pattern) != "" || strings.Contains(pattern, "/")
}

// pathExpression are the regular expressions of paths that people write: where it begins, a
// literal name or folder, what it ends in, and whether more may follow.
var pathExpression = automata.Lazily(`^(\^|/|\.\*/|\((?:\?:)?\^\|/\)|\.\*|\.\*/\[\^/\]\*)?((?:[\w/-]|\\[./-])+?)(?:(\w)\?|\((?:\?:)?([\w|]+)\))?(\.\*|\$)?$`)

// GlobsOfRegexp turns a regular expression that is looked for in a path into globs: one of
// an ending (\.tsx?$, \.(js|ts)$), or of a name or folder (/\.env$, ^docs/). Others have no
// counterpart.
func GlobsOfRegexp(source string) ([]string, error) {
	m := pathExpression().FindStringSubmatch(source)
	if m == nil {
		return nil, fmt.Errorf("%s: only an ending, a name or a folder has a counterpart in a glob", source)
	}
	name, endings, more := strings.ReplaceAll(m[2], `\`, ""), strings.Split(m[4], "|"), m[5] != "$"
	if m[3] != "" {
		endings = []string{m[3], ""}
	}
	switch m[1] {
	case "^":
	case "", ".*", `.*/[^/]*`:
		name = "**/*" + name
	default:
		name = "**/" + name
	}
	return checkedGlobs(lists.Flat(endings, func(ending string) []string {
		switch glob := name + ending; {
		case more && strings.HasSuffix(glob, "/"):
			return []string{glob + "**"}
		case more:
			return []string{glob + "*", glob + "*/**"}
		default:
			return []string{glob}
		}
	})...)
}
