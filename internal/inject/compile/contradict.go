package compile

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Contradicts says how a lesson contradicts another one of the same repository, or is
// empty: one call brings both and their fixes exclude each other on one word, or the fix
// of each is what the other stops. Two fixes that an agent can follow together do not.
func Contradicts(a, b *lesson.Lesson) string {
	one, other := exclude(a.Fix(), b.Fix())
	switch {
	case one != "" && sameCall(a, b):
		return "a call brings it and " + b.Path + ", and one says " + one + " where the other says " + other + "; keep one"
	case stopsFix(a, b) && stopsFix(b, a) && !stopsFix(a, a) && !stopsFix(b, b):
		return "its fix is what " + b.Path + " stops, and the other way round; an agent could do neither"
	}
	return ""
}

// exclude returns the one word on which two fixes that are alike otherwise differ; empty:
// they do not, or say different things. Two flags can be given both.
func exclude(a, b string) (one, other string) {
	x, y := wordsOfFix(a), wordsOfFix(b)
	if len(x) != len(y) {
		return "", ""
	}
	for i := range x {
		switch {
		case x[i] == y[i]:
		case one != "":
			return "", ""
		default:
			one, other = x[i], y[i]
		}
	}
	flag, _, _ := strings.Cut(one, "=")
	second, _, _ := strings.Cut(other, "=")
	if strings.HasPrefix(flag, "-") && strings.HasPrefix(second, "-") && flag != second {
		return "", ""
	}
	return one, other
}

func wordsOfFix(fix string) []string {
	return strings.Fields(strings.ToLower(strings.Trim(strings.ReplaceAll(fix, "`", " "), " .;")))
}

// sameCall says whether some call brings both lessons: as their triggers are one, or as
// one fires on a command that the other names.
func sameCall(a, b *lesson.Lesson) bool {
	canonical := lesson.CanonicalTrigger(&a.Triggers)
	if canonical != "" && canonical == lesson.CanonicalTrigger(&b.Triggers) {
		return true
	}
	onA, _ := Matcher(&a.Triggers)
	onB, _ := Matcher(&b.Triggers)
	return slices.ContainsFunc(slices.Concat(a.Triggers.Commands, b.Triggers.Commands), func(command string) bool { return onA(command) && onB(command) })
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
