package lesson

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// ErrWords: people changed the words of a lesson on both sides of a merge.
var ErrWords = errors.New("both sides changed what the lesson says")

// Merge joins the versions of one lesson's file: evidence is united, and of
// everything else the side that changed it holds. A nil base stands for two clones
// that learned the same apart; what a person reviewed then holds, else the greater
// text. Ours and theirs may change places.
func Merge(path string, base, ours, theirs []byte) ([]byte, error) {
	return merge(path, base, ours, theirs, reviewed)
}

// MergeTwins joins two files of one lesson that clones wrote apart. saidBy tells how much
// a person stands behind the words of one: the greater holds, and of two equals above
// zero nobody can choose.
func MergeTwins(path string, ours, theirs []byte, saidBy func(*Lesson) int) ([]byte, error) {
	return merge(path, nil, ours, theirs, saidBy)
}

// reviewed is 1 for a lesson that a person reviewed.
func reviewed(l *Lesson) int {
	if l.ReviewedAt != "" {
		return 1
	}
	return 0
}

func merge(path string, base, ours, theirs []byte, saidBy func(*Lesson) int) ([]byte, error) {
	for _, side := range []*[]byte{&ours, &theirs} {
		versions, conflicted := textfile.SplitConflicts(*side)
		if !conflicted {
			continue
		}
		merged, err := merge(path, versions.Base, versions.Ours, versions.Theirs, saidBy)
		if err != nil {
			return nil, err
		}
		*side = merged
	}
	switch {
	case bytes.Equal(ours, theirs), len(theirs) == 0:
		return ours, nil
	case len(ours) == 0:
		return theirs, nil
	}
	o, err := Parse(path, ours)
	if err != nil {
		return nil, err
	}
	t, err := Parse(path, theirs)
	if err != nil {
		return nil, err
	}
	b, _ := Parse(path, base)
	if o.ID != t.ID {
		return nil, fmt.Errorf("%s: two lessons, %s and %s, have this name", path, o.ID, t.ID)
	}
	merged, err := joinBy(b, o, t, saidBy)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := merged.Format()
	if bytes.Contains(ours, []byte("\r\n")) && bytes.Contains(theirs, []byte("\r\n")) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	return out, nil
}

// join returns the lesson that two versions make. base is nil where there is none.
func join(base, a, b *Lesson) (*Lesson, error) { return joinBy(base, a, b, reviewed) }

func joinBy(base, a, b *Lesson, saidBy func(*Lesson) int) (*Lesson, error) {
	speaks, err := speaker(base, a, b, saidBy)
	if err != nil {
		return nil, err
	}
	m := *speaks
	if base == nil {
		base = &Lesson{}
	}
	m.Status = merge3(base.Status, a.Status, b.Status, compareStatus)
	m.Priority = merge3(base.Priority, a.Priority, b.Priority, cmp.Compare[int])
	m.Confidence = max(a.Confidence, b.Confidence)
	m.Action = merge3(base.Action, a.Action, b.Action, cmp.Compare[string])
	m.Source = merge3(base.Source, a.Source, b.Source, cmp.Compare[string])
	for key, into := range m.texts() {
		*into = merge3(*base.texts()[key], *a.texts()[key], *b.texts()[key], cmp.Compare[string])
	}
	m.Created = cmp.Or(min(a.Created, b.Created), a.Created, b.Created)
	m.Seen = a.Seen.Join(b.Seen)
	m.Tags = ordered.Union(a.Tags, b.Tags)
	quotes := ordered.ByHash(slices.Concat(a.Quotes, b.Quotes))
	m.Quotes = quotes[:min(len(quotes), maxQuotes)]
	if reflect.DeepEqual(a.Triggers, b.Triggers) {
		m.Examples = a.Examples.Join(b.Examples)
	}
	return &m, nil
}

// Renewed is the lesson as it is rendered again: in the words of next, with the evidence
// of both, so that what is merged with the file as it was says the same.
func (l *Lesson) Renewed(next *Lesson) *Lesson {
	joined, err := join(l, l, next)
	if err != nil {
		return next // one version changed: this does not happen
	}
	return joined
}

// speaker is the version whose words hold: those that changed since the base, else
// those that a person reviewed, else the greater.
func speaker(base, a, b *Lesson, saidBy func(*Lesson) int) (*Lesson, error) {
	said := func(l *Lesson) string { w := l.Words(); w.Action = ""; return string(w.Format()) }
	x, y := said(a), said(b)
	switch {
	case x == y, base != nil && said(base) == y:
		return a, nil
	case base != nil && said(base) == x:
		return b, nil
	case base != nil, saidBy(a) == saidBy(b) && saidBy(a) > 0:
		return nil, ErrWords
	case saidBy(a) > saidBy(b), saidBy(a) == saidBy(b) && x > y:
		return a, nil
	}
	return b, nil
}

// merge3 takes the value of the side that changed it, of two changes the greater.
func merge3[T comparable](base, a, b T, compare func(a, b T) int) T {
	switch {
	case b == base:
		return a
	case a == base || compare(a, b) < 0:
		return b
	}
	return a
}

// compareStatus puts draft before active before archived.
func compareStatus(a, b string) int {
	order := []string{Draft, Active, Archived}
	return cmp.Compare(slices.Index(order, a), slices.Index(order, b))
}
