package manifest

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// Row returns the row of a key.
func (m *Manifest) Row(k knowledge.Key) (Row, bool) {
	for i := range m.Rows { // a row is large to copy
		if r := &m.Rows[i]; r.ObservationID == k.Observation && r.Key() == k {
			return *r, true
		}
	}
	return Row{}, false
}

// Tombstone returns the tombstone of a key.
func (m *Manifest) Tombstone(k knowledge.Key) (Tombstone, bool) {
	for i := range m.Tombstones {
		if t := &m.Tombstones[i]; t.ObservationID == k.Observation && t.Key() == k {
			return *t, true
		}
	}
	return Tombstone{}, false
}

// PutRow registers a rendered artifact in place of what stood under its key,
// row or tombstone. Its rev is made greater than what it replaces, so that it
// wins every merge; a row that says the same as the one that stands changes
// nothing. Anchors of the replaced stay reserved.
func (m *Manifest) PutRow(r Row) {
	old, ok := m.standing(r.Key())
	if ok && !old.removed && sameRow(old.tomb.Row, r) {
		return
	}
	m.replace(candidate{tomb: Tombstone{Row: r}}, old, ok)
}

// Follow takes a row to the place of its artifact. That is no further revision: it
// follows from the files.
func (m *Manifest) Follow(r Row) {
	for i, old := range m.Rows {
		if old.Key() == r.Key() {
			anchors := append(anchorsOf(old), anchorsOf(r)...)
			r.Formerly = ordered.Without(ordered.Set(anchors), []string{r.Anchor})
			m.Rows[i] = r
		}
	}
}

// AddRows registers many artifacts at once, under keys that neither a row nor a
// tombstone has; others are left out.
func (m *Manifest) AddRows(rows ...Row) {
	taken := lists.SetOf(m.Rows, Row.Key)
	for _, t := range m.Tombstones {
		taken[t.Key()] = true
	}
	for _, r := range rows {
		if !taken[r.Key()] {
			taken[r.Key()] = true
			r.Rev = max(r.Rev, 1)
			m.Rows = append(m.Rows, r)
		}
	}
	m.sort()
}

// Bury replaces the row of a key by a tombstone. What the tombstone leaves
// empty is taken from the row; rev is made greater than that of the row.
// Burying what has a tombstone already changes nothing.
func (m *Manifest) Bury(t Tombstone) {
	old, ok := m.standing(t.Key())
	if ok && old.removed {
		return
	}
	if ok {
		t.Row = filled(t.Row, old.tomb.Row)
	}
	m.replace(candidate{tomb: t, removed: true}, old, ok)
}

func (m *Manifest) replace(c, old candidate, ok bool) {
	row := &c.tomb.Row
	switch {
	case ok:
		row.Rev = max(row.Rev, revision(old.tomb.Row)+1)
		anchors := slices.Concat(anchorsOf(old.tomb.Row), anchorsOf(*row))
		row.Formerly = ordered.Without(ordered.Set(anchors), []string{row.Anchor})
		c.unknown = old.unknown
		m.take(row.Key())
	case c.removed:
		row.Rev = max(row.Rev, 2)
	default:
		row.Rev = max(row.Rev, 1)
	}
	m.set(c)
	m.sort()
}

// sameRow compares what rows say, apart from their bookkeeping.
func sameRow(a, b Row) bool {
	if b.Rev > revision(a) {
		return false
	}
	a.Rev, b.Rev, a.Formerly, b.Formerly = 0, 0, nil, nil
	return bytes.Equal(rowFields().Encode(&a, nil), rowFields().Encode(&b, nil))
}

// filled returns r with its empty fields taken from the fallback.
func filled(r, fallback Row) Row {
	r.Path = cmp.Or(r.Path, fallback.Path)
	r.Anchor = cmp.Or(r.Anchor, fallback.Anchor)
	r.ContentHash = cmp.Or(r.ContentHash, fallback.ContentHash)
	r.ContentKey = cmp.Or(r.ContentKey, fallback.ContentKey)
	r.Title = cmp.Or(r.Title, fallback.Title)
	if r.RenderedAt.IsZero() {
		r.RenderedAt = fallback.RenderedAt
	}
	if r.N == 0 {
		r.N = fallback.N
	}
	if r.Copies == nil {
		r.Copies = slices.Clone(fallback.Copies)
		r.Published = fallback.Published
	}
	return r
}

// DropRow takes the row of a key out without a trace. It is for rows that were
// never committed: others become tombstones.
func (m *Manifest) DropRow(k knowledge.Key) {
	m.Rows = slices.DeleteFunc(m.Rows, func(r Row) bool { return r.Key() == k })
	delete(m.extra, rowPlace{k, false})
}

// Anchors returns every anchor that rows and tombstones of a kind have or had,
// sorted: none of them may be given out again.
func (m *Manifest) Anchors(k knowledge.Kind) []string {
	var all []string
	for _, c := range m.candidates() {
		if c.tomb.Key().Kind == k {
			all = append(all, anchorsOf(c.tomb.Row)...)
		}
	}
	return ordered.Set(all)
}

// Clone returns an independent copy.
func (m *Manifest) Clone() *Manifest {
	c := Merge(m, nil)
	c.raw, c.newer, c.Base = slices.Clone(m.raw), m.newer, m.Base
	return c
}
