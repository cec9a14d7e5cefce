package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
)

// sizeOf counts the bytes of an export while it is written.
type sizeOf int64

// during counts what write writes. Each call counts anew: an export is written once to
// compare it with the file that is there, and once to replace that file.
func (n *sizeOf) during(write func(io.Writer) error) func(io.Writer) error {
	return func(to io.Writer) error {
		*n = 0
		return write(io.MultiWriter(to, n))
	}
}

func (n *sizeOf) Write(p []byte) (int, error) {
	*n += sizeOf(len(p))
	return len(p), nil
}

// tooLarge warns of an export that lessons itself would refuse to import.
func (n *sizeOf) tooLarge(name string) []knowledge.Problem {
	if *n <= project.MaxImport {
		return nil
	}
	return []knowledge.Problem{{Path: cmp.Or(name, "the export"), Rule: "export", Text: fmt.Sprintf(
		"it has %d MB, and lessons import takes %d MB at most; to move lessons and entries, commit them and use git; observations stay in this clone",
		int64(*n)>>20, project.MaxImport>>20)}}
}
