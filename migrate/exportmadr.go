package migrate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// MADR writes the decisions as records in the form of MADR 4, one file each. A
// field that the form has no place for is a line below More Information.
func MADR(s *store.Snapshot) []entry.File {
	var files []entry.File
	taken := map[string]bool{}
	for _, e := range s.Decisions {
		name := fmt.Sprintf("%04d-%s", e.Number, prose.Slug(e.Title))
		path := name + ".md"
		for n := 2; taken[path]; n++ { // two branches gave one number to two decisions of one title
			path = fmt.Sprintf("%s-%d.md", name, n)
		}
		taken[path] = true
		files = append(files, entry.File{Path: path, Data: madr(e)})
	}
	return files
}

// madrSections are the headings of the form, in order, with the field below each.
var madrSections = []struct{ heading, field string }{
	{"## Context and Problem Statement", entry.FieldContext},
	{"## Decision Drivers", "Drivers"},
	{"## Considered Options", "Options"},
	{"## Decision Outcome", entry.FieldDecision},
	{"### Consequences", entry.FieldConsequences},
}

// madrMatter are the keys of its front matter.
var madrMatter = []struct{ key, field string }{
	{"status", entry.FieldStatus},
	{"date", entry.FieldDate},
	{"decision-makers", "Deciders"},
	{"consulted", "Consulted"},
	{"informed", "Informed"},
}

func madr(e entry.Entry) []byte {
	var b strings.Builder
	placed := []string{entry.FieldSource}
	b.WriteString("---\n")
	for _, m := range madrMatter {
		placed = append(placed, m.field)
		if value := e.Field(m.field); value != "" {
			if m.field == entry.FieldStatus {
				value = lowerFirst(value)
			}
			fmt.Fprintf(&b, "%s: %s\n", m.key, yamlText(value))
		}
	}
	fmt.Fprintf(&b, "---\n\n# %s\n", oneLine(e.Title))
	for _, section := range madrSections {
		placed = append(placed, section.field)
		if value := strings.TrimSpace(e.Field(section.field)); value != "" {
			fmt.Fprintf(&b, "\n%s\n\n%s\n", section.heading, value)
		}
	}
	b.WriteString("\n## More Information\n\n")
	for _, f := range e.Fields {
		if !slices.Contains(placed, f.Name) {
			fmt.Fprintf(&b, "- **%s**: %s\n", f.Name, f.Value)
		}
	}
	fmt.Fprintf(&b, "- %s of this repository\n", e.ID())
	return []byte(b.String())
}

// lowerFirst is a status as MADR writes it: "accepted", "superseded by ADR-005".
func lowerFirst(status string) string {
	word, rest, more := strings.Cut(status, " ")
	if more {
		return strings.ToLower(word) + " " + rest
	}
	return strings.ToLower(word)
}

var plainYAML = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ./-]*$`) })

// yamlText is a text as a value of front matter. JSON's texts are YAML's.
func yamlText(text string) string {
	text = oneLine(text)
	if plainYAML().MatchString(text) && !strings.HasSuffix(text, " ") {
		return text
	}
	quoted, _ := json.Marshal(text) // a text is always JSON
	return string(quoted)
}
