package publish

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Target is one kind of file to which is published.
type Target struct {
	Name    string
	Readers []string // agents that read it, by the names of their hooks
	folder  string   // of rules; "": the one file AGENTS.md
	ending  string
	head    func(paths []string) string // front matter of a rule
}

// All are the targets, in the order in which they are named.
var All = []Target{
	{Name: "agents-md", Readers: []string{"codex", "opencode", "copilot", "cursor"}},
	{Name: "claude", Readers: []string{"claude"}, folder: ".claude/rules/lessons", ending: ".md", head: func(paths []string) string {
		if len(paths) == 0 {
			return ""
		}
		return "---\npaths:\n" + listed(paths) + "---\n"
	}},
	{Name: "cursor", Readers: []string{"cursor"}, folder: ".cursor/rules/lessons", ending: ".mdc", head: func(paths []string) string {
		return fmt.Sprintf("---\ndescription: Lessons of this repository\nglobs: %s\nalwaysApply: %t\n---\n", strings.Join(paths, ","), len(paths) == 0)
	}},
	{Name: "copilot", Readers: []string{"copilot"}, folder: ".github/instructions/lessons", ending: ".instructions.md", head: func(paths []string) string {
		if len(paths) == 0 {
			paths = []string{"**"}
		}
		return fmt.Sprintf("---\napplyTo: %q\n---\n", strings.Join(paths, ","))
	}},
}

// Named returns the target of a name.
func Named(name string) (Target, bool) {
	return lists.Find(All, func(t Target) bool { return t.Name == name })
}

const agentsFile = "AGENTS.md"

// Driver is the merge driver of the files to which is published.
const Driver = "lessons-published"

// Attribute is the line of .gitattributes that hands its files to the merge driver.
func (t Target) Attribute() string {
	if t.folder == "" {
		return "/" + agentsFile + " merge=" + Driver
	}
	return "/" + t.folder + "/*" + t.ending + " merge=" + Driver
}

// Owns says whether a path is one of a target.
func Owns(name string) bool {
	return slices.ContainsFunc(All, func(t Target) bool {
		return t.folder == "" && name == agentsFile || t.folder != "" && path.Dir(name) == t.folder && strings.HasSuffix(name, t.ending)
	})
}

// paths are the files of a target that are there.
func (t Target) paths(tree Tree) ([]string, error) {
	if t.folder == "" {
		return []string{agentsFile}, nil
	}
	names, err := tree.List(t.folder)
	var all []string
	for _, name := range names {
		if strings.HasSuffix(name, t.ending) {
			all = append(all, t.folder+"/"+name)
		}
	}
	return all, err
}

// group is the lessons for the files of the same globs; without globs, for all.
type group struct {
	paths []string
	lines []string
}

// maxGeneral is how many lessons without paths are published at most: those files are read
// in every session.
const maxGeneral = 30

// groupsOf sorts active lessons by their paths. Without paths only critical ones and
// instructions for no call in particular are told, the most important ones. Lines are
// sorted by their text, so that those of two branches merge.
func groupsOf(lessons []*lesson.Lesson) []group {
	lessons = slices.SortedFunc(slices.Values(lessons), func(a, b *lesson.Lesson) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), strings.Compare(a.ID, b.ID))
	})
	groups := map[string]*group{}
	for _, l := range lessons {
		if l.Status != lesson.Active {
			continue
		}
		var paths []string
		if scoped(l) {
			paths = lists.SortedUnique(l.Triggers.Paths)
		} else if !general(l) {
			continue
		}
		key := strings.Join(paths, ",")
		if groups[key] == nil {
			groups[key] = &group{paths: paths}
		}
		if g := groups[key]; len(paths) > 0 || len(g.lines) < maxGeneral {
			g.lines = append(g.lines, said(l))
		}
	}
	var all []group
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		g := groups[key]
		all = append(all, group{g.paths, lists.SortedUnique(g.lines)})
	}
	return all
}

// general says whether a lesson is told in every session.
func general(l *lesson.Lesson) bool {
	return lesson.LevelOf(l.Priority) == lesson.Critical || l.Kind == lesson.Requirement && lesson.CanonicalTrigger(&l.Triggers) == ""
}

// scoped says whether a lesson is about files alone. A glob that front matter could not
// hold on one line leaves it out.
func scoped(l *lesson.Lesson) bool {
	t := l.Triggers
	return len(t.Paths) > 0 && len(t.Commands)+len(t.CommandPatterns)+len(t.Content)+len(t.Keywords)+len(t.Context) == 0 &&
		!slices.ContainsFunc(t.Paths, func(glob string) bool { return strings.ContainsAny(glob, "\"\\,\r\n") })
}

// Lines of AGENTS.md that stand around the lessons.
const (
	headline  = "## Lessons of this repository"
	whereRest = "Before you work around a failure, run `lessons search WORDS`. Lessons are in `.lessons/`, decisions and pitfalls in `.memory/knowledge/`. The name in parentheses is for `lessons show NAME`."
)

// files are what a target says, by path.
func (t Target) files(groups []group) map[string]file {
	all := map[string]file{}
	if t.folder == "" {
		lines := []string{headline, ""}
		for _, g := range groups {
			if len(g.paths) == 0 {
				lines = append(append(lines, g.lines...), "")
			}
		}
		all[agentsFile] = file{lines: append(lines, whereRest)}
		return all
	}
	for _, g := range groups {
		name := "general"
		if key := strings.Join(g.paths, ","); key != "" {
			name = prose.Slug(key) + "-" + knowledge.Digest("", 4, "paths", key)
		}
		all[t.folder+"/"+name+t.ending] = file{head: t.head(g.paths), lines: g.lines}
	}
	return all
}

func listed(paths []string) string {
	var b strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&b, "  - %q\n", p)
	}
	return b.String()
}
