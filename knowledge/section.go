package knowledge

import (
	"bytes"
	"strings"
)

// Section is a heading of a Markdown document with what stands below it, up to
// the next heading of any level. The text before the first heading has level 0
// and no title. A heading inside of a code block, a quote or a list is none.
type Section struct {
	Level int
	Title string
	Line  int // 1-based line of the heading
	Text  string
}

// ReadSections takes a Markdown document apart. Line says in which line of its
// file the document begins; line ends in texts are LF.
func ReadSections(data []byte, line int) []Section {
	heads := readMarkdown(data).headings()
	end := len(data)
	if len(heads) > 0 {
		end = heads[0].start
	}
	all := []Section{{Line: line, Text: string(NormaliseLines(data[:end]))}}
	at, counted := line, 0
	for i, h := range heads {
		end := len(data)
		if i+1 < len(heads) {
			end = heads[i+1].start
		}
		at += bytes.Count(data[counted:h.start], []byte("\n"))
		counted = h.start
		title := strings.Join(strings.Fields(h.text), " ")
		all = append(all, Section{h.level, title, at, string(NormaliseLines(data[h.end:max(end, h.end)]))})
	}
	return all
}
