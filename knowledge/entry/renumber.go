package entry

import (
	"bytes"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// Formerly lists the display names that an entry had before.
func (e Entry) Formerly() []string { return displayNames(e.Field(FieldFormerly)) }

// displayNames splits a list such as "ADR-005, ADR-007".
func displayNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// Renumber returns the book with another number in the heading of one entry,
// and its old name as Formerly; every other byte stays. The summary in the first
// line is counted anew.
func (b *Book) Renumber(e Entry, number int) []byte {
	from, to := e.ID(), ID(e.Kind, number)
	at, value := b.formerlyRange(e, from)
	out := bytes.Join([][]byte{b.raw[:at], []byte(value), b.raw[at:]}, nil)
	head, _ := b.doc.HeadingAt(e.Start)
	if i := bytes.Index(out[head.Start:head.End], []byte(prefix(e.Kind)+"-")); i >= 0 {
		start := head.Start + i
		end := start + len(prefix(e.Kind)) + 1
		for end < head.End && out[end] >= '0' && out[end] <= '9' {
			end++
		}
		out = bytes.Join([][]byte{out[:start], []byte(to), out[end:]}, nil)
	}
	return summarise(b.Path, out)
}

// BeforeRenumber is the text of one entry as it was before it got a new name: what
// [Book.Renumber] did, undone.
func BeforeRenumber(text []byte, name, former string) []byte {
	if name == former {
		return text
	}
	text = bytes.Replace(text, []byte(name), []byte(former), 1)
	text = bytes.Replace(text, []byte("- **"+FieldFormerly+"**: "+former+"\n"), nil, 1)
	return bytes.Replace(text, []byte(", "+former+"\n"), []byte("\n"), 1)
}

// formerlyRange says what to insert where, so that a former name is kept: behind
// those that are there, or as a bullet before the source, else behind the last
// bullet.
func (b *Book) formerlyRange(e Entry, former string) (at int, insert string) {
	line := "- **" + FieldFormerly + "**: " + former + b.eol()
	last := -1
	for _, item := range b.doc.BulletsWithin(e.Start, e.End) {
		name, _, ok := readBullet(item.Text)
		if !ok {
			continue
		}
		switch {
		case strings.EqualFold(name, FieldFormerly):
			_, end := b.valueRange(item)
			return end, ", " + former
		case strings.EqualFold(name, FieldSource):
			return b.doc.LineStart(item.Start), line
		}
		last = textfile.LineEnd(b.raw, item.End)
	}
	if last < 0 {
		head, _ := b.doc.HeadingAt(e.Start)
		return head.End, b.eol() + line
	}
	if last > 0 && b.raw[last-1] != '\n' {
		line = b.eol() + line
	}
	return last, line
}
