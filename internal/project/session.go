package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// startParts are what a session's first context is made of, in its order.
type startParts struct {
	Protocol   string
	Flow       string // the next step of the work
	Critical   []*lesson.Lesson
	Needed     []string                  // what has to be done first
	Statements []*lesson.Lesson          // what people said, for no call in particular
	Unsolved   []string                  // problems
	Index      func(maxBytes int) string // the newest entries that fit
	Rules      string                    // how many pitfalls are told elsewhere
	Notes      []string
	Unreviewed unreviewed
}

// unreviewed is what is not told, or not in force, because nobody here reviewed it.
type unreviewed struct {
	Drafts, Proposed int
	Others           TrustState
}

// maxCritical is how many critical lessons a session starts with.
const maxCritical = 5

// forSubagent are the parts that a sub-agent is told: what holds for every agent.
func (s startParts) forSubagent() startParts {
	return startParts{Protocol: s.Protocol, Critical: s.Critical, Statements: s.Statements, Index: s.Index, Rules: s.Rules}
}

// told are the parts as a text, and the lessons in it.
func (s startParts) told() hook.Told {
	text := s.text()
	return hook.Told{Context: text, Lessons: s.started(text)}
}

// text composes the context within MaxContext: protocol and critical lessons
// always, and of the statements and the index as much as fits.
func (s startParts) text() string {
	var b strings.Builder
	last := s.Unreviewed.text()
	room := agent.MaxContext - len(last) - 2
	section := func(text string) {
		text = strings.TrimRight(text, "\n")
		if text == "" || b.Len()+len(text)+2 > room {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
	}
	section(s.Protocol)
	section(s.Flow)
	section(criticalText(s.Critical))
	section(strings.Join(s.Needed, "\n"))
	section(statementsText(s.Statements))
	section(strings.Join(s.Unsolved, "\n"))
	if s.Index != nil {
		section(s.Index(room - b.Len() - 2))
	}
	section(s.Rules)
	section(strings.Join(s.Notes, "\n"))
	room = agent.MaxContext
	section(last)
	return b.String()
}

// started are the lessons in the text that was composed.
func (s startParts) started(text string) []inject.Started {
	var all []inject.Started
	add := func(l *lesson.Lesson, words string) {
		if line := "- " + words; strings.Contains(text, line) {
			all = append(all, inject.Started{Lesson: l.ID, Bytes: len(line)})
		}
	}
	for _, l := range s.Critical {
		add(l, l.Shown())
	}
	for _, l := range s.Statements {
		add(l, l.Said())
	}
	return all
}

func (u unreviewed) text() string {
	var own []string
	if u.Drafts > 0 {
		own = append(own, prose.Counted(u.Drafts, "draft lesson"))
	}
	if u.Proposed > 0 {
		own = append(own, prose.Counted(u.Proposed, "proposed decision"))
	}
	var lines []string
	if len(own) > 0 {
		lines = append(lines, "Not reviewed, so not shown: "+strings.Join(own, ", ")+" (lessons list --waiting).")
	}
	if waits := u.Others.String(); waits != "" {
		lines = append(lines, "Of others, and not reviewed here: "+waits+" (a person reviews it with lessons trust).")
	}
	return strings.Join(lines, "\n")
}

// maxStatements is how many bytes of the context statements may take: the index needs
// some too.
const maxStatements = agent.MaxContext / 2

func statementsText(lessons []*lesson.Lesson) string {
	if len(lessons) == 0 {
		return ""
	}
	text := "What the people here said, and what holds:"
	for i, l := range lessons {
		line := "\n- " + l.Said()
		if len(text)+len(line) > maxStatements {
			return text + fmt.Sprintf("\n… %d more: lessons list", len(lessons)-i)
		}
		text += line
	}
	return text
}

func criticalText(lessons []*lesson.Lesson) string {
	if len(lessons) == 0 {
		return ""
	}
	lines := append([]string{"Critical lessons:"}, lists.Map(lessons, func(l *lesson.Lesson) string { return "- " + l.Shown() })...)
	return strings.Join(lines, "\n")
}

// tell sorts lessons into what a session is told when it starts, most important first:
// the active ones that are critical, and instructions for no call in particular. What
// nobody here trusts is counted.
func (s *startParts) tell(lessons provenance.List[*lesson.Lesson]) {
	trusted := slices.Clone(lessons.Trusted())
	slices.SortFunc(trusted, func(a, b *lesson.Lesson) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.ID, b.ID))
	})
	for _, l := range trusted {
		critical := lesson.LevelOf(l.Priority) == lesson.Critical
		switch {
		case l.Status != lesson.Active:
		case critical && len(s.Critical) < maxCritical:
			s.Critical = append(s.Critical, l)
		case l.Statement():
			s.Statements = append(s.Statements, l)
		}
	}
}
