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
		note(l.keys, key, line)
	}
}

// nearby finds lines by the meeting points of their shapes.
type nearby struct {
	points map[uint64][]met
	shapes map[*logLine][]string // by which it is found, a set
}

// met is a shape at one of its meeting points, and the line that had it then.
type met struct {
	line  *logLine
	shape string
}

// at returns the shapes of a meeting point.
func (l *Log) at(point uint64) []met {
	if l.near == nil {
		l.near = &nearby{map[uint64][]met{}, map[*logLine][]string{}}
		for line, read := range each(slices.Concat(l.lines, l.later)) {
			l.near.meet(line, read.obs.Shapes)
		}
	}
	return l.near.points[point]
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
		for _, point := range meetingPoints(shape) {
			n.points[point] = append(n.points[point], met{line, shape})
		}
	}
}
