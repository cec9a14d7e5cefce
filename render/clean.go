package render

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/redact"
)

// redactor takes secrets out of what an earlier tool stored without redaction.
// It knows no person and no home directory, so that it does the same everywhere.
var redactor redact.Redactor

// clean returns the text without secrets. What was redacted before stays as it is.
func clean(text string) string { return redactor.Text(text).String() }

// cleanCut is clean, then shortened to n characters: never the other way round,
// which would let half a key through.
func cleanCut(text string, n int) string { return redactor.Text(text).Cut(n).String() }

// sortedUnique returns the elements sorted, each once.
func sortedUnique(elements []string) []string {
	set := slices.Clone(elements)
	slices.Sort(set)
	return slices.Compact(set)
}
