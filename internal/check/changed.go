package check

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Changed is a lesson or an entry that a change adds, rewords or removes.
type Changed struct {
	Path        string
	Lesson, Was *lesson.Lesson // nil: it is none, or was not there, or is not there any more
	Entry       *artifact.Artifact
	New         bool
	History     History
}

// History is what the call log of a clone says of a changed lesson.
type History struct {
	Calls   int      `json:"-"`                 // in the log
	Verdict string   `json:"history,omitempty"` // what history makes of the lesson
	Right   []string `json:"wouldStopRightly,omitempty"`
	Wrong   []string `json:"wouldStopWrongly,omitempty"`
	Lost    []string `json:"-"` // calls that failed, which the lesson matched before and does not any more
}

// ChangedIn are the lessons and entries that a change touches, by their files.
func ChangedIn(in Input) []Changed {
	var all []Changed
	for _, a := range in.Added {
		switch kind := entryKind(a.Path); {
		case isLesson(a):
			if c := changedLesson(a); c.Lesson != nil || c.Was != nil && !moved(in, c.Was) {
				all = append(all, c)
			}
		case kind != "":
			all = append(all, changedEntries(kind, a)...)
		}
	}
	return all
}

func isLesson(a Added) bool {
	return strings.HasPrefix(a.Path, ".lessons/") && strings.Count(a.Path, "/") == 1 && strings.HasSuffix(a.Path, ".md") && a.Path != ".lessons/README.md"
}

// moved says whether a lesson of a file that is gone stands in another one.
func moved(in Input, was *lesson.Lesson) bool {
	return slices.ContainsFunc(in.Snapshot.Lessons, func(l *lesson.Lesson) bool { return l.ID == was.ID })
}

func changedLesson(a Added) Changed {
	parse := func(text []byte) *lesson.Lesson {
		l, err := lesson.Parse(a.Path, text)
		if text == nil || err != nil {
			return nil
		}
		return l
	}
	return Changed{Path: a.Path, Lesson: parse(a.Text), Was: parse(a.Before), New: a.Before == nil}
}

func entryKind(path string) knowledge.Kind {
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		if path == entry.BookPath(kind) || strings.HasPrefix(path, entry.Dir(kind)+"/") {
			return kind
		}
	}
	return ""
}

// changedEntries are the entries of a file that it did not have, or not in these words.
func changedEntries(kind knowledge.Kind, a Added) []Changed {
	before := artifact.In(kind, a.Path, a.Before)
	var all []Changed
	for _, e := range artifact.In(kind, a.Path, a.Text) {
		same := func(was artifact.Artifact) bool {
			return was.Anchor == e.Anchor || e.Source != "" && was.Source == e.Source
		}
		at := slices.IndexFunc(before, same)
		if at < 0 || !bytes.Equal(before[at].Text, e.Text) {
			all = append(all, Changed{Path: a.Path, Entry: &e, New: at < 0})
		}
	}
	return all
}
