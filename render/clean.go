package render

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// redactor takes secrets out of what an earlier tool stored without redaction.
// It knows no person and no home directory, so that it does the same everywhere.
var redactor redact.Redactor

// clean returns the text without secrets. What was redacted before stays as it is.
func clean(text string) string { return redactor.Text(text).String() }

// cleanCut is clean, then shortened to n characters: never the other way round,
// which would let half a key through.
func cleanCut(text string, n int) string { return redactor.Text(text).Cut(n).String() }

// cleanTrigger returns a copy of a trigger without secrets; nil stays nil.
func cleanTrigger(t *lesson.Trigger) *lesson.Trigger {
	if t = t.Clone(); t == nil {
		return nil
	}
	for _, slot := range [][]string{t.Tools, t.Commands, t.Unless, t.CommandPatterns, t.Paths, t.Content, t.Keywords, t.Context, t.Agents} {
		cleanAll(slot)
	}
	return t
}

func cleanExamples(e lesson.Examples) lesson.Examples {
	return lesson.Examples{Match: cleanAll(slices.Clone(e.Match)), Miss: cleanAll(slices.Clone(e.Miss))}
}

// cleanAll takes secrets out of a list, in place.
func cleanAll(list []string) []string {
	for i := range list {
		list[i] = clean(list[i])
	}
	return list
}

// sortedUnique returns the elements sorted, each once.
func sortedUnique(elements []string) []string {
	set := slices.Clone(elements)
	slices.Sort(set)
	return slices.Compact(set)
}
