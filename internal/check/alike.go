package check

import (
	"fmt"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Alike names the entries that may be about what another one in force is about: two people
// who decide apart put one thing in two wordings, or settle it both ways.
func Alike(fresh, standing []entry.Entry) []knowledge.Problem {
	var found []knowledge.Problem
	for _, e := range fresh {
		for _, other := range standing {
			if e.Kind != other.Kind || !e.Active() || !other.Active() || e.Path == other.Path && e.Line == other.Line || sameThing(e, other) || !statement.Alike(about(e), about(other)) {
				continue
			}
			found = append(found, notice(e.Path, e.Line, "similar-entry", fmt.Sprintf("%s may be about the same as %s, %s (%s): keep one, with lessons edit and lessons deprecate", e.ID(), other.ID(), other.Title, other.Path)))
		}
	}
	return found
}

// sameThing says whether two entries are two files of one: resolve joins them.
func sameThing(a, b entry.Entry) bool { return a.Source != "" && a.Source == b.Source }

// about is what an entry settles, or what goes wrong.
func about(e entry.Entry) string {
	return e.Title + ". " + e.Field(entry.FieldDecision) + ". " + e.Field(entry.FieldIssue)
}
