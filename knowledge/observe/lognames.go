package observe

import (
	"slices"
	"strings"
)

// register makes a line findable: by id and aliases, and by what was asked for already.
func (l *Log) register(line *logLine) {
	if l.ids == nil {
		l.ids = map[string]*logLine{}
	}
	o := line.o()
	l.ids[o.ID] = line
	for _, alias := range o.Aliases {
		if l.aliases == nil {
			l.aliases = map[string][]*logLine{}
		}
		note(l.aliases, alias, line)
	}
	if l.keys != nil {
		l.key(line, line.member())
	}
	if l.near != nil {
		l.near.meet(line, o.Shapes)
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
			l.key(line, read.member())
		}
	}
	return l.keys[key]
}

func (l *Log) key(line *logLine, m *member) {
	for _, key := range m.keys {
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
			l.near.meet(line, read.obs.Shapes)
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
func (n *nearby) meet(line *logLine, shapes []string) {
	for _, shape := range shapes {
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
