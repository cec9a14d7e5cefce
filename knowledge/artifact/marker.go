package artifact

import (
	"bytes"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
)

// MarkerOf returns the observation id that the front matter of a file names: in
// a line "source: self-learning:<id>", at the top or below metadata, or in a
// comment of that form, as slash commands have it. It works line by line, since
// the front matter of agents' files need not pass our gate, and what a person
// broke is still marked. A marker in the body does not count.
func MarkerOf(data []byte) string {
	m, _ := frontmatter.Find(data) // one that nobody closed counts as well
	for line := range bytes.Lines(data[m.Start:m.End]) {
		text := strings.TrimSpace(string(line))
		if comment, ok := strings.CutPrefix(text, "#"); ok {
			text = strings.TrimSpace(comment)
		}
		value, ok := strings.CutPrefix(text, "source:")
		if !ok {
			continue
		}
		if id := knowledge.MarkedID(value); id != "" {
			return id
		}
	}
	return ""
}
