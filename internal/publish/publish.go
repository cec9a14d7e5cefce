// Package publish writes what is active to the files that agents without hooks read:
// AGENTS.md, and rules that are scoped by paths. A part between markers is ours, the rest
// of a file is a person's. What is written follows from the lessons alone.
//
//	target.go  which files those are, and what they look like
//	block.go   our part of a file: written, recognised, taken out
//	merge.go   parts of two branches
//	check.go   parts that no longer say what the lessons say
package publish

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Tree is the work tree in which is published.
type Tree struct {
	Read func(path string) ([]byte, error)     // nil bytes: there is no such file
	List func(folder string) ([]string, error) // names of the files in a folder
}

// Plan is what publishing does.
type Plan struct {
	Changes []store.Change
	Kept    []string // what stays as it is although it should change, and why
	Notes   []string
}

// NewPlan brings the files of the targets up to date, and takes our part out of those of
// all others.
func NewPlan(tree Tree, targets []Target, lessons provenance.List[*lesson.Lesson]) (Plan, error) {
	var plan Plan
	groups := groupsOf(lessons.Trusted())
	left := lists.Count(lessons.Trusted(), func(l *lesson.Lesson) bool { return l.Status == lesson.Active && !scoped(l) && !general(l) })
	if left > 0 && len(targets) > 0 {
		plan.Notes = append(plan.Notes, fmt.Sprintf("active lessons that are not published: %d. Only critical ones, instructions for no call in particular, and lessons about files are", left))
	}
	for _, t := range All {
		wanted := map[string]file{}
		if slices.ContainsFunc(targets, func(chosen Target) bool { return chosen.Name == t.Name }) {
			wanted = t.files(groups)
		}
		paths, err := t.paths(tree)
		if err != nil {
			return plan, err
		}
		for _, path := range lists.SortedUnique(slices.AppendSeq(paths, maps.Keys(wanted))) {
			plan.add(tree, path, wanted[path])
		}
	}
	return plan, nil
}

// file is what is to stand in one file.
type file struct {
	head  string   // of a file of our own: its front matter
	lines []string // of our part; none: it is taken out
}

// codexReads is how much of AGENTS.md Codex reads, in bytes.
const codexReads = 32 << 10

func (plan *Plan) add(tree Tree, name string, f file) {
	before, err := tree.Read(name)
	if err != nil {
		if len(f.lines) > 0 {
			plan.Kept = append(plan.Kept, err.Error()+": nothing is published there")
		}
		return
	}
	after, kept := put(before, f)
	switch {
	case kept != "":
		plan.Kept = append(plan.Kept, fmt.Sprintf("%s:%d: %s", name, lineOf(before), kept))
		return
	case (before == nil) == (after == nil) && bytes.Equal(before, after):
		return
	}
	plan.Changes = append(plan.Changes, store.Change{Path: name, Before: before, After: after})
	if path.Base(name) == agentsFile && len(after) > codexReads {
		plan.Notes = append(plan.Notes, fmt.Sprintf("%s has %d KiB: Codex reads the first 32 KiB, and what is published stands behind them", name, len(after)>>10))
	}
}

// Conflicted lists the files of a tree that have our part and markers of a conflict.
func Conflicted(tree Tree) ([]string, error) {
	all, err := Published(tree)
	return lists.Filter(all, func(path string) bool {
		data, err := tree.Read(path)
		_, _, conflict := markdown.Sides(data)
		return err == nil && conflict
	}), err
}

// Published lists the files of a tree that have our part.
func Published(tree Tree) ([]string, error) {
	var all []string
	for _, t := range All {
		paths, err := t.paths(tree)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if data, err := tree.Read(path); err == nil && Has(data) {
				all = append(all, path)
			}
		}
	}
	return all, nil
}

// said is the line of a lesson: what holds, what to do, and by which name the rest is found.
func said(l *lesson.Lesson) string {
	text := prose.OneLine(l.Title)
	if fix := prose.OneLine(l.Fix()); fix != "" && len(text)+len(fix) <= maxSaid {
		text = strings.TrimRight(text, ".:…") + ": " + fix
	} else if fix == "" {
		text = l.Said()
	}
	return "- " + prose.Neutral(strings.TrimRight(strings.TrimSpace(text), ".")) + " (" + reference(l) + ")"
}

// maxSaid is how long a line is at most that holds a title and what to do, in bytes.
const maxSaid = 200

// reference is the shortest name by which show finds a lesson: the four characters that end
// the name of its file, else the whole name.
func reference(l *lesson.Lesson) string {
	name := strings.TrimSuffix(path.Base(l.Path), ".md")
	if end := name[strings.LastIndexByte(name, '-')+1:]; len(end) == 4 {
		return end
	}
	return name
}
