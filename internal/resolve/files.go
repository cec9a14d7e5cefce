package resolve

import (
	"bytes"
	"errors"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// File is a knowledge file as a merge left it.
type File struct {
	Path string
	Text []byte // in the work tree; nil: not there
	// The versions that git could not merge, from the index; Unmerged says that
	// they are there. A side that removed the file is nil.
	Unmerged           bool
	Base, Ours, Theirs []byte
}

// Files plans the repair of knowledge files: versions that git left apart are
// merged, markers of conflicts and entries that stand twice go. Files that are
// whole are not touched. Problems are what only a person can settle.
func Files(files []File) ([]store.Change, []knowledge.Problem) {
	var changes []store.Change
	var problems []knowledge.Problem
	for _, f := range files {
		if f.Unmerged && f.Base != nil && (f.Ours == nil) != (f.Theirs == nil) { // one side removed it
			problems = append(problems, knowledge.Problem{Path: f.Path, Rule: "unresolved-merge", Text: "one side removed it and the other changed it: keep it with git add, or let it go with git rm"})
			continue
		}
		if f.Text == nil {
			continue
		}
		after, found, err := f.repaired()
		if err != nil {
			problems = append(problems, problemOf(f.Path, err))
			continue
		}
		problems = append(problems, found...)
		if after != nil && !bytes.Equal(after, f.Text) {
			changes = append(changes, store.Change{Path: f.Path, Before: f.Text, After: after})
		}
	}
	return changes, problems
}

// repaired merges the file anew. What a person settled already, with no marker
// left, stands.
func (f File) repaired() ([]byte, []knowledge.Problem, error) {
	marked := bytes.Contains(f.Text, []byte("<<<<<<< "))
	switch {
	case f.Unmerged && f.Ours != nil && f.Theirs != nil && (marked || bytes.Equal(f.Text, f.Ours)):
		return merge.File(f.Path, f.Base, f.Ours, f.Theirs)
	case marked, merge.Driver(f.Path) == merge.Book && standsTwice(f.Path, f.Text):
		return merge.File(f.Path, nil, f.Text, f.Text)
	}
	return nil, nil, nil
}

// standsTwice says whether a merge left two sections of one entry.
func standsTwice(path string, text []byte) bool {
	book, _ := entry.ParseBook(path, text)
	return len(lists.Set(entry.Keys(book.Entries))) < len(book.Entries)
}

func problemOf(path string, err error) knowledge.Problem {
	p := knowledge.Problem{Path: path, Rule: "unresolved-merge", Text: err.Error()}
	if at, ok := errors.AsType[*manifest.Error](err); ok {
		p.Line = at.Line
	}
	return p
}
