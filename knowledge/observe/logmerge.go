package observe

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
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

// Text is the text of a log, wherever it lies.
type Text struct {
	io.ReaderAt
	Size int64
}

// TextOf is a text in memory.
func TextOf(data []byte) Text { return Text{bytes.NewReader(data), int64(len(data))} }

// Conflicted says whether a merge left its markers.
func (t Text) Conflicted() bool {
	if t.Size == 0 {
		return false
	}
	for _, raw := range linesOf(t.ReaderAt, 0, t.Size) {
		if bytes.HasPrefix(raw, []byte("<<<<<<< ")) {
			return true
		}
	}
	return false
}

// Merge is the join of two logs: their observations sorted by id, then the lines of either
// side that cannot be read. The result is the same bytes whichever side is called ours.
//
// It holds where the observations stand and no observation: these are read again when the
// join is written, so that large logs are merged in little memory.
type Merge struct {
	thresholds Thresholds
	rows       []mergeRow
	of         map[uint64]int32 // the row of a line, by the hash of its text
	names      []mention        // of ids, aliases and content keys
	points     []mention        // at which shapes meet
	all        []together       // what is written, by id
	unread     [][]byte
}

// mergeRow is one line, which several versions may have.
type mergeRow struct {
	place
	id      string
	kind    knowledge.Type
	in      version
	renamed bool  // its own id is that of another type
	joined  int32 // a row that it is together with; itself: it stands for them
}

// version is a set of the three versions.
type version uint8

const (
	inBase version = 1 << iota
	inOurs
	inTheirs
)

// mention says that a row has a name, or meets others at a point.
type mention struct {
	hash uint64
	row  int32
}

// together are the rows of one observation.
type together struct {
	id   string
	rows []int32
}

// MergeLogs plans the join of two logs. An observation that one side forgot, and that the
// other left as it was, stays forgotten.
func MergeLogs(ctx context.Context, base, ours, theirs Text, t Thresholds) (*Merge, error) {
	m := &Merge{thresholds: t, of: map[uint64]int32{}}
	for _, side := range []struct {
		Text
		version
	}{{base, inBase}, {ours, inOurs}, {theirs, inTheirs}} {
		if err := m.read(ctx, side.Text, side.version); err != nil {
			return nil, err
		}
	}
	m.of = nil
	m.names = sorted(m.names)
	m.forget()
	err := m.unite(ctx)
	m.names, m.points = nil, nil
	if err == nil {
		err = m.gather(ctx)
	}
	return m, err
}

// often is after how many steps a merge looks whether it is interrupted.
const often = 1 << 10

// read takes the lines of one version in.
func (m *Merge) read(ctx context.Context, text Text, in version) error {
	if text.Size == 0 {
		return ctx.Err()
	}
	from := int64(0)
	if mark := (place{text.ReaderAt, 0, len(textfile.ByteOrderMark)}).bytes(); bytes.Equal(mark, textfile.ByteOrderMark) {
		from = int64(len(mark))
	}
	types := map[uint64]knowledge.Type{} // by the hash of the id: the first one's
	steps := 0
	for at, raw := range linesOf(text.ReaderAt, from, text.Size) {
		if steps++; steps%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		m.line(at, bytes.TrimSpace(raw), in, types)
	}
	return ctx.Err()
}

