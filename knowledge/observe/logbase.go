package observe

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// logBase is what a [Log] was loaded from. It travels with the log and its
// copies, and tells what a plan changed from what others did meanwhile.
type logBase struct {
	sum uint64   // of the file that is written
	ids []string // of all observations that were found
}

// sums is the seed of the sums of texts, which only this process compares.
var sums = maphash.MakeSeed()

// NoteLoaded notes that the log was loaded from the text that it was read from, as it is now.
func (l *Log) NoteLoaded() { l.base = &logBase{l.sum, l.liveIDs()} }

// LoadedFrom says whether the log was loaded from a file with that content.
func (l *Log) LoadedFrom(data []byte) bool {
	return l.base != nil && l.base.sum == maphash.Bytes(sums, data)
}

// ReadFrom has the log read its lines from a copy of what it was loaded from.
func (l *Log) ReadFrom(data []byte) {
	copied := bytes.NewReader(data)
	for _, line := range l.lines {
		if line.text != nil && line.text == l.text {
			line.text = copied
		}
	}
	l.text = copied
}

// Removed lists the observations that were there when the log was loaded and are
// no longer, not even as part of another one.
func (l *Log) Removed() []string {
	if l.base == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.base.ids), func(id string) bool { return l.line(id) != nil })
}

func (l *Log) liveIDs() []string {
	var ids []string
	for _, line := range l.lines {
		if line.live() {
			ids = append(ids, line.id())
		}
	}
	return ids
}
