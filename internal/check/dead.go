package check

import (
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
func (c *checker) dead() {
	for _, l := range active(c.Snapshot.Lessons) {
		t, _ := compile.Trigger(&l.Triggers)
		met := l.Seen.Sessions > 0 && rendered(c.Snapshot, l.Source, knowledge.KindLesson, c.Snapshot.Before(l.Path))
		if !met && !compile.Brought(l) {
			c.broken(l.Path, 1, "dead-lesson", "no trigger brings it: name a command, a path or a keyword, or make it a requirement, which sessions start with")
		}
		for _, tool := range l.Triggers.Tools {
			if !met && !tools.Known(tool) {
				c.broken(l.Path, 1, "dead-lesson", "no agent has a tool %q; the names are those of Claude Code, such as Bash and Edit", tool)
			}
		}
		for _, key := range l.Unknown {
			if near := nearKey(key.Name); near != "" {
				c.broken(l.Path, 1, "misspelt-key", "%q is no key of a lesson and has no effect; is it %s?", key.Name, near)
			}
		}
		for _, glob := range l.Triggers.Paths {
			switch {
			case compile.MatchesNoFile(glob):
				c.broken(l.Path, 1, "dead-lesson", "the glob %q matches no file: paths are relative to the repository, with slashes", glob)
			case c.meansRepository(glob):
				c.broken(l.Path, 1, "dead-lesson", "the glob %q begins at the root of the file system; for the folder of this repository write %q", glob, glob[1:])
			case (glob == "**" || glob == "**/*") && len(t.Commands)+len(t.CommandPatterns)+len(t.Content) == 0:
				c.broken(l.Path, 1, "matches-everything", "the glob %q is every file; name a folder or an ending", glob)
			}
		}
	}
}

// meansRepository says whether a glob begins with a slash, though its first folder lies in
// the repository.
func (c *checker) meansRepository(glob string) bool {
	if !strings.HasPrefix(glob, "/") || c.There == nil {
		return false
	}
	first, _, more := strings.Cut(glob[1:], "/")
	return more && first != "" && !strings.ContainsAny(first, `*?[{\\`) && c.There(first)
}

// unknownStatus finds entries with a status that no reader knows: they count as in force.
func (c *checker) unknownStatus() {
	for _, e := range c.Snapshot.Entries() {
		if status := e.Status(); status != "" && !entry.KnownStatus(status) {
			c.broken(e.Path, e.Line, "unknown-status", "%s: %q is no status; it counts as in force. Known are Proposed, Accepted, Active, Deprecated, Superseded, Retired and Rejected", e.ID(), status)
		}
	}
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
