package manifest

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// candidate is a row or a tombstone on its way into a manifest. A row is held
// as a tombstone without its own fields.
type candidate struct {
	tomb    Tombstone
	removed bool
	unknown fields.Unknown
}

// Merge returns the union: for each key the greater of (rev, tombstone over row,
// evidence, canonical bytes). It needs no
// base, and is commutative, associative and idempotent.
func Merge(sides ...*Manifest) *Manifest {
	all, unknown := gathering{}, fields.Unknown{}
	for _, side := range sides {
		if side == nil {
			continue
		}
		unknown = fields.JoinUnknown(unknown, side.unknown)
		for _, c := range side.candidates() {
			all.meet(c)
		}
	}
	m := all.manifest()
	m.unknown = unknown
	return m
}

func (m *Manifest) candidates() []candidate {
	all := make([]candidate, 0, len(m.Rows)+len(m.Tombstones))
	for _, r := range m.Rows {
		all = append(all, candidate{tomb: Tombstone{Row: r}, unknown: m.extra[rowPlace{r.Key(), false}]})
	}
	for _, t := range m.Tombstones {
		all = append(all, candidate{tomb: t, removed: true, unknown: m.extra[rowPlace{t.Key(), true}]})
	}
	return all
}

// gathering holds the greatest candidate of each key.
type gathering map[knowledge.Key]candidate

// meet takes a candidate in unless what stands there is greater. Anchors of the
// one that loses stay reserved, and a lesson has the greater status and priority,
// as its merged file has. Of places the first one holds, until the row follows its
// artifact.
func (g gathering) meet(c candidate) {
	k := c.tomb.Key()
	if standing, ok := g[k]; ok {
		anchors := slices.Concat(anchorsOf(standing.tomb.Row), anchorsOf(c.tomb.Row))
		status, priority := greaterStatus(k.Kind, standing.tomb.Status, c.tomb.Status), max(standing.tomb.Priority, c.tomb.Priority)
		path, anchor := place(standing, c)
		if compareCandidates(standing, c) >= 0 {
			c = standing
		}
		c.tomb.Path, c.tomb.Anchor = path, anchor
		c.tomb.Formerly = ordered.Without(ordered.Set(anchors), []string{c.tomb.Anchor})
		c.tomb.Status, c.tomb.Priority = status, priority
	}
	g[k] = c
}

// place is the path and anchor of the one that wins by its revision, else the first.
func place(a, b candidate) (path, anchor string) {
	at := cmp.Or(
		compareRevisions(b, a),
		cmp.Compare(len(a.tomb.Anchor), len(b.tomb.Anchor)), cmp.Compare(a.tomb.Anchor, b.tomb.Anchor), cmp.Compare(a.tomb.Path, b.tomb.Path),
	)
	if at > 0 {
		a = b
	}
	return a.tomb.Path, a.tomb.Anchor
}

func (g gathering) manifest() *Manifest {
	m := &Manifest{}
	for _, c := range g {
		m.set(c)
	}
	m.sort()
	return m
}

// standing returns the tombstone or the row of a key.
func (m *Manifest) standing(k knowledge.Key) (candidate, bool) {
	if t, ok := m.Tombstone(k); ok {
		return candidate{t, true, m.extra[rowPlace{k, true}]}, true
	}
	if r, ok := m.Row(k); ok {
		return candidate{Tombstone{Row: r}, false, m.extra[rowPlace{k, false}]}, true
	}
	return candidate{}, false
}

func (m *Manifest) set(c candidate) {
	place := rowPlace{c.tomb.Key(), c.removed}
	if c.removed {
		m.Tombstones = append(m.Tombstones, c.tomb)
	} else {
		m.Rows = append(m.Rows, c.tomb.Row)
	}
	if len(c.unknown) > 0 {
		if m.extra == nil {
			m.extra = map[rowPlace]fields.Unknown{}
		}
		m.extra[place] = c.unknown
	}
}

// take removes row and tombstone of a key.
func (m *Manifest) take(k knowledge.Key) {
	m.DropRow(k)
	m.Tombstones = slices.DeleteFunc(m.Tombstones, func(t Tombstone) bool { return t.Key() == k })
	delete(m.extra, rowPlace{k, true})
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(compareRevisions(a, b), cmp.Compare(a.tomb.N, b.tomb.N), bytes.Compare(a.canonical(), b.canonical()))
}

func compareRevisions(a, b candidate) int {
	return cmp.Or(cmp.Compare(revision(a.tomb.Row), revision(b.tomb.Row)), ordered.CompareBool(a.removed, b.removed))
}

// greaterStatus puts draft before active, and a proposal before what is accepted, which
// has no status here.
func greaterStatus(kind knowledge.Kind, a, b string) string {
	switch {
	case kind != knowledge.KindLesson && (a == "" || b == ""):
		return ""
	case a == "" || b == "active":
		return b
	}
	return a
}

// canonical is the candidate's one-line form without what is joined apart.
func (c candidate) canonical() []byte {
	c.tomb.Formerly, c.tomb.Status, c.tomb.Priority = nil, "", 0
	c.tomb.Path, c.tomb.Anchor = "", ""
	return tombstoneFields().Encode(&c.tomb, c.unknown)
}

// revision is rev, where earlier rows without one count as first.
func revision(r Row) int { return max(r.Rev, 1) }

func anchorsOf(r Row) []string {
	all := slices.Clone(r.Formerly)
	if r.Anchor != "" {
		all = append(all, r.Anchor)
	}
	return all
}

func (m *Manifest) sort() {
	slices.SortStableFunc(m.Rows, compareRows)
	slices.SortStableFunc(m.Tombstones, func(a, b Tombstone) int { return compareRows(a.Row, b.Row) })
}

func compareRows(a, b Row) int {
	return cmp.Or(cmp.Compare(a.ObservationID, b.ObservationID), cmp.Compare(a.Type, b.Type))
}
