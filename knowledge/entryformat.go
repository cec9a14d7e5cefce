package knowledge

import (
	"strings"
)

// FormatEntry writes an entry as a section of a book: its heading, an empty
// line and one bullet a field, with a line end and no empty line behind. Titles
// and values are written on one line and so encoded that they can neither start
// a block nor open HTML, whatever they contain; [ParseBook] reads them back. A
// marker is added when the entry has a Source and no Source field.
func FormatEntry(e Entry) []byte {
	var b strings.Builder
	b.WriteString("## " + e.ID() + ": " + encodeHeading(e.Title) + "\n\n")
	marked := false
	for _, f := range e.Fields {
		value := f.Value
		if strings.EqualFold(f.Name, FieldSource) {
			marked = true
			if e.Source != "" {
				value = markerPrefix + e.Source
			}
		}
		writeField(&b, f.Name, value)
	}
	if e.Source != "" && !marked {
		writeField(&b, FieldSource, markerPrefix+e.Source)
	}
	return []byte(b.String())
}

func writeField(b *strings.Builder, name, value string) {
	b.WriteString("- **" + fieldName(name) + "**:")
	if value = encodeInline(value); value != "" {
		b.WriteString(" " + value)
	}
	b.WriteByte('\n')
}

// fieldName keeps what a field's name may consist of; what has no such name is a
// note.
func fieldName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '*' || r == '\\' || r == '`' || r == '<' || r == '>' || r == ':' {
			return -1
		}
		return r
	}, oneLine(name))
	if name = strings.TrimSpace(name); name == "" {
		return "Note"
	}
	return name
}
