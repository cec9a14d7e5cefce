package check

import (
	"fmt"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
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

// contradictions finds active lessons that contradict each other.
func contradictions(in Input) []knowledge.Problem {
	var found []knowledge.Problem
	lessons := active(in.Snapshot.Lessons)
	for i, a := range lessons {
		for _, b := range lessons[:i] {
			if text := compile.Contradicts(a, b); text != "" {
				found = append(found, knowledge.Problem{Path: a.Path, Line: 1, Rule: "contradiction", Text: text})
			}
		}
	}
	return found
}

func active(lessons []*lesson.Lesson) []*lesson.Lesson {
	return lists.Filter(lessons, func(l *lesson.Lesson) bool { return l.Status == lesson.Active && l.SupersededBy == "" })
}
