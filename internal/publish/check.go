package publish

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/instructions"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Problems finds parts of ours that a person edited, that have no end, that say what no
// active lesson says any more, or that lack one of those that are trusted here: where
// nothing is, as in CI, nothing is missing.
func Problems(tree Tree, targets []Target, lessons provenance.List[*lesson.Lesson]) ([]knowledge.Problem, error) {
	var found []knowledge.Problem
	active := lists.Filter(lessons.All(), func(l *lesson.Lesson) bool { return l.Status == lesson.Active })
	valid := lists.SetOf(active, said)
	for _, t := range All {
		wanted := map[string]file{}
		if slices.ContainsFunc(targets, func(chosen Target) bool { return chosen.Name == t.Name }) {
			wanted = t.files(groupsOf(lessons.Trusted()))
		}
		paths, err := t.paths(tree)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if data, err := tree.Read(path); err == nil {
				found = append(found, problems(path, data, valid, wanted[path].lines)...)
			}
		}
	}
	return found, nil
}

// problems are those of one file.
func problems(path string, data []byte, valid map[string]bool, wanted []string) []knowledge.Problem {
	problem := func(line int, rule, text string) []knowledge.Problem {
		return []knowledge.Problem{{Path: path, Line: line, Rule: rule, Text: text}}
	}
	if line := instructions.Unended(data); line > 0 {
		return problem(line, "published-edited", unended)
	}
	start, end, has := instructions.Block(data)
	if !has {
		return nil
	}
	lines, whole := linesOf(data[start:end])
	if !whole {
		return problem(lineOf(data), "published-edited", edited)
	}
	gone := lists.Filter(lines, func(line string) bool { return strings.HasPrefix(line, "- ") && !valid[line] })
	missing := lists.Filter(wanted, func(line string) bool { return strings.HasPrefix(line, "- ") && !slices.Contains(lines, line) })
	switch {
	case len(gone) > 0:
		at := lineOf(data) + bytes.Count(data[start:start+bytes.Index(data[start:end], []byte(gone[0]))], []byte("\n"))
		return problem(at, "published-outdated", fmt.Sprintf("no active lesson says this any more (lines of this kind here: %d); run: lessons publish", len(gone)))
	case len(missing) > 0:
		return problem(lineOf(data), "published-outdated", fmt.Sprintf("lessons that are not published here yet: %d; run: lessons publish", len(missing)))
	}
	return nil
}