func (m *Merge) line(at place, body []byte, in version, types map[uint64]knowledge.Type) {
	text := maphash.Bytes(sums, body)
	if at, known := m.of[text]; known {
		row := &m.rows[at]
		row.in |= in
		if id := hashOf(row.id); types[id] == "" {
			types[id] = row.kind
		}
		return
	}
	o, _, _, _ := parseLine(body)
	if o == nil {
		if in != inBase && len(body) > 0 && !textfile.IsConflictMarker(body) {
			m.unread = append(m.unread, append(slices.Clone(body), '\n'))
		}
		return
	}
	row := mergeRow{place: at, id: o.ID, kind: knownTypes[slices.Index(knownTypes, o.Type)], in: in, joined: int32(len(m.rows))}
	if first := types[hashOf(o.ID)]; first != "" && first != o.Type {
		o.ID = observationID(o) // another thing, to which an earlier tool gave the same id
		row.id, row.renamed = o.ID, true
	} else {
		types[hashOf(o.ID)] = row.kind
		m.of[text] = row.joined
	}
	m.rows = append(m.rows, row)
	for name := range memberOf(o).names {
		m.names = append(m.names, mention{hashOf(name), row.joined})
	}
	for _, shape := range o.Shapes {
		m.points = append(m.points, lists.Map(meetingPoints(shape), func(point uint64) mention { return mention{point, row.joined} })...)
	}
}

func hashOf(name string) uint64 { return maphash.String(sums, name) }

// sorted puts mentions of one thing together, each row once.
func sorted(all []mention) []mention {
	slices.SortFunc(all, func(a, b mention) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.row, b.row)) })
	return slices.Compact(all)
}

// groups walks through the mentions of each thing that several rows mention.
func groups(all []mention) iter.Seq[[]mention] {
	return func(yield func([]mention) bool) {
		for from, to := 0, 0; from < len(all); from = to {
			for to = from + 1; to < len(all) && all[to].hash == all[from].hash; to++ {
			}
			if to-from > 1 && !yield(all[from:to]) {
				return
			}
		}
	}
}

// forget takes out what one side forgot and the other left as it was, and the base.
func (m *Merge) forget() {
	for i := range m.rows {
		row := &m.rows[i]
		if row.in&inBase == 0 {
			continue
		}
		have := m.having(row.id)
		switch other := have &^ inBase; {
		case row.in == inBase && (other == inOurs || other == inTheirs):
			m.dropSame(row)
		case other == row.in&^inBase && other != inOurs|inTheirs:
			row.in = 0
		}
		row.in &^= inBase
	}
}

// having is the versions that have an observation with that id or alias.
func (m *Merge) having(id string) version {
	var in version
	for _, n := range m.named(id) {
		in |= m.rows[n.row].in
	}
	return in
}

func (m *Merge) named(name string) []mention {
	hash := hashOf(name)
	from, _ := slices.BinarySearchFunc(m.names, hash, func(n mention, h uint64) int { return cmp.Compare(n.hash, h) })
	to := from
	for to < len(m.names) && m.names[to].hash == hash {
		to++
	}
	return m.names[from:to]
}

// dropSame takes out the rows that say what a row of the base says in other bytes.
func (m *Merge) dropSame(base *mergeRow) {
	was, _ := m.observation(base)
	for _, n := range m.named(base.id) {
		row := &m.rows[n.row]
		if row.in&(inOurs|inTheirs) == 0 {
			continue
		}
		if is, _ := m.observation(row); was != nil && is != nil && bytes.Equal(encodeObservation(was, nil), encodeObservation(is, nil)) {
			row.in = 0
		}
	}
}

// observation reads the observation of a row, nil when it is not there any more.
func (m *Merge) observation(row *mergeRow) (*Observation, fields.Unknown) {
	return row.parse(row.bytes())
}

func (row *mergeRow) parse(raw []byte) (*Observation, fields.Unknown) {
	o, unknown, _, _ := parseLine(raw)
	switch {
	case o == nil, o.ID != row.id && !row.renamed:
		return nil, nil // the text was changed meanwhile
	}
	o.ID = row.id
	return o, unknown
}

// unite finds the rows that are together: those that share a name, and those with near
// shapes.
func (m *Merge) unite(ctx context.Context) error {
	for group := range groups(m.names) {
		var first *mergeRow
		for _, n := range group {
			switch row := &m.rows[n.row]; {
			case row.in == 0:
			case first == nil:
				first = row
			default:
				m.join(first.joined, row.joined)
			}
		}
	}
	return m.uniteNear(ctx)
}

