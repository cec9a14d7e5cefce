package compile

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Contradicts says how a lesson contradicts another one of the same repository, or is
// empty: both fire on the same calls and advise something else, or the fix of each is
// what the other stops.
func Contradicts(a, b *lesson.Lesson) string {
	switch {
	case sameTrigger(a, b) && a.Fix() != "" && b.Fix() != "" && observe.NormaliseFix(a.Fix()) != observe.NormaliseFix(b.Fix()):
		return "fires on the same calls as " + b.Path + " and advises something else; keep one"
	case stopsFix(a, b) && stopsFix(b, a):
		return "its fix is what " + b.Path + " stops, and the other way round; an agent could do neither"
	}
	return ""
}

func sameTrigger(a, b *lesson.Lesson) bool {
	canonical := lesson.CanonicalTrigger(&a.Triggers)
	return canonical != "" && canonical == lesson.CanonicalTrigger(&b.Triggers)
}

// stopsFix says whether the fix that a advises is a call on which b fires.
func stopsFix(a, b *lesson.Lesson) bool {
	command := commandIn(a.Fix())
	if command == "" {
		return false
	}
	fires, _ := Matcher(&b.Triggers)
	return fires(command)
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
