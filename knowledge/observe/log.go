package observe

import (
	"bytes"
	"hash/maphash"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// Log is the observation log: one JSON object a line. A line that is not changed is
// written back byte for byte, whatever it holds; a changed one keeps its unknown fields,
// behind the known ones. The zero value is an empty log.
//
// Of each line of a large text the log knows the id and where it stands; it reads the rest
// again whenever somebody asks, so that a log takes a fraction of its size in memory.
//
// Observations that go in and come out are copies: a change reaches the log
// through [Log.Put], [Log.Add], [Log.Join] and [Log.Remove] alone.
type Log struct {
	mark    []byte // a byte order mark, when the file starts with one
	lines   []*logLine
	twins   map[*logLine][]*logLine // later lines of the same id, left by a merge
	ids     map[string]*logLine     // these three may hold former names
	aliases map[string][]*logLine
	keys    map[string][]*logLine // by content key; nil until somebody asks
	near    *nearby               // by the meeting points of shapes; nil until somebody asks
	sought  *sought               // what these two are asked for, while a small log is joined
	text    io.ReaderAt           // that it was read from
	sum     uint64                // of the text
	base    *logBase              // what a store loaded it from

	many  bool       // many observations are being joined: lines are put in their places at the end
	later []*logLine // lines that wait for that
}

// Len is how many lines the log has, about: those that nobody can read count too.
func (l *Log) Len() int { return len(l.lines) + len(l.later) }

// ParseLog is [ReadLog] of a text in memory.
func ParseLog(path string, data []byte) (*Log, []knowledge.Problem) {
	return ReadLog(path, bytes.NewReader(data), int64(len(data)))
}

// ReadLog reads a log. A line that cannot be read is a problem, stays in the
// log and hides nothing else; path only serves to name the file in problems.
// A last line without its line end counts if it is complete. The text is read again as
// long as the log is in use.
func ReadLog(path string, text io.ReaderAt, size int64) (*Log, []knowledge.Problem) {
	l := &Log{text: text}
	var sum maphash.Hash
	sum.SetSeed(sums)
	if mark := (place{text, 0, len(textfile.ByteOrderMark)}).bytes(); bytes.Equal(mark, textfile.ByteOrderMark) {
		l.mark = mark
		sum.Write(mark)
	}
	var problems []knowledge.Problem
	number := 0
	for at, raw := range linesOf(text, int64(len(l.mark)), size) {
		number++
		sum.Write(raw)
		line := &logLine{place: at}
		var rule, why string
		if line.obs, line.unknown, rule, why = parseLine(raw); rule != "" {
			problems = append(problems, knowledge.Problem{Path: path, Line: number, Rule: rule, Text: why})
		}
		l.append(line, size <= keptWhole)
	}
	l.sum = sum.Sum64()
	return l, problems
}

// keptWhole is how large a log is of which all observations stay in memory, in bytes.
var keptWhole int64 = 4 << 20

// append puts a parsed line at the end; of two lines with one id and type the first
// carries the join of both. Unless it is kept, what the line tells is put off.
func (l *Log) append(line *logLine, keep bool) {
	l.lines = append(l.lines, line)
	if line.obs == nil {
		return
	}
	told := true // the text tells the observation
	first := l.line(line.obs.ID)
	if first != nil && first.id() == line.obs.ID && first.o().Type != line.obs.Type {
		line.obs.ID, told = observationID(line.obs), false // another thing, to which an earlier tool gave the same id
		first = l.line(line.obs.ID)
	}
	if first != nil && first.id() == line.obs.ID {
		l.appendTwin(first, line)
		return
	}
	l.register(line)
	if told && !keep {
		line.putOff()
	}
}

// appendTwin joins a later line of the same observation.
func (l *Log) appendTwin(first, line *logLine) {
	line.twin = true
	if l.twins == nil {
		l.twins = map[*logLine][]*logLine{}
	}
	l.twins[first] = append(l.twins[first], line)
	if !bytes.Equal(encodeObservation(first.o(), first.unknown), encodeObservation(line.obs, line.unknown)) {
		first.obs = joinObservations(first.o(), line.obs)
		first.unknown = fields.JoinUnknown(first.unknown, line.unknown)
		first.relaid = true
	}
}

// line finds the observation with the id, else one with that alias.
func (l *Log) line(id string) *logLine {
	if line := l.ids[id]; line != nil && line.live() && line.id() == id {
		return line
	}
	line, _ := lists.Find(l.aliases[id], func(line *logLine) bool { return line.live() && slices.Contains(line.o().Aliases, id) })
	return line
}

// each walks through observations: each line, and the line with its observation read. That
// is another one where it was put off, and holds until the next step.
func each(lines []*logLine) iter.Seq2[*logLine, *logLine] {
	return func(yield func(line, read *logLine) bool) {
		var w window
		var once logLine
		for _, line := range lines {
			if !line.live() {
				continue
			}
			read := line
			if line.obs == nil {
				once = *line
				once.obs, once.unknown = line.read(w.bytes(line.place))
				read = &once
			}
			if read.obs != nil && !yield(line, read) {
				return
			}
		}
	}
}

// Observations returns copies of all observations in the order of the file,
// without those that every session took back.
func (l *Log) Observations() []*Observation {
	return slices.Collect(l.All())
}

// All is [Log.Observations] one by one, for those who keep few: only these are in memory.
// Who keeps a text alone clones it, because the texts of an observation share its line's
// memory. The log may be changed meanwhile.
func (l *Log) All() iter.Seq[*Observation] { return l.Where(func(Head) bool { return true }) }

// Where is [Log.All] of those whose head is wanted; the others are not read.
func (l *Log) Where(wanted func(Head) bool) iter.Seq[*Observation] {
	return func(yield func(*Observation) bool) {
		lines := lists.Filter(l.lines, func(line *logLine) bool { return line.live() && wanted(line.now()) })
		for line, read := range each(lines) {
			o := read.obs
			if o == line.obs {
				o = o.Clone()
			}
			if !o.takenBack() && !yield(o) {
				return
			}
		}
	}
}

// Heads is what the log knows of all observations without reading any, but for those that
// every session took back.
func (l *Log) Heads() iter.Seq[Head] {
	return func(yield func(Head) bool) {
		for _, line := range l.lines {
			if h := line.now(); line.live() && !h.takenBack && !yield(h) {
				return
			}
		}
	}
}

// Get returns a copy of the observation with that id or alias, nil for none.
func (l *Log) Get(id string) *Observation { return l.line(id).copy() }

// ID is the id that the observation with that id or alias has by now, "" for none.
func (l *Log) ID(name string) string {
	if line := l.line(name); line != nil {
		return line.id()
	}
	return ""
}

// Find returns a copy of the observation with that id or alias, else of the one
// with that content key, nil for none.
func (l *Log) Find(id, key string) *Observation {
	line := l.line(id)
	if line == nil && key != "" {
		keyed := l.keyed(key)
		if at := slices.IndexFunc(keyed, func(x *logLine) bool { return x.live() && x.member().named(key) }); at >= 0 {
			line = keyed[at]
		}
	}
	return line.copy()
}

// Put stores the observation in place of the one with its id or an alias of
// it, or adds it.
func (l *Log) Put(o *Observation) {
	o = o.Clone()
	line := l.line(o.ID)
	if line == nil {
		l.insert(&logLine{obs: o, touched: true})
		return
	}
	moved := line.o().ID != o.ID
	line.obs, line.touched = o, true
	if moved {
		l.move(line)
	}
	l.register(line)
}

// Remove takes the observation with that id or alias out of the log.
func (l *Log) Remove(id string) {
	if line := l.line(id); line != nil {
		l.drop(line)
	}
}

func (l *Log) drop(line *logLine) {
	for _, t := range l.twins[line] {
		t.gone = true
	}
	line.gone = true
	if l.many {
		return
	}
	l.lines = slices.DeleteFunc(l.lines, func(x *logLine) bool { return x.gone })
}

// insert puts a new line in front of the first line with a greater id, so that
// a log that was sorted stays sorted and the order of additions leaves no trace.
func (l *Log) insert(line *logLine) {
	l.register(line)
	if l.many {
		l.wait(line)
		return
	}
	at := slices.IndexFunc(l.lines, func(x *logLine) bool { return x.live() && x.id() > line.id() })
	if at < 0 {
		at = len(l.lines)
	}
	l.lines = slices.Insert(l.lines, at, line)
}

// wait puts a line in its place later.
func (l *Log) wait(line *logLine) {
	if !line.waits {
		line.waits = true
		l.later = append(l.later, line)
	}
}

// place puts the lines that wait where [Log.insert] would have put each, in one pass.
func (l *Log) place() {
	waiting := slices.DeleteFunc(l.later, func(line *logLine) bool { return line.gone })
	slices.SortStableFunc(waiting, func(a, b *logLine) int { return strings.Compare(a.id(), b.id()) })
	placed := make([]*logLine, 0, len(l.lines)+len(waiting))
	rest := waiting
	for _, line := range l.lines {
		if line.gone || line.waits {
			continue
		}
		for len(rest) > 0 && line.live() && line.id() > rest[0].id() {
			placed, rest = append(placed, rest[0]), rest[1:]
		}
		placed = append(placed, line)
	}
	l.lines, l.later, l.many = append(placed, rest...), nil, false
	for _, line := range waiting {
		line.waits = false
	}
}

// move puts a line whose id changed at the place of its new id.
func (l *Log) move(line *logLine) {
	if l.many {
		l.register(line)
		l.wait(line)
		return
	}
	l.lines = slices.DeleteFunc(l.lines, func(x *logLine) bool { return x == line })
	l.insert(line)
}

// Clone returns an independent copy.
func (l *Log) Clone() *Log {
	c := &Log{
		mark: l.mark, text: l.text, sum: l.sum, base: l.base,
		ids: make(map[string]*logLine, len(l.ids)), aliases: map[string][]*logLine{}, twins: map[*logLine][]*logLine{},
	}
	copies := make(map[*logLine]*logLine, len(l.lines))
	of := func(lines []*logLine) []*logLine {
		return slices.DeleteFunc(lists.Map(lines, func(line *logLine) *logLine { return copies[line] }), func(n *logLine) bool { return n == nil })
	}
	for _, line := range l.lines {
		n := *line
		if line.obs != nil {
			n.obs, n.known = line.obs.Clone(), nil
		}
		copies[line] = &n
		c.lines = append(c.lines, &n)
	}
	for id, line := range l.ids {
		if n := copies[line]; n != nil {
			c.ids[id] = n
		}
	}
	for alias, lines := range l.aliases {
		c.aliases[alias] = of(lines)
	}
	for line, twins := range l.twins {
		c.twins[copies[line]] = of(twins)
	}
	return c
}

// LogPath is where a log that is committed lies, repository-relative.
const LogPath = ".memory/learning-log.jsonl"
