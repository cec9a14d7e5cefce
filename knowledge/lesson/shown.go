package lesson

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Limits of the text that an agent is shown, in bytes.
const (
	maxShown          = 200
	maxShownChecklist = 600
)

// Shown is the lesson as an agent reads it: level, kind and title in one line,
// then as much of the content as its kind may have. Text is never cut inside a
// sentence: what does not fit is left out, and where nothing fits the agent is
// told where to read it.
func (l *Lesson) Shown() string {
	return l.shown(fmt.Sprintf("%s %s: ", strings.ToUpper(string(LevelOf(l.Priority))), l.Kind))
}

// Said is the lesson in a list whose heading says what all of them are.
func (l *Lesson) Said() string { return l.shown("") }

// pause is what stands between a title and the text that goes on behind it, which people
// often begin in lower case.
func pause(title, text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case slices.ContainsFunc([]string{".", "!", "?", "…"}, func(end string) bool { return strings.HasSuffix(title, end) }):
		return " "
	case !unicode.IsLower(first):
		return ". "
	case strings.Contains(title, ": "):
		return "; "
	}
	return ": "
}

// shown is the lesson behind a head.
func (l *Lesson) shown(head string) string {
	limit := maxShown
	if l.Kind == Checklist {
		limit = maxShownChecklist
	}
	title := prose.OneLine(l.Title)
	line := prose.OneLine(fixLine(l.Body))
	body := prose.OneLine(l.Body)
	repeats := strings.HasPrefix(body, strings.TrimRight(title, " …"))
	if repeats {
		line = cmp.Or(line, body)
	}
	for _, text := range append([]string{body, line}, beginnings(line)...) {
		shown := head + text
		if !repeats {
			shown = head + title + pause(title, text) + text
		}
		if text != "" && len(shown) <= limit {
			return prose.Neutral(shown)
		}
	}
	titleTellsAll := body == "" || l.Kind == Requirement && line == "" && !strings.HasSuffix(title, "…")
	if titleTellsAll || l.Path == "" {
		return prose.Neutral(head + title)
	}
	pointer := "Read " + l.Path
	for words := strings.Fields(title); len(words) > 3 && len(head+title+". "+pointer) > limit; {
		words = words[:len(words)-1]
		title = strings.Join(words, " ") + " …"
	}
	return prose.Neutral(head + title + pause(title, pointer) + pointer)
}

// beginnings are the first sentences of a line, the most first.
func beginnings(line string) []string {
	var all []string
	for at := len(line) - 2; at > 0; at-- {
		if (line[at] == '.' || line[at] == ';') && line[at+1] == ' ' && strings.Count(line[:at], "`")%2 == 0 {
			all = append(all, line[:at+1])
		}
	}
	return all
}

// fixLabels are the labels of the line of a body that says what to do.
var fixLabels = [...]string{"Fix", "Mitigate", "Do", "Constraint"}

// fixLine is the line of a body that says what to do.
func fixLine(body string) string {
	for line := range strings.Lines(body) {
		if FixOf(line) != "" {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// Fix is what the lesson's body says to do instead, or the empty text.
func (l *Lesson) Fix() string { return FixOf(l.Body) }

// FixOf is what the first line of a body says to do that has one of the labels for it.
func FixOf(body string) string {
	for line := range strings.Lines(body) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-* ")
		for _, label := range fixLabels {
			rest, ok := strings.CutPrefix(line, label)
			if !ok {
				continue
			}
			if text, ok := strings.CutPrefix(strings.TrimLeft(rest, "*"), ":"); ok {
				if text = strings.TrimSpace(strings.TrimLeft(text, "*")); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// Statement says whether the lesson is what people said for no call in particular, with which
// sessions start.
func (l *Lesson) Statement() bool {
	return l.Kind == Requirement && CanonicalTrigger(&l.Triggers) == ""
}
