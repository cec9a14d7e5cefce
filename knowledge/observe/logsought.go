package observe

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
)

// sought is all that the observations of a small log can meet in a large one. Only that is
// kept in mind while they are joined; nil seeks everything.
type sought struct {
	names  map[string]bool
	points map[uint64]bool
}

// smallPart is which part of a log another one may be at most to be sought by itself.
const smallPart = 8

// small says whether it pays to look for the observations of another log alone.
func (l *Log) small(other *Log) bool {
	return l.keys == nil && l.near == nil && len(other.lines) <= len(l.lines)/smallPart
}

// seek has a log in which nobody looked yet look for what the observations of another one
// can meet, and for nothing else, until the returned function is called.
func (l *Log) seek(other *Log) (done func()) {
	l.sought = &sought{map[string]bool{}, map[uint64]bool{}}
	for _, line := range each(other.lines) {
		for name := range line.member().names {
			l.sought.names[name] = true
		}
		for _, shape := range line.obs.Shapes {
			for _, hash := range meetingPoints(shape) {
				l.sought.points[hash] = true
			}
		}
	}
	l.keys, l.near = map[string][]*logLine{}, newNearby()
	for line, read := range each(slices.Concat(l.lines, l.later)) { // both in one walk
		l.key(line, slices.Values(read.member().keys))
		l.near.meet(line, slices.Values(l.sought.met(read.obs.Shapes)))
	}
	return func() { l.keys, l.near, l.sought = nil, nil, nil }
}

// Expect has the log look for what some signals can meet, and for nothing else, until the
// returned function is called. Where they are not few beside the log, nothing changes.
func (l *Log) Expect(signals []Signal) (done func()) {
	few := &Log{}
	for _, s := range signals {
		line := &logLine{}
		line.is(observed(s))
		few.lines = append(few.lines, line)
	}
	if !l.small(few) {
		return func() {}
	}
	return l.seek(few)
}

// met are the shapes that something sought may be near to.
func (s *sought) met(shapes []string) []string {
	if s == nil {
		return shapes
	}
	return lists.Filter(shapes, func(shape string) bool {
		return slices.ContainsFunc(meetingPoints(shape), func(hash uint64) bool { return s.points[hash] })
	})
}
