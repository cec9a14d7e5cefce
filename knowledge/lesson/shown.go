package lesson

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Limits of the text that an agent is shown, in bytes (rulings 20).
const (
	maxShown          = 200
	maxShownChecklist = 600
)

// Shown is the lesson as an agent reads it: level, kind and title in one line,
// then as much of the content as its kind may have. Text is never cut inside a
// sentence: what does not fit is left out.
func (l *Lesson) Shown() string {
	return l.shown(fmt.Sprintf("%s %s: %s", strings.ToUpper(string(LevelOf(l.Priority))), l.Kind, prose.OneLine(l.Title)))
}

// Said is the lesson in a list whose heading says what all of them are.
func (l *Lesson) Said() string { return l.shown(prose.OneLine(l.Title)) }

func (l *Lesson) shown(head string) string {
	limit := maxShown
	if l.Kind == Checklist {
		limit = maxShownChecklist
	}
	for _, body := range []string{prose.OneLine(l.Body), fixLine(l.Body)} {
		if body != "" && len(head)+len(body)+2 <= limit {
			return prose.Neutral(head + ". " + body)
		}
	}
	return prose.Neutral(head)
}

// fixLine is the part of a body that says what to do instead.
func fixLine(body string) string {
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "**Fix**") {
			return line
		}
	}
	return ""
}

// Fix is what the lesson's body says to do instead: the text of its Fix line, or
// the empty text.
func (l *Lesson) Fix() string {
	for line := range strings.Lines(l.Body) {
		if fix, ok := strings.CutPrefix(strings.TrimSpace(line), "**Fix**:"); ok {
			return strings.TrimSpace(fix)
		}
	}
	return ""
}
