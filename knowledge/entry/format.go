package entry

import (
	"cmp"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Format writes an entry as a section of a book: its heading, an empty
// line and one bullet a field, with a line end and no empty line behind. Titles
// and values are written on one line and so encoded that they can neither start
// a block nor open HTML, whatever they contain; [ParseBook] reads them back. A
// marker is added when the entry has a Source and no Source field.
func Format(e Entry) []byte {
	var b strings.Builder
	b.WriteString("## " + e.ID() + ": " + markdown.EncodeHeading(e.Title) + "\n\n")
	marked := false
	for _, f := range e.Fields {
		value := f.Value
		if strings.EqualFold(f.Name, FieldSource) {
			marked = true
			if e.Source != "" {
				value = knowledge.MarkerPrefix + e.Source
			}
		}
		writeField(&b, f.Name, value)
	}
	if e.Source != "" && !marked {
		writeField(&b, FieldSource, knowledge.MarkerPrefix+e.Source)
	}
	return []byte(b.String())
}

func writeField(b *strings.Builder, name, value string) {
	b.WriteString("- **" + fieldName(name) + "**:")
	if value = markdown.EncodeInline(value); value != "" {
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
	}, prose.OneLine(name))
	return cmp.Or(strings.TrimSpace(name), "Note")
}
