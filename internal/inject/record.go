package inject

import (
	"encoding/binary"
	"hash/crc32"
)

// maxList bounds the elements of one list of a record.
const maxList = 1 << 12

// encoder appends values to a record.
type encoder struct{ b []byte }

func (e *encoder) int(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

func (e *encoder) string(s string) {
	e.int(len(s))
	e.b = append(e.b, s...)
}

func (e *encoder) strings(list []string) {
	e.int(len(list))
	for _, s := range list {
		e.string(s)
	}
}

func (e *encoder) spec(s Spec) {
	e.string(s.Text)
	e.string(s.Program)
	for _, list := range [][]string{s.Wrappers, s.Sub, s.Flags, s.Operands, s.Env} {
		e.strings(list)
	}
}

func (e *encoder) pattern(p Pattern) {
	e.string(p.Source)
	e.string(p.Literal)
	e.string(p.Word)
	e.int(p.Cost)
}

func (e *encoder) patterns(list []Pattern) {
	e.int(len(list))
	for _, p := range list {
		e.pattern(p)
	}
}

// record encodes a lesson: a checksum, then its fields in order.
func record(l *Lesson) []byte {
	e := &encoder{b: make([]byte, 4, 256)}
	unreviewed := 0
	if l.Unreviewed {
		unreviewed = 1
	}
	e.int(l.Priority)
	e.int(l.Confidence)
	e.int(unreviewed)
	for _, n := range []int{l.Counts.Calls, l.Counts.Matched, l.Counts.Failed, l.Counts.OK} {
		e.int(n)
	}
	for _, s := range []string{l.ID, l.Kind, l.Title, l.Path, l.Text, l.Summary, l.Fix, l.Source, l.Action, l.Extra} {
		e.string(s)
	}
	e.trigger(&l.Trigger)
	binary.LittleEndian.PutUint32(e.b, crc32.ChecksumIEEE(e.b[4:]))
	return e.b
}

func (e *encoder) trigger(t *Trigger) {
	for _, list := range [][]string{t.Tools, t.Paths, t.Keywords, t.Context, t.Agents, t.SeedPaths} {
		e.strings(list)
	}
	e.int(len(t.Commands))
	for _, s := range t.Commands {
		e.spec(s)
	}
	e.int(len(t.Unless))
	for _, u := range t.Unless {
		e.spec(u.Spec)
		e.pattern(u.Pattern)
	}
	e.patterns(t.CommandPatterns)
	e.patterns(t.Content)
}

// decoder reads values of a record. After an overrun bad is set and everything
// reads as empty.
type decoder struct {
	s   string
	bad bool
}

func (d *decoder) int() int {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		if len(d.s) == 0 {
			break
		}
		c := d.s[0]
		d.s = d.s[1:]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return int(n)
		}
	}
	d.bad, d.s = true, ""
	return 0
}

func (d *decoder) string() string {
	n := d.int()
	if n > len(d.s) {
		d.bad, d.s = true, ""
		return ""
	}
	s := d.s[:n]
	d.s = d.s[n:]
	return s
}

// count reads the length of a list; an element takes at least a byte.
func (d *decoder) count() int {
	n := d.int()
	if n > maxList || n > len(d.s) {
		d.bad, d.s = true, ""
		return 0
	}
	return n
}

func (d *decoder) strings() []string {
	n := d.count()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = d.string()
	}
	return list
}

func (d *decoder) spec() (s Spec) {
	s.Text, s.Program = d.string(), d.string()
	for _, list := range []*[]string{&s.Wrappers, &s.Sub, &s.Flags, &s.Operands, &s.Env} {
		*list = d.strings()
	}
	return s
}

func (d *decoder) pattern() Pattern {
	return Pattern{Source: d.string(), Literal: d.string(), Word: d.string(), Cost: d.int()}
}

func (d *decoder) patterns() []Pattern {
	n := d.count()
	if n == 0 {
		return nil
	}
	list := make([]Pattern, n)
	for i := range list {
		list[i] = d.pattern()
	}
	return list
}

// lesson decodes a record; ok is false when its checksum or a length is wrong.
func lesson(b []byte) (l Lesson, ok bool) {
	if len(b) < 4 || crc32.ChecksumIEEE(b[4:]) != binary.LittleEndian.Uint32(b) {
		return l, false
	}
	d := &decoder{s: string(b[4:])}
	l.Priority, l.Confidence, l.Unreviewed = d.int(), d.int(), d.int() == 1
	l.Counts = Counts{Calls: d.int(), Matched: d.int(), Failed: d.int(), OK: d.int()}
	for _, s := range []*string{&l.ID, &l.Kind, &l.Title, &l.Path, &l.Text, &l.Summary, &l.Fix, &l.Source, &l.Action, &l.Extra} {
		*s = d.string()
	}
	t := &l.Trigger
	for _, list := range []*[]string{&t.Tools, &t.Paths, &t.Keywords, &t.Context, &t.Agents, &t.SeedPaths} {
		*list = d.strings()
	}
	if n := d.count(); n > 0 {
		t.Commands = make([]Spec, n)
		for i := range t.Commands {
			t.Commands[i] = d.spec()
		}
	}
	if n := d.count(); n > 0 {
		t.Unless = make([]Unless, n)
		for i := range t.Unless {
			t.Unless[i] = Unless{Spec: d.spec(), Pattern: d.pattern()}
		}
	}
	t.CommandPatterns, t.Content = d.patterns(), d.patterns()
	return l, !d.bad && d.s == ""
}
