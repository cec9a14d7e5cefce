package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Markdown writes everything as one document for people: decisions, pitfalls,
// lessons, skills and commands, each below a heading of its own.
func Markdown(s *store.Snapshot, title string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", prose.OneLine(title))
	entryChapter(&b, "Decisions", s.Decisions)
	entryChapter(&b, "Pitfalls", s.Pitfalls)
	isDraft := func(l *lesson.Lesson) bool { return l.Status == lesson.Draft }
	lessonChapter(&b, "Lessons", lists.Filter(s.Lessons, func(l *lesson.Lesson) bool { return !isDraft(l) }))
	lessonChapter(&b, "Drafts", lists.Filter(s.Lessons, isDraft))
	fileChapter(&b, "Skills", knowledge.KindSkill, s)
	fileChapter(&b, "Commands", knowledge.KindCommand, s)
	return []byte(b.String())
}

func entryChapter(b *strings.Builder, heading string, entries []entry.Entry) {
	if len(entries) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n", heading)
	for _, e := range entries {
		_, body, _ := strings.Cut(string(knowledge.NormaliseLines(e.Text)), "\n")
		fmt.Fprintf(b, "\n### %s: %s\n\n%s\n", e.ID(), prose.OneLine(e.Title), strings.TrimSpace(deeper(body, 1)))
	}
}

func lessonChapter(b *strings.Builder, heading string, lessons []*lesson.Lesson) {
	if len(lessons) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n", heading)
	for _, l := range lessons {
		fmt.Fprintf(b, "\n### %s\n\n_%s, %s, %s", prose.OneLine(l.Title), l.Kind, lesson.LevelOf(l.Priority), l.Status)
		if when := triggerWords(l.Triggers); when != "" {
			fmt.Fprintf(b, "; at %s", when)
		}
		b.WriteString("_\n")
		if body := strings.TrimSpace(deeper(l.Body, 2)); body != "" {
			fmt.Fprintf(b, "\n%s\n", body)
		}
	}
}

// triggerWords says when a lesson is shown.
func triggerWords(t lesson.Trigger) string {
	parts := lists.Flat([][]string{t.Commands, t.CommandPatterns, t.Paths, t.Content, t.Keywords}, func(list []string) []string {
		return lists.Map(list, func(text string) string { return "`" + strings.ReplaceAll(prose.OneLine(text), "`", "'") + "`" })
	})
	if len(parts) == 0 {
		parts = t.Tools
	}
	return strings.Join(parts, ", ")
}

// fileChapter writes skills or commands. A published copy of a skill is not
// written beside it.
func fileChapter(b *strings.Builder, heading string, kind knowledge.Kind, s *store.Snapshot) {
	sources := map[string]bool{}
	for _, a := range s.Artifacts {
		if a.Kind == kind && !agentFile(a.Path) {
			sources[a.Source] = true
		}
	}
	begin := "\n## " + heading + "\n"
	for _, a := range s.Artifacts {
		if a.Kind != kind || kind == knowledge.KindSkill && agentFile(a.Path) && sources[a.Source] {
			continue
		}
		fmt.Fprintf(b, "%s\n### %s\n\n`%s`\n\n%s\n", begin, prose.OneLine(a.Title), a.Path, strings.TrimSpace(deeper(withoutMatter(a), 2)))
		begin = ""
	}
}

// withoutMatter is the text of a skill or command behind its front matter and its
// title.
func withoutMatter(a artifact.Artifact) string {
	text := a.Text
	if m, err := frontmatter.ReadProperties(a.Path, text); err == nil {
		text = text[m.Body:]
	}
	body := strings.TrimSpace(string(knowledge.NormaliseLines(text)))
	if first, rest, _ := strings.Cut(body, "\n"); strings.HasPrefix(first, "# ") {
		return rest
	}
	return body
}

// deeper puts the headings of a text further down, code blocks apart.
func deeper(text string, by int) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		start := strings.TrimLeft(line, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(start, fence) && strings.Trim(start, fence[:1]+" \r\n") == "" {
				fence = ""
			}
		case strings.HasPrefix(start, "```"), strings.HasPrefix(start, "~~~"):
			fence = start[:len(start)-len(strings.TrimLeft(start, start[:1]))]
		case strings.HasPrefix(line, "#"):
			level := len(line) - len(strings.TrimLeft(line, "#"))
			if rest := line[level:]; strings.HasPrefix(rest, " ") && level <= 6 {
				line = strings.Repeat("#", min(level+by, 6)) + rest
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

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
	placed := []string{entry.FieldSource, entry.FieldBecause}
	b.WriteString("---\n")
	for _, m := range madrMatter {
		placed = append(placed, m.field)
		if value := e.Field(m.field); value != "" {
			if m.field == entry.FieldStatus {
				value = prose.LowerFirst(value) // as MADR writes it: "accepted", "superseded by ADR-005"
			}
			fmt.Fprintf(&b, "%s: %s\n", m.key, frontmatter.Scalar(prose.OneLine(value)))
		}
	}
	fmt.Fprintf(&b, "---\n\n# %s\n", prose.OneLine(e.Title))
	for _, section := range madrSections {
		placed = append(placed, section.field)
		if value := strings.TrimSpace(e.Field(section.field)); value != "" {
			fmt.Fprintf(&b, "\n%s\n\n%s\n", section.heading, value)
		}
		if why := e.Field(entry.FieldBecause); why != "" && section.field == entry.FieldDecision {
			fmt.Fprintf(&b, "\n### Because\n\n%s\n", why)
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

// knowledgeSkill is the skill that carries what is no skill here.
const knowledgeSkill = "repository-knowledge"

// Skills writes a folder of skills: those of the repository as they are, and one
// with its decisions, pitfalls and active lessons, for agents that read nothing
// else.
func Skills(s *store.Snapshot, e Export) []entry.File {
	var files []entry.File
	taken := map[string]bool{}
	for _, f := range e.Files {
		if path, ok := strings.CutPrefix(f.Path, ".lessons/skills/"); ok {
			name, _, _ := strings.Cut(path, "/")
			taken[strings.ToLower(name)] = true
			files = append(files, entry.File{Path: path, Data: f.Data()})
		}
	}
	known := holding(s)
	if len(known.Decisions)+len(known.Pitfalls)+len(known.Lessons) == 0 {
		return files
	}
	name := knowledgeSkill
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", knowledgeSkill, n)
	}
	head := fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n", name, frontmatter.Scalar(
		"What was decided in this repository, which traps it has and what went wrong before. Use it before changing code or running its tools."))
	return append(files, entry.File{Path: name + "/SKILL.md", Data: append([]byte(head), Markdown(known, "What this repository knows")...)})
}

// holding is what still holds: active entries and lessons.
func holding(s *store.Snapshot) *store.Snapshot {
	active := func(entries []entry.Entry) []entry.Entry { return lists.Filter(entries, entry.Entry.Active) }
	lessons := lists.Filter(s.Lessons, func(l *lesson.Lesson) bool { return l.Status == lesson.Active })
	return &store.Snapshot{Decisions: active(s.Decisions), Pitfalls: active(s.Pitfalls), Lessons: lessons}
}
