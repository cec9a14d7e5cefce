package observe

import (
	"bytes"
	"slices"
)

// logBase is what a [Log] was loaded from. It travels with the log and its
// copies, and tells what a plan changed from what others did meanwhile.
type logBase struct {
	data []byte   // of the file that is written
	ids  []string // of all observations that were found
}

// NoteLoaded notes that the log was loaded from a file, as it is now.
func (l *Log) NoteLoaded(data []byte) { l.base = &logBase{data, l.ids()} }

// LoadedFrom says whether the log was loaded from a file with that content.
func (l *Log) LoadedFrom(data []byte) bool { return l.base != nil && bytes.Equal(l.base.data, data) }

// Removed lists the observations that were there when the log was loaded and are
// no longer, not even as part of another one.
func (l *Log) Removed() []string {
	if l.base == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.base.ids), func(id string) bool { return l.line(id) != nil })
}

func (l *Log) ids() []string {
	var ids []string
	for _, line := range l.lines {
		if line.live() {
			ids = append(ids, line.id())
		}
	}
	return ids
}
