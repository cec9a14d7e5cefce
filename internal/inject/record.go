package inject

import (
	"encoding/binary"
	"hash/crc32"
)

// maxList bounds the elements of one list of a record.
const maxList = 1 << 12

// codec goes through the values of a record in their order: an encoder writes
// each, a decoder reads each into its place.
type codec interface {
	number(n *int)
	text(s *string)
	// length is how many elements a list has that holds n now.
	length(n int) int
}

// record encodes a lesson: a checksum, then its fields in order.
func record(l *Lesson) []byte {
	e := &encoder{b: make([]byte, 4, 256)}
	l.fields(e)
	binary.LittleEndian.PutUint32(e.b, crc32.ChecksumIEEE(e.b[4:]))
	return e.b
}

// lesson decodes a record; ok is false when its checksum or a length is wrong.
func lesson(b []byte) (l Lesson, ok bool) {
	if len(b) < 4 || crc32.ChecksumIEEE(b[4:]) != binary.LittleEndian.Uint32(b) {
		return l, false
	}
	d := &decoder{s: string(b[4:])}
	l.fields(d)
	return l, !d.bad && d.s == ""
}

func (l *Lesson) fields(c codec) {
	unreviewed := 0
	if l.Unreviewed {
		unreviewed = 1
	}
	for _, n := range []*int{&l.Priority, &l.Confidence, &unreviewed} {
		c.number(n)
	}
	l.Unreviewed = unreviewed == 1
	for _, s := range []*string{&l.ID, &l.Kind, &l.Title, &l.Path, &l.Text, &l.Summary, &l.Fix, &l.Source, &l.Action, &l.Extra, &l.Skill} {
		c.text(s)
	}
	l.Trigger.fields(c)
}

func (t *Trigger) fields(c codec) {
	for _, list := range []*[]string{&t.Tools, &t.Paths, &t.Keywords, &t.Context, &t.Agents, &t.SeedPaths} {
		each(c, list, text)
	}
	each(c, &t.Commands, (*Spec).fields)
	each(c, &t.Unless, func(u *Unless, c codec) {
		u.Spec.fields(c)
		u.Pattern.fields(c)
	})
	each(c, &t.CommandPatterns, (*Pattern).fields)
	each(c, &t.Content, (*Pattern).fields)
}

func (s *Spec) fields(c codec) {
	c.text(&s.Text)
	c.text(&s.Program)
	for _, list := range []*[]string{&s.Wrappers, &s.Sub, &s.Flags, &s.Passed, &s.Operands, &s.Env} {
		each(c, list, text)
	}
}

func (p *Pattern) fields(c codec) {
	for _, s := range []*string{&p.Source, &p.Literal, &p.Word} {
		c.text(s)
	}
	c.number(&p.Cost)
}

func text(s *string, c codec) { c.text(s) }

// each goes through the elements of a list; an empty one is read as nil.
func each[T any](c codec, list *[]T, fields func(*T, codec)) {
	if n := c.length(len(*list)); n != len(*list) {
		*list = make([]T, n)
	}
	for i := range *list {
		fields(&(*list)[i], c)
	}
}

// encoder appends values to a record.
type encoder struct{ b []byte }

func (e *encoder) number(n *int) { e.b = binary.AppendUvarint(e.b, uint64(*n)) }

func (e *encoder) text(s *string) {
	e.length(len(*s))
	e.b = append(e.b, *s...)
}

func (e *encoder) length(n int) int {
	e.number(&n)
	return n
}

// decoder reads values of a record. After an overrun bad is set and everything
// reads as empty.
type decoder struct {
	s   string
	bad bool
}

func (d *decoder) overrun() {
	d.bad, d.s = true, ""
}

func (d *decoder) number(n *int) {
	*n = 0
	for shift := 0; shift < 35 && d.s != ""; shift += 7 {
		c := d.s[0]
		d.s = d.s[1:]
		*n |= int(c&0x7f) << shift
		if c < 0x80 {
			return
		}
	}
	*n = 0
	d.overrun()
}

func (d *decoder) text(s *string) {
	n := 0
	if d.number(&n); n > len(d.s) {
		d.overrun()
		n = 0
	}
	*s, d.s = d.s[:n], d.s[n:]
}

// length reads that of a list; an element takes at least a byte.
func (d *decoder) length(int) (n int) {
	if d.number(&n); n > maxList || n > len(d.s) {
		d.overrun()
		return 0
	}
	return n
}
