package migrate

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Markdown writes everything as one document for people: decisions, pitfalls,
// lessons, skills and commands, each below a heading of its own.
func Markdown(s *store.Snapshot, title string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", oneLine(title))
	entryChapter(&b, "Decisions", s.Decisions)
	entryChapter(&b, "Pitfalls", s.Pitfalls)
	lessonChapter(&b, s.Lessons)
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
		fmt.Fprintf(b, "\n### %s: %s\n\n%s\n", e.ID(), oneLine(e.Title), strings.TrimSpace(deeper(body, 1)))
	}
}

func lessonChapter(b *strings.Builder, lessons []*lesson.Lesson) {
	if len(lessons) == 0 {
		return
	}
	b.WriteString("\n## Lessons\n")
	for _, l := range lessons {
		fmt.Fprintf(b, "\n### %s\n\n_%s, %s, %s", oneLine(l.Title), l.Kind, lesson.LevelOf(l.Priority), l.Status)
		if when := triggerWords(l.Triggers); when != "" {
			fmt.Fprintf(b, "; at %s", when)
		}
		fmt.Fprintf(b, "_\n\n%s\n", strings.TrimSpace(deeper(l.Body, 2)))
	}
}

// triggerWords says when a lesson is shown.
func triggerWords(t lesson.Trigger) string {
	var parts []string
	for _, list := range [][]string{t.Commands, t.CommandPatterns, t.Paths, t.Content, t.Keywords} {
		for _, text := range list {
			parts = append(parts, "`"+strings.ReplaceAll(oneLine(text), "`", "'")+"`")
		}
	}
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
		fmt.Fprintf(b, "%s\n### %s\n\n`%s`\n\n%s\n", begin, oneLine(a.Title), a.Path, strings.TrimSpace(deeper(withoutMatter(a), 2)))
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
