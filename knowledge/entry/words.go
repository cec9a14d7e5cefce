package entry

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

// WordsHash identifies what an entry says: without its number, without what more evidence
// changes, and without a status that evidence gives.
func (e Entry) WordsHash() string {
	_, body, _ := bytes.Cut(e.Text, []byte("\n"))
	evidence := []string{FieldDate, FieldSeen, FieldQuote, FieldFormerly}
	if slices.Contains([]string{StatusProposed, StatusAccepted, StatusActive}, e.Status()) {
		evidence = append(evidence, FieldStatus)
	}
	words := []byte(e.Title + "\n")
	for line := range bytes.Lines(body) {
		if !slices.ContainsFunc(evidence, func(name string) bool { return strings.HasPrefix(string(line), "- **"+name+"**:") }) {
			words = append(words, line...)
		}
	}
	return knowledge.ContentHash(bytes.TrimSpace(words))
}
