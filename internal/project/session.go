package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// startParts are what a session's first context is made of.
type startParts struct {
	Protocol string
	Critical []*lesson.Lesson
	Known    []string // problems
	Drafts   int
	Index    func(maxBytes int) string // the newest entries that fit
	Notes    []string
}

// maxCritical is how many critical lessons a session starts with (rulings 37).
const maxCritical = 5

// text composes the context within MaxContext: protocol and critical lessons
// always, and of the index as much as fits.
func (s startParts) text() string {
	var b strings.Builder
	section := func(text string) {
		text = strings.TrimRight(text, "\n")
		if text == "" || b.Len()+len(text)+2 > agent.MaxContext {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
	}
	section(s.Protocol)
	section(criticalText(s.Critical))
	section(strings.Join(s.Known, "\n"))
	section(strings.Join(s.Notes, "\n"))
	if s.Drafts > 0 {
		section(fmt.Sprintf("Not shown, because nobody reviewed it yet: %s (lessons list --status draft).", count(s.Drafts, "draft lesson")))
	}
	if s.Index != nil {
		section(s.Index(agent.MaxContext - b.Len() - 2))
	}
	return b.String()
}

func criticalText(lessons []*lesson.Lesson) string {
	if len(lessons) == 0 {
		return ""
	}
	lines := []string{"Critical lessons:"}
	for _, l := range lessons {
		lines = append(lines, "- "+l.Shown())
	}
	return strings.Join(lines, "\n")
}

// critical picks the active critical lessons, most important first.
func critical(lessons []*lesson.Lesson) []*lesson.Lesson {
	found := lists.Filter(lessons, func(l *lesson.Lesson) bool {
		return l.Status == "active" && lesson.LevelOf(l.Priority) == lesson.Critical
	})
	slices.SortFunc(found, func(a, b *lesson.Lesson) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.ID, b.ID))
	})
	return found[:min(len(found), maxCritical)]
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
