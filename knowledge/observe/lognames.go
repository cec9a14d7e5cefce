package observe

import (
	"iter"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// register makes a line findable: by id and aliases, and by what was asked for already.
func (l *Log) register(line *logLine) { l.registerBeyond(line, nil) }

// registerBeyond makes a line findable that was findable as an earlier member, which had
// nothing that it has no more; nil: it was not.
func (l *Log) registerBeyond(line *logLine, was *member) {
	o := line.o()
	if was == nil {
		if was = (&member{Observation: &Observation{}}); l.ids == nil {
			l.ids, l.aliases = map[string]*logLine{}, map[string][]*logLine{}
		}
		l.ids[o.ID] = line
	}
	for alias := range ordered.Beyond(o.Aliases, was.Aliases) {
		note(l.aliases, alias, line)
	}
	if l.keys != nil {
		l.key(line, ordered.Beyond(line.member().keys, was.keys))
	}
	if l.near != nil {
		l.near.meet(line, ordered.Beyond(o.Shapes, was.Shapes))
	}
}

// note adds a line to those of a name. The name is kept when the observation is not.
func note(names map[string][]*logLine, name string, line *logLine) {
	if !slices.Contains(names[name], line) {
		names[strings.Clone(name)] = append(names[name], line)
	}
}

// named returns the lines that have a name of any kind, or had it.
func (l *Log) named(name string) []*logLine {
	found := slices.Concat(l.aliases[name], l.keyed(name))
	if line := l.ids[name]; line != nil {
		found = append(found, line)
	}
	return found
}

// keyed returns the lines that have a content key, or had it.
func (l *Log) keyed(key string) []*logLine {
	if l.keys == nil {
		l.keys = map[string][]*logLine{}
		for line, read := range each(slices.Concat(l.lines, l.later)) {
			l.key(line, slices.Values(read.member().keys))
		}
	}
	return l.keys[key]
}

func (l *Log) key(line *logLine, keys iter.Seq[string]) {
	for key := range keys {
		if l.sought == nil || l.sought.names[key] {
			note(l.keys, key, line)
		}
	}
}

// nearby finds lines by the meeting points of their shapes.
type nearby struct {
	points map[point][]met
	shapes map[*logLine][]string // by which it is found, a set
}

func newNearby() *nearby { return &nearby{map[point][]met{}, map[*logLine][]string{}} }

// point is where shapes meet. What failures showed stands apart there: it is not compared
// with its like.
type point struct {
	hash  uint64
	found bool
}

// met is a shape at one of its meeting points, and the line that had it then.
type met struct {
	line  *logLine
	shape string
}

// meets returns the shapes that have a meeting point with this one, and may be similar.
func (l *Log) meets(shape string) (all []met) {
	if l.near == nil {
		l.near = newNearby()
		for line, read := range each(slices.Concat(l.lines, l.later)) {
			l.near.meet(line, slices.Values(read.obs.Shapes))
		}
	}
	for _, hash := range meetingPoints(shape) {
		all = append(all, l.near.points[point{hash, false}]...)
		if !isFound(shape) {
			all = append(all, l.near.points[point{hash, true}]...)
		}
	}
	return all
}

// meet makes a line findable by those of its shapes by which it is not yet.
func (n *nearby) meet(line *logLine, shapes iter.Seq[string]) {
	for shape := range shapes {
		at, found := slices.BinarySearch(n.shapes[line], shape)
		if found {
			continue
		}
		shape = strings.Clone(shape) // it is kept when the observation is not
		n.shapes[line] = slices.Insert(n.shapes[line], at, shape)
		for _, hash := range meetingPoints(shape) {
			at := point{hash, isFound(shape)}
			n.points[at] = append(n.points[at], met{line, shape})
		}
	}
}
