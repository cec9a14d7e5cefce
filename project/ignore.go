package project

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// The block that init keeps in .gitignore.
const (
	ignoreBegin = "# >>> lessons"
	ignoreEnd   = "# <<< lessons"
)

// Shown are paths that git must not ignore: with an ignore rule over them
// knowledge would never reach a commit. One path stands for each folder.
var Shown = map[string]string{
	".lessons/example-0000.md":          "/.lessons/",
	".memory/knowledge/decisions.md":    "/.memory/",
	".memory/.learning-manifest.json":   "/.memory/",
	".memory/manifest/obs_example.json": "/.memory/",
}

// addIgnoreBlock puts lessons' block at the end of an ignore file, where its
// rules win, or replaces the one that is there.
func addIgnoreBlock(before []byte, unhide []string) []byte {
	eol := "\n"
	if bytes.Contains(before, []byte("\r\n")) {
		eol = "\r\n"
	}
	lines := []string{ignoreBegin, ".lessons-tmp-*"}
	for _, dir := range unhide {
		lines = append(lines, "!"+dir, "!"+dir+"**")
	}
	lines = append(lines, ignoreEnd, "")
	block := strings.Join(lines, eol)
	start, end, ok := ignoreBlock(before)
	if ok {
		if len(unhide) == 0 {
			return before
		}
		return slices.Concat(before[:start], []byte(block), before[end:])
	}
	out := slices.Clone(before)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, eol...)
	}
	return append(out, block...)
}

func removeIgnoreBlock(before []byte) []byte {
	start, end, ok := ignoreBlock(before)
	if !ok {
		return before
	}
	return slices.Concat(before[:start], before[end:])
}

// ignoreBlock is the byte range of lessons' block, line ends included.
func ignoreBlock(text []byte) (start, end int, ok bool) {
	at, begin := 0, -1
	for line := range bytes.Lines(text) {
		switch strings.TrimSpace(string(line)) {
		case ignoreBegin:
			begin = at
		case ignoreEnd:
			if begin >= 0 {
				return begin, at + len(line), true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