func (m *Merge) uniteNear(ctx context.Context) error {
	m.points = sorted(m.points)
	shapes := m.shapes()
	steps := 0
	for group := range groups(m.points) {
		var before []mentioned
		for _, n := range group {
			for _, shape := range shapes[n.row] {
				if !slices.Contains(meetingPoints(shape), n.hash) {
					continue
				}
				for _, other := range before {
					if steps++; steps%often == 0 && ctx.Err() != nil {
						return ctx.Err()
					}
					if m.stands(n.row) != m.stands(other.row) && similar(other.shape, shape) {
						m.join(n.row, other.row)
					}
				}
				before = append(before, mentioned{n.row, shape})
			}
		}
	}
	return ctx.Err()
}

// mentioned is a shape at a meeting point.
type mentioned struct {
	row   int32
	shape string
}

// shapes are those of the rows that meet others.
func (m *Merge) shapes() map[int32][]string {
	shapes := map[int32][]string{}
	for group := range groups(m.points) {
		for _, n := range group {
			shapes[n.row] = nil
		}
	}
	var w window
	for i := range m.rows {
		row := &m.rows[i]
		if _, meets := shapes[int32(i)]; !meets || row.in == 0 {
			continue
		}
		if o, _ := row.parse(w.bytes(row.place)); o != nil {
			shapes[int32(i)] = lists.Map(o.Shapes, strings.Clone)
		}
	}
	return shapes
}

// stands is the row that stands for those that a row is together with.
func (m *Merge) stands(row int32) int32 {
	for m.rows[row].joined != row {
		m.rows[row].joined = m.rows[m.rows[row].joined].joined
		row = m.rows[row].joined
	}
	return row
}

func (m *Merge) join(a, b int32) {
	a, b = m.stands(a), m.stands(b)
	m.rows[max(a, b)].joined = min(a, b)
}

// gather puts together what is one observation, in the order in which it is written.
func (m *Merge) gather(ctx context.Context) error {
	var rows []int32
	for i := range m.rows {
		if m.rows[i].in != 0 {
			rows = append(rows, int32(i))
		}
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(m.stands(a), m.stands(b)) })
	for from, to := 0, 0; from < len(rows); from = to {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for to = from + 1; to < len(rows) && m.stands(rows[to]) == m.stands(rows[from]); to++ {
		}
		one := together{m.rows[rows[from]].id, rows[from:to]}
		if len(one.rows) > 1 {
			if o, _ := m.joined(one.rows, &window{}); o != nil {
				one.id = strings.Clone(o.ID)
			}
		}
		m.all = append(m.all, one)
	}
	slices.SortFunc(m.all, func(a, b together) int { return cmp.Compare(a.id, b.id) })
	slices.SortFunc(m.unread, bytes.Compare)
	m.unread = slices.CompactFunc(m.unread, bytes.Equal)
	return nil
}

// joined is the observation of rows that are together.
func (m *Merge) joined(rows []int32, w *window) (joined *Observation, unknown fields.Unknown) {
	for _, i := range rows {
		row := &m.rows[i]
		o, more := row.parse(w.bytes(row.place))
		switch {
		case o == nil:
		case joined == nil:
			joined, unknown = o, more
		default:
			joined, unknown = joinObservations(joined, o), fields.JoinUnknown(unknown, more)
		}
	}
	return joined, unknown
}

// Write writes the join.
func (m *Merge) Write(ctx context.Context, to io.Writer) error {
	out := bufio.NewWriterSize(to, windowSize)
	var w window
	for _, one := range m.all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		o, unknown := m.joined(one.rows, &w)
		if o == nil {
			return fmt.Errorf("%s: %w", one.id, errCut)
		}
		Promote(o, m.thresholds)
		if _, err := out.Write(append(encodeObservation(o, unknown), '\n')); err != nil {
			return err
		}
	}
	for _, raw := range m.unread {
		if _, err := out.Write(raw); err != nil {
			return err
		}
	}
	return out.Flush()
}

var errCut = errors.New("the log was changed while it was merged")
