package migrate

import (
	"fmt"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Patterns of paths become doublestar globs, relative to the repository:
//
//	*.go (fnmatch, no slash)     **/*.go: fnmatch is asked about the base name
//	src/*.go (fnmatch)           src/**/*.go: its star crosses slashes
//	.*/[^/]*\.go (regexp)        **/*.go
//	/home/me/x, ~/x              refused: it lies outside of the repository
//	look-around                  refused: unless is about commands, not about paths
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
// hold both.
func globsOfEither(pattern string) ([]string, error) {
	if looksLikeGlob(pattern) {
		return Glob(pattern)
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

// GlobsOfRegexp turns a regular expression about paths into globs. What stands
// before its first and behind its last part is taken as the path's own ends: such
// expressions are made from globs.
func GlobsOfRegexp(source string) ([]string, error) {
	rest := strings.TrimSuffix(strings.TrimPrefix(source, "^"), "$")
	globs := []string{""}
	add := func(parts ...string) {
		next := lists.Flat(globs, func(glob string) []string { return lists.Map(parts, func(part string) string { return glob + part }) })
		globs = next
	}
	for rest != "" {
		part, n, err := globPart(rest, globs[0] == "" || strings.HasSuffix(globs[0], "/"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		add(part...)
		rest = rest[n:]
	}
	for i, glob := range globs {
		glob = strings.TrimPrefix(glob, "/")
		if strings.HasSuffix(glob, "/") {
			glob += "**"
		}
		switch { // it may begin anywhere: at the name of a folder or file, or within one
		case strings.HasPrefix(glob, "**") || strings.HasPrefix(source, "^") && strings.Contains(glob, "/"):
		case glob != "" && (isLetter(rune(glob[0])) || glob[0] >= '0' && glob[0] <= '9') || strings.HasPrefix(source, "/") || strings.HasPrefix(source, `\/`):
			glob = "**/" + glob
		default:
			glob = "**/*" + strings.TrimLeft(glob, "*")
		}
		if globs[i] = glob; strings.Trim(glob, "*/") == "" {
			return nil, fmt.Errorf("%s: it is about every file", source)
		}
	}
	return checkedGlobs(globs...)
}

// globPart translates what a regular expression begins with, and says how much of
// it that is. start: a part of the path begins here.
func globPart(rest string, start bool) ([]string, int, error) {
	switch {
	case strings.HasPrefix(rest, "(?:^|/)"), strings.HasPrefix(rest, "(^|/)"):
		return []string{"**/"}, strings.IndexByte(rest, ')') + 1, nil
	case strings.HasPrefix(rest, ".*/"):
		if start {
			return []string{"**/"}, 3, nil
		}
		return []string{"*/**/"}, 3, nil
	case rest == ".*", rest == ".+":
		if start {
			return []string{"**"}, 2, nil
		}
		return []string{"*", "*/**"}, 2, nil
	case strings.HasPrefix(rest, ".*"), strings.HasPrefix(rest, ".+"):
		if start {
			return []string{"**/*"}, 2, nil
		}
		return []string{"*", "*/**/*"}, 2, nil
	case strings.HasPrefix(rest, "[^/]*"), strings.HasPrefix(rest, "[^/]+"):
		return []string{"*"}, 5, nil
	case strings.HasPrefix(rest, "[^/]"):
		return []string{"?"}, 4, nil
	case strings.HasPrefix(rest, "("):
		return globChoice(rest)
	}
	if rest[0] == '\\' && len(rest) > 1 && strings.IndexByte(`./-_+()[]{}$^|*?@ `, rest[1]) >= 0 {
		if strings.IndexByte("[]{}*?", rest[1]) >= 0 {
			return []string{rest[:2]}, 2, nil
		}
		return []string{rest[1:2]}, 2, repeated(rest[2:])
	}
	if strings.IndexByte(`\[]{}()*+?|^$`, rest[0]) >= 0 {
		return nil, 0, fmt.Errorf("%q has no counterpart in a glob", rest[:min(len(rest), 8)])
	}
	if rest[0] == '.' {
		return []string{"?"}, 1, repeated(rest[1:])
	}
	return []string{rest[:1]}, 1, repeated(rest[1:])
}

func repeated(rest string) error {
	if rest != "" && strings.IndexByte("*+?{", rest[0]) >= 0 {
		return fmt.Errorf("the repetition %q has no counterpart in a glob", rest[:1])
	}
	return nil
}

// globChoice translates a group of plain alternatives.
func globChoice(rest string) ([]string, int, error) {
	end := strings.IndexByte(rest, ')')
	if end < 0 {
		return nil, 0, fmt.Errorf("a parenthesis is missing")
	}
	inner := strings.TrimPrefix(rest[1:end], "?:")
	if strings.HasPrefix(inner, "?") {
		return nil, 0, fmt.Errorf("look-around has no counterpart in a glob")
	}
	var words []string
	for word := range strings.SplitSeq(inner, "|") {
		word = strings.NewReplacer(`\.`, ".", `\-`, "-", `\/`, "/", "[^/]*", "*").Replace(word)
		if strings.ContainsAny(word, `\[](){}+?^$`) {
			return nil, 0, fmt.Errorf("%q has no counterpart in a glob", rest[:end+1])
		}
		words = append(words, word)
	}
	if end+1 < len(rest) && rest[end+1] == '?' {
		return append(words, ""), end + 2, nil
	}
	return words, end + 1, repeated(rest[end+1:])
}
