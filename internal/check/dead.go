package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// dead finds active lessons that no agent will ever be told of, or of every file. Of what
// stands as it was rendered the session called the tools, and it is told where it was met.
func dead(in Input) []knowledge.Problem {
	var found []knowledge.Problem
	for _, l := range active(in.Snapshot.Lessons) {
		report := func(rule, format string, args ...any) {
			found = append(found, knowledge.Problem{Path: l.Path, Line: 1, Rule: rule, Text: fmt.Sprintf(format, args...)})
		}
		t, _ := compile.Trigger(&l.Triggers)
		met := l.Seen.Sessions > 0 && rendered(in.Snapshot, l.Source, knowledge.KindLesson, in.Snapshot.Before(l.Path))
		if !met && !compile.Brought(l) {
			report("dead-lesson", "no trigger brings it: name a command, a path or a keyword, or make it a requirement, which sessions start with")
		}
		for _, tool := range l.Triggers.Tools {
			if !met && !tools.Known(tool) {
				report("dead-lesson", "no agent has a tool %q; the names are those of Claude Code, such as Bash and Edit", tool)
			}
		}
		for _, key := range l.Unknown {
			if near := nearKey(key.Name); near != "" {
				report("misspelt-key", "%q is no key of a lesson and has no effect; is it %s?", key.Name, near)
			}
		}
		for _, glob := range l.Triggers.Paths {
			switch {
			case compile.MatchesNoFile(glob):
				report("dead-lesson", "the glob %q matches no file: paths are relative to the repository, with slashes", glob)
			case (glob == "**" || glob == "**/*") && len(t.Commands)+len(t.CommandPatterns)+len(t.Content) == 0:
				report("matches-everything", "the glob %q is every file; name a folder or an ending", glob)
			}
		}
	}
	return found
}

// unknownStatus finds entries with a status that no reader knows: they count as in force.
func unknownStatus(in Input) []knowledge.Problem {
	var found []knowledge.Problem
	for _, e := range entries(in.Snapshot) {
		if status := e.Status(); status != "" && !entry.KnownStatus(status) {
			found = append(found, knowledge.Problem{
				Path: e.Path, Line: e.Line, Rule: "unknown-status",
				Text: fmt.Sprintf("%s: %q is no status; it counts as in force. Known are Proposed, Accepted, Active, Deprecated, Superseded, Retired and Rejected", e.ID(), status),
			})
		}
	}
	return found
}

// nearKey is the key of a lesson that somebody meant; empty: none is near.
func nearKey(name string) string {
	if slices.Contains([]string{"require", "on_error", "onError"}, name) {
		return ""
	}
	for _, key := range lesson.Keys {
		if d := prose.Distance(strings.ToLower(strings.ReplaceAll(name, "_", "")), strings.ToLower(key)); d > 0 && d <= 2 && len(name) > 3 {
			return key
		}
	}
	return ""
}
