package check

import (
	"fmt"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Subject is what an entry settles, or what a skill is for.
type Subject struct {
	name, title, about, path, source, keep string
	kind                                   knowledge.Kind
	line                                   int
}

// OfEntries are the subjects of entries in force.
func OfEntries(all []entry.Entry) []Subject {
	return lists.Map(lists.Filter(all, entry.Entry.Active), func(e entry.Entry) Subject {
		return Subject{
			name: e.ID(), title: e.Title, about: e.Title + ". " + e.Field(entry.FieldDecision) + ". " + e.Field(entry.FieldIssue),
			path: e.Path, source: e.Source, keep: "with lessons edit and lessons deprecate", kind: e.Kind, line: e.Line,
		}
	})
}

// OfSkills are the subjects of skills.
func OfSkills(all []artifact.Artifact) []Subject {
	return lists.Map(all, func(a artifact.Artifact) Subject {
		return Subject{name: "this skill", title: a.Title, about: a.Title, path: a.Path, source: a.Source, keep: "and git rm the other", kind: a.Kind, line: 1}
	})
}

// Alike names what may be about what something else in force is about: two people who work
// apart put one thing in two wordings, or settle it both ways. What tells of one observation
// resolve joins.
func Alike(fresh, standing []Subject) []knowledge.Problem {
	var found []knowledge.Problem
	for _, one := range fresh {
		for _, other := range standing {
			if one.kind == other.kind && (one.source == "" || one.source != other.source) && (one.path != other.path || one.line != other.line) && statement.Alike(one.about, other.about) {
				found = append(found, notice(one.path, one.line, "similar", fmt.Sprintf("%s may be about the same as %s, %s: keep one, %s", one.name, other.path, other.title, one.keep)))
			}
		}
	}
	return found
}
