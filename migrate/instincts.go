package migrate

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

// instincts reads the instincts of the ECC plugin (everything-claude-code): one
// a file, or many in an export.
func instincts() Format {
	return Format{
		Name: "instinct", About: "instincts of everything-claude-code: one a file, or an export",
		Places: []string{".claude/instincts", ".claude/homunculus/instincts"},
		Takes:  extension(".md", ".yaml", ".yml"),
		Detect: func(_ string, head []byte) bool {
			head = append([]byte("\n"), head...)
			return bytes.Contains(head, []byte("\n---")) && bytes.Contains(head, []byte("\nid:")) &&
				bytes.Contains(head, []byte("\ntrigger:")) && bytes.Contains(head, []byte("\nconfidence:"))
		},
		Read: readInstincts,
	}
}

func readInstincts(name string, data []byte) ([]Thing, []Refusal) {
	if r, bad := notText(name, data); bad {
		return nil, []Refusal{r}
	}
	parts := instinctParts(data)
	if len(parts) == 0 {
		return nil, []Refusal{{Path: name, Line: 1, Reason: "it has no front matter with an id: it is no instinct"}}
	}
	var things []Thing
	var refused []Refusal
	for _, p := range parts {
		t, id, line, reason := readInstinct(name, data[p.start:p.end], p.line)
		if reason != "" {
			refused = append(refused, Refusal{Path: name, Line: line, ID: id, Reason: reason})
			continue
		}
		things = append(things, t)
	}
	return things, refused
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
func readInstinct(name string, data []byte, first int) (t Thing, id string, line int, reason string) {
	m, err := knowledge.ReadMatter(name, data)
	if err != nil {
		line, text := faultOf(err)
		return t, "", first - 1 + line, "its front matter cannot be read: " + text
	}
	id = oneLine(m.Text("id"))
	t = Thing{Source: Source{Format: "instinct", Path: name, Line: first, ID: id}, Kind: knowledge.KindLesson}
	values := map[string]string{}
	for _, s := range knowledge.ReadSections(data[m.Body:], first-1+m.Line) {
		if s.Level == 1 && t.Title == "" {
			t.Title = flatten(s.Title)
		}
		key := sectionName(s.Title)
		values[key] = strings.TrimSpace(values[key] + " " + flatten(s.Text))
	}
	trigger := oneLine(m.Text("trigger"))
	t.Title = orElse(t.Title, strings.ReplaceAll(id, "-", " "))
	t.Fix = orElse(values["action"], orElse(values[strings.ToLower(t.Title)], values[""]))
	switch {
	case id == "":
		return t, id, first, "it has no id"
	case t.Fix == "":
		return t, id, first, "it has no section \"Action\" and no text"
	}
	if t.Problem = trigger; t.Problem != "" && !strings.ContainsAny(t.Problem[len(t.Problem)-1:], ".!?:") {
		t.Problem += "."
	}
	t.Lesson = &knowledge.Lesson{
		Kind: knowledge.PatternKind, Action: knowledge.ActionAuto, Priority: 5, Status: knowledge.StatusActive, Confidence: 0.5,
		Tags: domainTags(m.List("domain")),
	}
	if f, err := strconv.ParseFloat(m.Text("confidence"), 64); err == nil {
		t.Lesson.Confidence = confidence(f)
	}
	t.Observation = &knowledge.Observation{Observations: 1}
	if text := values["evidence"]; text != "" {
		t.Observation.Evidence = []string{text}
	}
	if t.Date = date(m.Text("updated", "last_seen", "created", "date")); m.Text("scope") == "project" {
		t.Scope = oneLine(m.Text("project_name"))
	}
	t.draft("it says in words when it applies, and no call is named: " + trigger)
	return t, id, first, ""
}

// faultOf is line and text of an error about front matter.
func faultOf(err error) (int, string) {
	if parse, ok := err.(*knowledge.ParseError); ok {
		return max(parse.Line, 1), parse.Text
	}
	return 1, err.Error()
}
