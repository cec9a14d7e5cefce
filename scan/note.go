package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// notes finds what an agent says in words of its own that it will hold to later:
// "Lesson learned: …", "Going forward, …". It is a report of less weight than a block
// that the agent was asked for: it is logged, and written down when something else
// tells of it too.
type notes struct{}

const (
	maxNotes     = 2 // of a message
	minNoteWords = 4
	maxNoteWords = 40
)

func (notes) Detect(w *Window) []finding {
	s := w.Last()
	if s.Kind != transcript.Assistant || !noteLead.MatchString(s.Text) {
		return nil
	}
	var found []finding
	lines := strings.Split(firstBytes(s.Text, maxTagBytes), "\n")
	for i := 0; i < len(lines) && len(found) < maxNotes; i++ {
		if mark := fenceMark(lines[i]); mark != "" {
			i = closingFence(lines, i+1, mark)
			continue
		}
		m := noteLead.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		rule := plainTitle(intentions.ReplaceAllString(m[1], ""))
		if n := statement.CountWords(rule); n < minNoteWords || n > maxNoteWords || strings.HasSuffix(strings.TrimSpace(m[1]), "?") {
			continue
		}
		found = append(found, finding{
			kind: Note, typ: knowledge.Pitfall, origin: observe.OriginNote, line: s.Line, at: s.Time,
			title: rule, fix: rule, quotes: []string{strings.TrimSpace(lines[i])}, marks: textMarks(m[1], nil),
		})
	}
	return found
}

// noteLead matches a line that begins with one of the forms. Quotations and code do
// not begin so.
var noteLead = automata.New(`(?im)^ {0,3}(?:[-*] |\d+[.)] )?[*_]{0,2}(?:(?:key )?lessons? learned|(?:a )?note (?:for|to) (?:the )?(?:future|my future self|later sessions)|for future reference|going forward|from now on|important)[*_]{0,2}\s*[:,–—-]\s*[*_]{0,2}\s*(\S.*)$`)

// intentions are the words by which a note speaks of its agent.
var intentions = phrasebook.Pattern("intentions")
