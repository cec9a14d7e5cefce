package knowledge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Merge attributes by which .gitattributes names the merge drivers (rulings 32).
const (
	MergeLog      = "lessons-log"
	MergeManifest = "lessons-manifest"
	MergeBook     = "lessons-book"
)

// Attributes are the lines of .gitattributes that hand the files of a knowledge
// folder to the merge driver.
func Attributes() []string {
	return []string{
		"/" + LogPath + " merge=" + MergeLog,
		"/" + ManifestPath + " merge=" + MergeManifest,
		"/" + ManifestFolder + "/*.json merge=" + MergeManifest,
		"/.memory/knowledge/**/*.md merge=" + MergeBook,
	}
}

// MergeDriver names the driver of a path, or nothing when git's own merge does.
func MergeDriver(path string) string {
	switch {
	case path == LogPath:
		return MergeLog
	case IsManifest(path):
		return MergeManifest
	case slices.Contains(BookPaths(), path), entryFile(path) && strings.HasSuffix(path, ".md"):
		return MergeBook
	}
	return ""
}

// MergeFile merges three versions of a knowledge file, whichever it is. Problems
// are what a person has to decide. An error means that a side cannot be read;
// it names the file and the line, and nothing is merged.
func MergeFile(path string, base, ours, theirs []byte, t Thresholds) ([]byte, []Problem, error) {
	switch MergeDriver(path) {
	case MergeBook:
		out, problems := MergeBooks(path, base, ours, theirs)
		return out, problems, nil
	case MergeLog:
		return MergeLogFiles(base, ours, theirs, t), nil, nil
	case MergeManifest:
		out, err := mergeManifestFiles(path, ours, theirs)
		return out, nil, err
	}
	return nil, nil, fmt.Errorf("%s: no file that lessons can merge", path)
}

func mergeManifestFiles(path string, ours, theirs []byte) ([]byte, error) {
	var sides []*Manifest
	for _, data := range [][]byte{ours, theirs} {
		versions, conflicted := splitConflicts(data)
		parts := [][]byte{data}
		if conflicted {
			parts = [][]byte{versions.ours, versions.theirs}
		}
		for _, part := range parts {
			if len(bytes.TrimSpace(part)) == 0 {
				continue
			}
			m, err := ParseManifest(path, part)
			if err != nil {
				return nil, err
			}
			sides = append(sides, m)
		}
	}
	return MergeManifests(sides...).Bytes(), nil
}
