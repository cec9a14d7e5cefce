package check

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// overBudget finds lessons that are too long for what agents may be shown at once.
func overBudget(in Input) []knowledge.Problem {
	var found []knowledge.Problem
	limit := in.Snapshot.Config.InjectionBudgetBytes
	for _, l := range in.Snapshot.Lessons {
		if n := len(l.Shown()); l.Status != lesson.Archived && limit > 0 && n > limit {
			found = append(found, knowledge.Problem{
				Path: l.Path, Line: l.BodyLine, Rule: "over-budget",
				Text: fmt.Sprintf("an agent would be shown %d bytes, and injectionBudgetBytes is %d: it is never shown", n, limit),
			})
		}
	}
	return found
}

// strangers are calls that have nothing to do with each other. What fires on all
// of them says nothing about any.
var strangers = []string{"ls", "git status", "make", "echo done", "cat notes", "npm test", "python3 run.py", "docker ps"}

// matchesEverything finds lessons whose triggers fire on whatever is called.
func matchesEverything(in Input) []knowledge.Problem {
	if in.Fires == nil {
		return nil
	}
	var found []knowledge.Problem
	for _, l := range in.Snapshot.Lessons {
		hits := 0
		for _, command := range strangers {
			if l.Status == lesson.Active && in.Fires(l, command) {
				hits++
			}
		}
		if hits == len(strangers) {
			found = append(found, knowledge.Problem{
				Path: l.Path, Line: 1, Rule: "matches-everything",
				Text: "the triggers fire on every command; name a program, a path or a pattern",
			})
		}
	}
	return found
}

// contradictions finds active lessons that fire on the same calls and advise
// something else, and pairs that send an agent back and forth: the fix of each is
// what the other stops.
func contradictions(in Input) []knowledge.Problem {
	var found []knowledge.Problem
	lessons := active(in.Snapshot.Lessons)
	for i, a := range lessons {
		for _, b := range lessons[:i] {
			text := ""
			switch {
			case sameTrigger(a, b) && a.Fix() != "" && b.Fix() != "" && observe.NormaliseFix(a.Fix()) != observe.NormaliseFix(b.Fix()):
				text = "fires on the same calls as %s and advises something else; keep one"
			case in.Fires != nil && stops(in, a, b) && stops(in, b, a):
				text = "its fix is what %s stops, and the other way round; an agent could do neither"
			default:
				continue
			}
			found = append(found, knowledge.Problem{Path: a.Path, Line: 1, Rule: "contradiction", Text: fmt.Sprintf(text, b.Path)})
		}
	}
	return found
}

func active(lessons []*lesson.Lesson) []*lesson.Lesson {
	return lists.Filter(lessons, func(l *lesson.Lesson) bool { return l.Status == lesson.Active && l.SupersededBy == "" })
}

func sameTrigger(a, b *lesson.Lesson) bool {
	canonical := lesson.CanonicalTrigger(&a.Triggers)
	return canonical != "" && canonical == lesson.CanonicalTrigger(&b.Triggers)
}

// stops says whether the fix that a advises is a call on which b fires.
func stops(in Input, a, b *lesson.Lesson) bool {
	command := commandIn(a.Fix())
	return command != "" && in.Fires(b, command)
}

// commandIn is the command of a fix: between backticks, else the whole of it. A
// list, and the pointer to the whole text of a lesson, are none.
func commandIn(fix string) string {
	if _, rest, ok := strings.Cut(fix, "`"); ok {
		command, _, _ := strings.Cut(rest, "`")
		return command
	}
	if strings.HasPrefix(fix, "1. ") || strings.HasPrefix(fix, "read .lessons/") {
		return ""
	}
	return fix
}
