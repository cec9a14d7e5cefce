package project

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func spoken(title string, priority int) *lesson.Lesson {
	return &lesson.Lesson{ID: title, Title: title, Kind: lesson.Requirement, Priority: priority, Status: lesson.Active, Confidence: 0.7}
}

func TestASessionIsToldInOrderOfImportance(t *testing.T) {
	draft, theirs, theirCritical, withTrigger := spoken("a draft", 5), spoken("theirs", 5), spoken("their critical one", 9), spoken("for npm", 5)
	draft.Status, withTrigger.Triggers.Commands = lesson.Draft, []string{"npm"}
	parts := startParts{
		Protocol: "PROTOCOL", Needed: []string{"NEEDED"}, Unsolved: []string{"UNSOLVED"}, Notes: []string{"NOTE"},
		Index: func(int) string { return "INDEX" }, Unreviewed: unreviewed{Drafts: 1, Proposed: 2, Others: TrustState{Lessons: make([]TrustedLesson, 2), Settings: []string{"maxAction"}}},
	}
	lessons := []*lesson.Lesson{spoken("dates are UTC", 5), draft, spoken("never push to main", 9), theirs, theirCritical, withTrigger, spoken("squash first", 6)}
	parts.tell(provenance.Sort(lessons, func(l *lesson.Lesson) bool { return !strings.HasPrefix(l.Title, "their") }))
	want := `PROTOCOL

Critical lessons:
- CRITICAL requirement: never push to main

NEEDED

What the people here said, and what holds:
- squash first
- dates are UTC

UNSOLVED

INDEX

NOTE

Not reviewed, so not shown: 1 draft lesson, 2 proposed decisions (lessons list --waiting).
Of others, and not reviewed here: 2 lessons, settings that protect less (maxAction) (a person reviews it with lessons trust).`
	if got := parts.text(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestWhatASessionIsToldFits(t *testing.T) {
	for n := range 120 {
		parts := startParts{
			Protocol: strings.Repeat("p", 900), Unreviewed: unreviewed{Drafts: n},
			Index: func(most int) string { return strings.Repeat("i", max(0, min(most, 20_000))) },
		}
		var lessons []*lesson.Lesson
		for i := range n {
			l := spoken(fmt.Sprintf("rule %03d %s", i, strings.Repeat("w", n)), 5)
			l.Body = "**Why**: " + strings.Repeat("because ", i%20)
			lessons = append(lessons, l)
		}
		parts.tell(provenance.Parted(lessons, nil))
		text := parts.text()
		if len(text) > agent.MaxContext {
			t.Fatalf("%d statements: %d bytes", n, len(text))
		}
		told := strings.Count(text, "\n- rule ")
		if n > 0 && (told == 0 || !strings.Contains(text, "Not reviewed") || !strings.Contains(text, "iii")) {
			t.Fatalf("%d statements: %d told", n, told)
		}
		if told < n && !strings.Contains(text, fmt.Sprintf("… %d more: lessons list", n-told)) {
			t.Fatalf("%d statements, %d told, and nothing says so", n, told)
		}
	}
}
