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
	case path == ManifestPath, strings.HasPrefix(path, ManifestFolder+"/") && strings.HasSuffix(path, ".json"):
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
		return mergeLogFiles(base, ours, theirs, t), nil, nil
	case MergeManifest:
		out, err := mergeManifestFiles(path, ours, theirs)
		return out, nil, err
	}
	return nil, nil, fmt.Errorf("%s: no file that lessons can merge", path)
}

// mergeLogFiles joins two logs. An observation that one side forgot, and that the
// other left as it was, stays forgotten.
func mergeLogFiles(base, ours, theirs []byte, t Thresholds) []byte {
	read := func(data []byte) *Log {
		l, _ := ParseLog(LogPath, data)
		l.Resolve()
		return l
	}
	b, o, other := read(base), read(ours), read(theirs)
	merged := MergeLogs(o, other, t)
	for _, id := range b.ids() {
		in, out := o.Get(id), other.Get(id)
		if (in == nil) != (out == nil) && sameObservation(b.Get(id), in, out) {
			merged.Remove(id)
		}
	}
	return merged.Bytes()
}

// sameObservation says whether the one of two versions that is there says what
// the base says.
func sameObservation(base, a, b *Observation) bool {
	if a == nil {
		a = b
	}
	return bytes.Equal(encodeObservation(base, nil), encodeObservation(a, nil))
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
	merged := &Manifest{}
	for _, m := range sides {
		merged = MergeManifests(merged, m)
	}
	return merged.Bytes(), nil
}
