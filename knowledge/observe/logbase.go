package observe

import (
	"hash/maphash"
	"io"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
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
// What joining made to find observations by goes: it is as large as the log, and few who
// load a log ask for it.
func (l *Log) NoteLoaded() {
	l.base = &logBase{l.sum, lists.Map(lists.Filter(l.lines, (*logLine).live), (*logLine).id)}
	l.keys, l.near = nil, nil
}

// LoadedFrom says whether the log was loaded from a file with that content.
func (l *Log) LoadedFrom(text io.ReaderAt, size int64) bool {
	return l.base != nil && l.base.sum == Text{text, size}.Sum()
}

// Sum tells a text from others, in this process.
func (t Text) Sum() uint64 {
	var sum maphash.Hash
	sum.SetSeed(sums)
	if t.Size > 0 {
		_, _ = io.CopyBuffer(&sum, struct{ io.Reader }{io.NewSectionReader(t, 0, t.Size)}, make([]byte, windowSize))
	}
	return sum.Sum64()
}

// Removed lists the observations that were there when the log was loaded and are
// no longer, not even as part of another one.
func (l *Log) Removed() []string {
	if l.base == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.base.ids), func(id string) bool { return l.line(id) != nil })
}
