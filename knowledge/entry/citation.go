package entry

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Citation is one place in a text that names an entry.
type Citation struct {
	ID     string // canonical: ADR-007
	Line   int    // 1-based
	Offset int    // of the first byte
	Length int    // in bytes, as it is written
}

// Citations lists where a Markdown text names entries, such as ADR-007 or
// PF-12, outside of code blocks, HTML blocks and code spans: an example is not a
// citation. Placeholders such as ADR-NNN are none either.
func Citations(text string) []Citation {
	if !strings.Contains(text, "ADR-") && !strings.Contains(text, "PF-") {
		return nil
	}
	var found []Citation
	line, counted := 1, 0
	for _, b := range markdown.Read([]byte(text)).Blocks() {
		for _, c := range blockCitations(b) {
			if c.Offset >= counted { // blocks come in order
				line += strings.Count(text[counted:c.Offset], "\n")
				counted = c.Offset
			}
			c.Line = line
			found = append(found, c)
		}
	}
	return found
}

// blockCitations lists the citations in one block, which may hold code spans over
// several lines.
func blockCitations(b markdown.Block) []Citation {
	var found []Citation
	text := b.Text
	for i := 0; i < len(text); {
		if text[i] == '`' && (i == 0 || text[i-1] != '\\') {
			if end := markdown.CodeSpanEnd(text, i); end > 0 {
				i = end
			} else {
				i += markdown.Backticks(text, i)
			}
			continue
		}
		id, length := citationAt(text, i)
		if length == 0 {
			i++
			continue
		}
		found = append(found, Citation{ID: id, Offset: b.Place(i), Length: length})
		i += length
	}
	return found
}

// citationAt reads a citation that begins at the offset: not within a word, not
// part of a longer name such as a path, and with digits to its end.
func citationAt(text string, i int) (id string, length int) {
	if c := text[i]; c != 'A' && c != 'P' {
		return "", 0
	}
	if i > 0 && (prose.IsNameByte(text[i-1]) || text[i-1] == '-' || text[i-1] >= 0x80) {
		return "", 0
	}
	end := i
	for end < len(text) && (prose.IsNameByte(text[end]) || text[end] == '-') {
		end++
	}
	word := strings.TrimRight(text[i:end], "-")
	kind, number, ok := ParseID(word)
	if !ok {
		return "", 0
	}
	return ID(kind, number), len(word)
}

// CitationsIn lists the citations of a file: of Markdown as [Citations] does, of
// anything else wherever they stand.
func CitationsIn(path, text string) []Citation {
	if markdown.IsFile(path) {
		return Citations(text)
	}
	if !strings.Contains(text, "ADR-") && !strings.Contains(text, "PF-") {
		return nil
	}
	var found []Citation
	line := 1
	for i := 0; i < len(text); {
		id, length := citationAt(text, i)
		if length == 0 {
			if text[i] == '\n' {
				line++
			}
			i++
			continue
		}
		found = append(found, Citation{ID: id, Line: line, Offset: i, Length: length})
		i += length
	}
	return found
}
