package render

import (
	"fmt"
	"strings"
)

// commandFolder holds the slash commands that are rendered from workflows.
const commandFolder = ".claude/commands/self-learning"

// marker is what stands in every artifact: where it came from.
func (m material) marker() string { return "self-learning:" + m.o.ID }

// formatCommand writes a workflow as a slash command. Its evidence stands in
// comments of the front matter, which never reach the model.
func formatCommand(m material) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ndescription: %s\n", quoted(inert(m.title)))
	fmt.Fprintf(&b, "# source: %s\n# seen: %s\n", m.marker(), m.seenText())
	for _, q := range m.quotes {
		fmt.Fprintf(&b, "# quote: %s\n", quoted(inert(q)))
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n", inert(m.title))
	m.writeProcedure(&b, "Steps")
	return []byte(b.String())
}

// writeProcedure writes what to do: steps, or a text when there are none, then
// what goes wrong. It always writes something.
func (m material) writeProcedure(b *strings.Builder, heading string) {
	paragraphs := m.paragraphs()
	for _, p := range paragraphs {
		fmt.Fprintf(b, "%s\n\n", inert(p))
	}
	if len(m.steps) > 0 {
		fmt.Fprintf(b, "## %s\n\n", heading)
		for i, step := range m.steps {
			fmt.Fprintf(b, "%d. %s\n", i+1, inert(step))
		}
		b.WriteByte('\n')
	}
	if m.mistake != "" || m.fix != "" {
		b.WriteString("## Take care\n\n")
		if m.mistake != "" {
			fmt.Fprintf(b, "- **Mistake**: %s\n", inert(m.mistake))
		}
		if m.fix != "" {
			fmt.Fprintf(b, "- **Fix**: %s\n", inert(m.fix))
		}
		b.WriteByte('\n')
	}
	text := strings.TrimRight(b.String(), "\n")
	b.Reset()
	b.WriteString(text + "\n")
}

// paragraphs are the details that are not the steps.
func (m material) paragraphs() []string {
	var paragraphs []string
	if text := m.details[""]; text != "" && (len(m.o.Items) > 0 || len(m.steps) == 0) {
		paragraphs = append(paragraphs, text)
	}
	for _, name := range []string{"context", "area", "issue", "impact", "decision", "resolution", "rationale", "consequences"} {
		if text := m.details[name]; text != "" {
			paragraphs = append(paragraphs, strings.ToUpper(name[:1])+name[1:]+": "+text)
		}
	}
	if len(paragraphs) == 0 && len(m.steps) == 0 && m.mistake == "" && m.fix == "" {
		paragraphs = append(paragraphs, m.title)
	}
	return paragraphs
}
