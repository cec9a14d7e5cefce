// merge Package merge merges versions of the files of a knowledge folder, for git.
package merge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Merge attributes by which .gitattributes names the merge drivers.
const (
	Log      = "lessons-log"
	Manifest = "lessons-manifest"
	Book     = "lessons-book"
	Lesson   = "lessons-lesson"
)

// Attributes are the lines of .gitattributes that hand the files of a knowledge
// folder to the merge driver.
func Attributes() []string {
	return []string{
		"/" + observe.LogPath + " merge=" + Log,
		"/" + manifest.Path + " merge=" + Manifest,
		"/" + manifest.Folder + "/*.json merge=" + Manifest,
		"/.memory/knowledge/**/*.md merge=" + Book,
		"/.lessons/*.md merge=" + Lesson,
	}
}

// Driver names the driver of a path, or nothing when git's own merge does.
func Driver(path string) string {
	switch {
	case path == observe.LogPath:
		return Log
	case manifest.IsFile(path):
		return Manifest
	case slices.Contains(entry.BookPaths(), path), entry.IsFile(path) && strings.HasSuffix(path, ".md"):
		return Book
	case strings.HasPrefix(path, ".lessons/") && strings.Count(path, "/") == 1 && strings.HasSuffix(path, ".md"):
		return Lesson
	}
	return ""
}

// File merges three versions of a knowledge file, whichever it is. Problems
// are what a person has to decide. An error means that a side cannot be read;
// it names the file and the line, and nothing is merged.
func File(path string, base, ours, theirs []byte) ([]byte, []knowledge.Problem, error) {
	switch Driver(path) {
	case Book:
		out, problems := entry.MergeBooks(path, base, ours, theirs)
		return out, problems, nil
	case Lesson:
		out, err := lesson.Merge(path, base, ours, theirs)
		return out, nil, err
	case Manifest:
		out, err := mergeManifests(path, ours, theirs)
		return out, nil, err
	}
	return nil, nil, fmt.Errorf("%s: no file that lessons can merge", path)
}

// Until runs a merge, and returns the context's error as soon as that ends: what goes on
// then changes nothing, and whoever broke it off waits for nothing.
func Until(ctx context.Context, plan func()) error {
	planned := make(chan struct{})
	go func() {
		defer close(planned)
		plan()
	}()
	select {
	case <-planned:
	case <-ctx.Done():
	}
	return ctx.Err()
}

func mergeManifests(path string, ours, theirs []byte) ([]byte, error) {
	var sides []*manifest.Manifest
	for _, data := range [][]byte{ours, theirs} {
		versions, conflicted := textfile.SplitConflicts(data)
		parts := [][]byte{data}
		if conflicted {
			parts = [][]byte{versions.Ours, versions.Theirs}
		}
		for _, part := range parts {
			if len(bytes.TrimSpace(part)) == 0 {
				continue
			}
			m, err := manifest.Parse(path, part)
			if err != nil {
				return nil, err
			}
			sides = append(sides, m)
		}
	}
	return manifest.Merge(sides...).Bytes(), nil
}
