package observe

import (
	"bytes"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// Log is the observation log: one JSON object a line. It
// keeps the bytes of every line. A line that is not changed is written back
// byte for byte, whatever it holds; a changed one keeps its unknown fields, behind
// the known ones. The zero value is an empty log.
//
// Observations that go in and come out are copies: a change reaches the log
// through [Log.Put], [Log.Add], [Log.Join] and [Log.Remove] alone.
type Log struct {
	mark  []byte // a byte order mark, when the file starts with one
	lines []*logLine
	names map[string][]*logLine // by id, alias and content key; may hold former names
	near  map[uint64][]met      // by the meeting points of shapes; nil until somebody asks
	base  *logBase              // what a store loaded it from

	many  bool       // many observations are being joined: lines are put in their places at the end
	later []*logLine // lines that wait for that
}

// logLine is one line with its line end, as it was read or empty when new.
type logLine struct {
	raw     []byte
	obs     *Observation // nil: not read, or not an observation
	unread  bool         // it is one, and raw tells it
	name    string       // its id
	unknown fields.Unknown
	twins   []*logLine // later lines of the same id, left by a merge
	twin    bool       // is such a later line
	touched bool       // obs is newer than raw
	relaid  bool       // joined from several lines: laid out anew
	gone    bool
	waits   bool     // for its place, see [Log.place]
	known   *member  // of obs, or of what it was before
	met     []string // shapes by which the log finds it, a set
}

// member returns the observation with what it is known by.
func (line *logLine) member() *member {
	if line.known == nil || line.known.Observation != line.o() {
		line.known = memberOf(line.o())
	}
	return line.known
}

// is takes another observation in.
func (line *logLine) is(m *member) { line.obs, line.known, line.unread = m.Observation, m, false }

// o is the observation. One that was put off to be read is read now, and stays.
func (line *logLine) o() *Observation {
	if line.unread {
		line.unread = false
		line.parse()
	}
	return line.obs
}

// putOff forgets an observation that raw tells as well: a log is large, and few of its
// observations are asked for.
func (line *logLine) putOff() {
	line.obs, line.unknown, line.known, line.unread = nil, nil, nil, true
}

// copy is a copy of the observation; one that was put off stays so.
func (line *logLine) copy() *Observation {
	if !line.unread {
		return line.obs.Clone()
	}
	once := logLine{raw: line.raw}
	once.parse()
	return once.obs
}

// id is the observation's id.
func (line *logLine) id() string {
	if line.unread {
		return line.name
	}
	return line.obs.ID
}

// observes says whether the line is an observation.
func (line *logLine) observes() bool { return line.unread || line.obs != nil }

// ParseLog reads a log. A line that cannot be read is a problem, stays in the
// log and hides nothing else; path only serves to name the file in problems.
// A last line without its line end counts if it is complete.
func ParseLog(path string, data []byte) (*Log, []knowledge.Problem) {
	l := &Log{names: map[string][]*logLine{}}
	if bytes.HasPrefix(data, textfile.ByteOrderMark) {
		l.mark, data = textfile.ByteOrderMark, data[len(textfile.ByteOrderMark):]
	}
	var problems []knowledge.Problem
	number := 0
	for raw := range bytes.Lines(data) {
		number++
		line := &logLine{raw: raw[:len(raw):len(raw)]}
		rule, text := line.parse()
		if rule != "" {
			problems = append(problems, knowledge.Problem{Path: path, Line: number, Rule: rule, Text: text})
		}
		l.append(line)
	}
	return l, problems
}

// parse fills in the observation. It returns rule and text of a problem, or
// two empty texts.
func (line *logLine) parse() (rule, text string) {
	body := bytes.TrimSpace(line.raw)
	switch {
	case len(body) == 0:
		return "", ""
	case textfile.IsConflictMarker(body):
		return "log-conflict", "A conflict marker of a merge: take out the marker lines and keep the others; the lines around it are read."
	case !utf8.Valid(body):
		return "log-line", "The line is not UTF-8; it is kept and not read."
	}
	o, unknown, err := decodeObservation(string(body))
	switch {
	case err != nil:
		return "log-line", fmt.Sprintf("The line cannot be read (%s); it is kept as it is.", withoutLine(err))
	case o.ID == "":
		return "log-id", "The line has no id; it is kept as it is."
	case !knownType(o.Type):
		return "log-type", fmt.Sprintf("The type %q of %s is not known here; the line is kept as it is.", o.Type, o.ID)
	}
	o.ID = strings.Clone(o.ID) // it is kept when the line is not
	o.ArtifactPath = knowledge.RepositoryPath(o.ArtifactPath)
	line.obs, line.unknown, line.name = o, unknown, o.ID
	return "", ""
}

// withoutLine drops the "line 1: " of an error about a single line.
func withoutLine(err error) string { return strings.TrimPrefix(err.Error(), "line 1: ") }

func knownType(t knowledge.Type) bool {
	return t == knowledge.Workflow || t == knowledge.Procedural || t == knowledge.Decision || t == knowledge.Pitfall
}

// append puts a parsed line at the end; of two lines with one id and type the first
// carries the join of both.
func (l *Log) append(line *logLine) {
	l.lines = append(l.lines, line)
	if line.obs == nil {
		return
	}
	told := true // raw tells the observation
	first := l.line(line.obs.ID)
	if first != nil && first.id() == line.obs.ID && first.o().Type != line.obs.Type {
		line.obs.ID, told = observationID(line.obs), false // another thing, to which an earlier tool gave the same id
		first = l.line(line.obs.ID)
	}
	if first != nil && first.id() == line.obs.ID {
		line.twin = true
		first.twins = append(first.twins, line)
		if !bytes.Equal(encodeObservation(first.o(), first.unknown), encodeObservation(line.obs, line.unknown)) {
			first.obs = joinObservations(first.o(), line.obs)
			first.unknown = fields.JoinUnknown(first.unknown, line.unknown)
			first.relaid = true
		}
		return
	}
	l.register(line)
	if told {
		line.putOff()
	}
}

// register makes a line findable by its ids and content keys.
func (l *Log) register(line *logLine) {
	if l.names == nil {
		l.names = map[string][]*logLine{}
	}
	for name := range line.member().names {
		if !slices.Contains(l.names[name], line) {
			l.names[name] = append(l.names[name], line)
		}
	}
	if l.near != nil {
		l.meet(line)
	}
}

// met is a shape at one of its meeting points, and the line that had it then.
type met struct {
	line  *logLine
	shape string
}

// meeting returns the shapes by their meeting points.
func (l *Log) meeting() map[uint64][]met {
	if l.near == nil {
		l.near = map[uint64][]met{}
		for _, line := range slices.Concat(l.lines, l.later) {
			if line.met = nil; line.live() {
				l.meet(line)
			}
		}
	}
	return l.near
}

// meet makes a line findable by those of its shapes by which it is not yet.
func (l *Log) meet(line *logLine) {
	for _, shape := range line.o().Shapes {
		if _, found := slices.BinarySearch(line.met, shape); found {
			continue
		}
		for _, point := range meetingPoints(shape) {
			l.near[point] = append(l.near[point], met{line, shape})
		}
	}
	line.met = line.o().Shapes
}

func (line *logLine) live() bool { return line.observes() && !line.gone && !line.twin }

// line finds the observation with the id, else one with that alias.
func (l *Log) line(id string) *logLine {
	var alias *logLine
	for _, line := range l.names[id] {
		switch {
		case !line.live():
		case line.id() == id:
			return line
		case alias == nil && slices.Contains(line.o().Aliases, id):
			alias = line
		}
	}
	return alias
}

// Observations returns copies of all observations in the order of the file,
// without those that every session took back.
func (l *Log) Observations() []*Observation {
	return slices.Collect(l.All())
}

// All is [Log.Observations] one by one, for those who keep few: only these are in memory.
// The log may be changed meanwhile.
func (l *Log) All() iter.Seq[*Observation] {
	return func(yield func(*Observation) bool) {
		for _, line := range slices.Clone(l.lines) {
			if !line.live() {
				continue
			}
			if o := line.copy(); !o.takenBack() && !yield(o) {
				return
			}
		}
	}
}

// Get returns a copy of the observation with that id or alias, nil for none.
func (l *Log) Get(id string) *Observation {
	if line := l.line(id); line != nil {
		return line.copy()
	}
	return nil
}

// Find returns a copy of the observation with that id or alias, else of the one
// with that content key, nil for none.
func (l *Log) Find(id, key string) *Observation {
	line := l.line(id)
	if line == nil && key != "" {
		at := slices.IndexFunc(l.names[key], func(x *logLine) bool { return x.live() && x.member().named(key) })
		if at >= 0 {
			line = l.names[key][at]
		}
	}
	if line == nil {
		return nil
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
	for _, t := range line.twins {
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
	c := &Log{mark: l.mark, base: l.base}
	copies := map[*logLine]*logLine{}
	for _, line := range l.lines {
		n := *line
		if line.obs != nil {
			n.obs, n.known = line.obs.Clone(), nil
		}
		n.twins = nil
		copies[line] = &n
		c.lines = append(c.lines, &n)
	}
	for _, line := range l.lines {
		for _, t := range line.twins {
			copies[line].twins = append(copies[line].twins, copies[t])
		}
	}
	c.names = make(map[string][]*logLine, len(l.names))
	for name, lines := range l.names {
		for _, line := range lines {
			if n := copies[line]; n != nil {
				c.names[name] = append(c.names[name], n)
			}
		}
	}
	return c
}

// Bytes returns the log as it is to be written. A log that was not changed
// gives the bytes it was read from.
func (l *Log) Bytes() []byte {
	eol := l.lineEnd()
	out := slices.Clone(l.mark)
	open := false // the line before has no line end
	skip := map[*logLine]bool{}
	for _, line := range l.lines {
		if skip[line] {
			continue
		}
		raw := line.raw
		if line.touched {
			raw = line.encode(eol)
			for _, t := range line.twins {
				skip[t] = true
			}
		}
		if open {
			out = append(out, eol...)
		}
		out = append(out, raw...)
		open = len(raw) > 0 && raw[len(raw)-1] != '\n'
	}
	return out
}

// encode returns the line of a changed observation, laid out anew unless it says
// what it said.
func (line *logLine) encode(eol string) []byte {
	body := bytes.TrimSpace(line.raw)
	if old, _, err := decodeObservation(string(body)); err == nil && !line.relaid && reflect.DeepEqual(old, line.obs) {
		return line.raw
	}
	body = encodeObservation(line.obs, line.unknown)
	if len(line.raw) == 0 {
		return append(body, eol...)
	}
	return slices.Concat(body, line.raw[len(bytes.TrimRight(line.raw, "\r\n")):])
}

func (l *Log) lineEnd() string {
	for _, line := range l.lines {
		if len(line.raw) > 0 {
			if bytes.HasSuffix(line.raw, []byte("\r\n")) {
				return "\r\n"
			}
			break
		}
	}
	return "\n"
}

// LogPath is where a log that is committed lies, repository-relative.
const LogPath = ".memory/learning-log.jsonl"
