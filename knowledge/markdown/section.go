package markdown

import (
	"bytes"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
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

// Sections takes a Markdown document apart. Line says in which line of its
// file the document begins; line ends in texts are LF.
func Sections(data []byte, line int) []Section {
	heads := Read(data).Headings()
	end := len(data)
	if len(heads) > 0 {
		end = heads[0].Start
	}
	all := []Section{{Line: line, Text: string(knowledge.NormaliseLines(data[:end]))}}
	at, counted := line, 0
	for i, h := range heads {
		end := len(data)
		if i+1 < len(heads) {
			end = heads[i+1].Start
		}
		at += bytes.Count(data[counted:h.Start], []byte("\n"))
		counted = h.Start
		title := strings.Join(strings.Fields(h.Text), " ")
		all = append(all, Section{h.Level, title, at, string(knowledge.NormaliseLines(data[h.End:max(end, h.End)]))})
	}
	return all
}
