package entry

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/markdown"
)

// keyEntries is how many ids the first line of a book names.
const keyEntries = 5

// Append returns the book with entries behind everything else. What was there
// keeps its bytes, apart from the count in the first line; a last line without
// an end gets one, and a block that nobody closed is closed, since it would
// hide the entries.
func (b *Book) Append(entries ...Entry) []byte {
	if len(entries) == 0 {
		return b.raw
	}
	var out bytes.Buffer
	out.Write(b.raw)
	eol := b.eol()
	if len(b.raw) == 0 {
		out.Write(NewBook(entries[0].Kind))
	} else if b.raw[len(b.raw)-1] != '\n' {
		out.WriteString(eol)
	}
	if closer, _, open := b.doc.Unclosed(); open {
		out.WriteString(closer + eol)
	}
	if !bytes.HasSuffix(knowledge.NormaliseLines(out.Bytes()), []byte("\n\n")) {
		out.WriteString(eol)
	}
	for i, e := range entries {
		section := Format(e)
		if i > 0 {
			section = append([]byte("\n"), section...)
		}
		if eol != "\n" {
			section = bytes.ReplaceAll(section, []byte("\n"), []byte(eol))
		}
		out.Write(section)
	}
	return summarise(b.Path, out.Bytes())
}

// Replace returns the book with another text of one of its entries; every other byte
// stays, apart from the count in the first line.
func (b *Book) Replace(old, e Entry) []byte {
	section := Format(e)
	if eol := b.eol(); eol != "\n" {
		section = bytes.ReplaceAll(section, []byte("\n"), []byte(eol))
	}
	return summarise(b.Path, slices.Concat(b.raw[:old.Start], section, b.raw[old.End:]))
}

// SetStatus returns the book with another status of one entry and the count in
// its first line brought up to date; every other byte stays. An entry without a
// status gets one in front of its source. The error names the line when the
// number is not there, or stands twice.
func (b *Book) SetStatus(number int, status string) ([]byte, error) {
	e, err := b.only(number)
	if err != nil {
		return nil, err
	}
	value := markdown.EncodeInline(status)
	start, end, found := b.statusRange(e)
	switch {
	case !found:
		value = "- **" + FieldStatus + "**: " + value + b.eol()
		if start > 0 && b.raw[start-1] != '\n' {
			value = b.eol() + value
		}
		if line, _ := textfile.LineAt(b.raw, start); len(bytes.TrimSpace(line)) > 0 && !bytes.HasPrefix(line, []byte("- ")) {
			value += b.eol() // running text would go on in the bullet
		}
	case b.raw[start-1] != ' ' && b.raw[start-1] != '\t':
		value = " " + value
	}
	edited := bytes.Join([][]byte{b.raw[:start], []byte(value), b.raw[end:]}, nil)
	return summarise(b.Path, edited), nil
}

// only returns the one entry of that number.
func (b *Book) only(number int) (Entry, error) {
	found := lists.Filter(b.Entries, func(e Entry) bool { return e.Number == number && (b.Kind == "" || e.Kind == b.Kind) })
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Entry{}, &knowledge.ParseError{Path: b.Path, Text: "there is no " + ID(b.Kind, number)}
	}
	return Entry{}, &knowledge.ParseError{Path: b.Path, Line: found[1].Line, Text: fmt.Sprintf("%s stands twice, first in line %d: which one is meant is not clear", found[0].ID(), found[0].Line)}
}

// statusRange returns the byte range of the status's value, or the place where a
// missing bullet belongs: before the source, or else before the first bullet, or
// else behind the heading.
func (b *Book) statusRange(e Entry) (start, end int, found bool) {
	place := -1
	for _, item := range b.doc.BulletsWithin(e.Start, e.End) {
		name, _, ok := readBullet(item.Text)
		if !ok {
			continue
		}
		if strings.EqualFold(name, FieldStatus) {
			start, end = b.valueRange(item)
			return start, end, true
		}
		if place < 0 || strings.EqualFold(name, FieldSource) {
			place = b.doc.LineStart(item.Start)
		}
	}
	if place >= 0 {
		return place, place, false
	}
	head, _ := b.doc.HeadingAt(e.Start)
	place = head.End
	if line, next := textfile.LineAt(b.raw, place); len(bytes.TrimSpace(line)) == 0 {
		place = next
	}
	return place, place, false
}

// valueRange returns the byte range of a bullet's value.
func (b *Book) valueRange(item markdown.Bullet) (start, end int) {
	raw := bytes.TrimRight(b.raw[item.Start:item.End], " \t\r\n")
	at := bytes.Index(raw, []byte("**")) + 2
	at += bytes.Index(raw[at:], []byte("**")) + 2
	for at < len(raw) && (raw[at] == ':' || raw[at] == ' ' || raw[at] == '\t') {
		at++
	}
	return item.Start + at, item.Start + len(raw)
}

// summarise brings the count in the first line of a book up to date: how many
// entries are active and the last five of them. A file whose first line is not
// such a summary is returned as it is.
func summarise(path string, data []byte) []byte {
	line, next := textfile.LineAt(data, 0)
	rest, ok := bytes.CutPrefix(bytes.TrimPrefix(line, textfile.ByteOrderMark), []byte("<!-- TL;DR: "))
	if !ok || !bytes.Contains(rest, []byte(". Key:")) || !bytes.HasSuffix(bytes.TrimRight(rest, " "), []byte("-->")) || bytes.Count(rest, []byte("-->")) != 1 {
		return data
	}
	b, _ := ParseBook(path, data)
	active := lists.Map(lists.Filter(b.Entries, Entry.Active), Entry.ID)
	keys := strings.Join(active[max(0, len(active)-keyEntries):], ", ")
	if keys != "" {
		keys += " "
	}
	start := len(data[:next]) - len(bytes.TrimPrefix(data[:next], textfile.ByteOrderMark))
	summary := fmt.Sprintf("<!-- TL;DR: %d %s. Key: %s-->", len(active), Noun(b.Kind), keys)
	return bytes.Join([][]byte{data[:start], []byte(summary), data[start+len(bytes.TrimPrefix(line, textfile.ByteOrderMark)):]}, nil)
}

// Without returns the book without the entries that begin at those offsets, and
// the count in its first line brought up to date. The blank lines behind an entry
// go with it; every other byte stays.
func (b *Book) Without(starts ...int) []byte {
	var out []byte
	at := 0
	for _, e := range b.Entries {
		if !slices.Contains(starts, e.Start) {
			continue
		}
		out = append(out, b.raw[at:e.Start]...)
		at = e.End
		for line, next := textfile.LineAt(b.raw, at); at < len(b.raw) && len(bytes.TrimSpace(line)) == 0; line, next = textfile.LineAt(b.raw, at) {
			at = next
		}
	}
	return summarise(b.Path, append(out, b.raw[at:]...))
}
