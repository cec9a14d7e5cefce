package migrate

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// instincts reads the instincts of the ECC plugin (everything-claude-code): one
// a file, or many in an export.
var instincts = Format{
	Name: "instinct", About: "instincts of everything-claude-code: one a file, or an export",
	Places: []string{".claude/instincts", ".claude/homunculus/instincts"},
	Takes:  extension(".md", ".yaml", ".yml"),
	Detect: func(_ string, head []byte) bool {
		head = append([]byte("\n"), head...)
		return bytes.Contains(head, []byte("\n---")) && bytes.Contains(head, []byte("\nid:")) &&
			bytes.Contains(head, []byte("\ntrigger:")) && bytes.Contains(head, []byte("\nconfidence:"))
	},
	read: readInstincts,
}

func readInstincts(f *file) {
	if !f.isText() {
		return
	}
	parts := instinctParts(f.data)
	if len(parts) == 0 {
		f.refuseAll(1, "it has no front matter with an id: it is no instinct")
	}
	for _, p := range parts {
		readInstinct(f, f.data[p.start:p.end], p.line)
	}
}

// part is one document of several in a file.
type part struct{ start, end, line int }

// instinctParts divides a file where a line --- stands before a line "id:".
func instinctParts(data []byte) []part {
	var parts []part
	at, line, dashes, dashesLine := 0, 0, -1, 0
	for text := range bytes.Lines(data) {
		line++
		trimmed := strings.TrimRight(string(text), " \t\r\n")
		switch {
		case trimmed == "---":
			dashes, dashesLine = at, line
		case strings.HasPrefix(trimmed, "id:") && dashes >= 0:
			if n := len(parts); n > 0 {
				parts[n-1].end = dashes
			}
			parts = append(parts, part{dashes, len(data), dashesLine})
			dashes = -1
		case trimmed != "" && !strings.HasPrefix(trimmed, "#"):
			dashes = -1
		}
		at += len(text)
	}
	return parts
}

// readInstinct reads one document; first is its line in the file.
func readInstinct(f *file, data []byte, first int) {
	m, err := frontmatter.ReadProperties(f.path, data)
	if err != nil {
		line, reason := matterFault(err)
		f.refuse(first-1+line, "", reason)
		return
	}
	id := prose.OneLine(m.Text("id"))
	t := Thing{Source: f.source(first, id)}
	values := map[string]string{}
	for _, s := range markdown.Sections(data[m.Body:], first-1+m.Line) {
		if s.Level == 1 && t.Title == "" {
			t.Title = flatten(s.Title)
		}
		key := sectionName(s.Title)
		values[key] = strings.TrimSpace(values[key] + " " + flatten(s.Text))
	}
	trigger := prose.OneLine(m.Text("trigger"))
	t.Title = cmp.Or(t.Title, strings.ReplaceAll(id, "-", " "))
	t.Fix = cmp.Or(values["action"], cmp.Or(values[strings.ToLower(t.Title)], values[""]))
	switch {
	case id == "":
		f.refuse(first, id, "it has no id")
		return
	case t.Fix == "":
		f.refuse(first, id, "it has no section \"Action\" and no text")
		return
	}
	if t.Problem = trigger; t.Problem != "" && !strings.ContainsAny(t.Problem[len(t.Problem)-1:], ".!?:") {
		t.Problem += "."
	}
	t.lesson(lesson.Pattern, 5, nil)
	t.Lesson.Tags = domainTags(m.List("domain"))
	if trust, err := strconv.ParseFloat(m.Text("confidence"), 64); err == nil {
		t.Lesson.Confidence = confidence(trust)
	}
	t.Observation = &observe.Observation{Observations: 1}
	if text := values["evidence"]; text != "" {
		t.Observation.Evidence = []string{text}
	}
	if t.Date = date(m.Text("updated", "last_seen", "created", "date")); m.Text("scope") == "project" {
		t.Scope = prose.OneLine(m.Text("project_name"))
	}
	t.draft("it says in words when it applies, and no call is named: " + trigger)
	f.add(t)
}
