package project

import (
	"maps"
	"slices"
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
	if _, _, ok := ownBlock(before); ok && len(unhide) == 0 {
		return before
	}
	lines := []string{".lessons-tmp-*"}
	for _, dir := range unhide {
		lines = append(lines, "!"+dir, "!"+dir+"**")
	}
	return putBlock(before, lines)
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
