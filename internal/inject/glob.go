package inject

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// hasMeta says whether a glob or a part of one has wildcards.
func hasMeta(s string) bool { return strings.ContainsAny(s, `*?[{\`) }

// asDoublestar writes a glob for package doublestar: braces are characters, since
// compiling a lesson has expanded those that list alternatives, and a bracket that
// stands first in a set is one of its characters.
var asDoublestar = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, "{", `\{`, "[]", `[\]`, "[!]", `[!\]`, "[^]", `[^\]`)

// Glob says whether a slash-separated name matches a doublestar pattern. A
// pattern with an error in it, such as a set without its end, matches itself.
func Glob(pattern, name string) bool {
	ok, err := doublestar.Match(asDoublestar.Replace(pattern), name)
	return ok || err != nil && pattern == name
}

// acrossFolders is for globs whose star crosses slashes: pattern and name go
// through it.
var acrossFolders = strings.NewReplacer("/", "\x00")
