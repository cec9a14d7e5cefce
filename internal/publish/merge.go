package publish

import (
	"bytes"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/instructions"
	"github.com/lessons-cli/lessons/knowledge/markdown"
)

// Merge gives three versions of a file the same part of ours, so that git's merge of the
// rest has no conflict there. Versions without any get none: the other side adds it. It is
// not ok where a person edited a part: that is for git, and a person.
func Merge(base, ours, theirs []byte) (_, _, _ []byte, ok bool) {
	versions := [][]byte{base, ours, theirs}
	var lines [3][]string
	var has [3]bool
	for i, v := range versions {
		if start, end, found := instructions.Block(v); found {
			whole := false
			if lines[i], whole = linesOf(v[start:end]); !whole {
				return base, ours, theirs, false
			}
			has[i] = true
		}
	}
	if !has[1] || !has[2] {
		return base, ours, theirs, true
	}
	merged := mergeLines(lines[0], lines[1], lines[2])
	for i, v := range versions {
		if has[i] {
			versions[i], _ = put(v, file{lines: merged})
		}
	}
	return versions[0], versions[1], versions[2], true
}

// mergeLines merges the lessons of two parts as sets: what either side took out is out.
// The lines around them are ours.
func mergeLines(base, ours, theirs []string) []string {
	isItem := func(line string) bool { return len(line) > 2 && line[:2] == "- " }
	gone := func(line string) bool {
		return slices.Contains(base, line) && (!slices.Contains(ours, line) || !slices.Contains(theirs, line))
	}
	items := lists.SortedUnique(lists.Filter(slices.Concat(ours, theirs), func(line string) bool { return isItem(line) && !gone(line) }))
	first := slices.IndexFunc(ours, isItem)
	if first < 0 {
		return theirs
	}
	last := first
	for last < len(ours) && isItem(ours[last]) {
		last++
	}
	return slices.Concat(ours[:first], items, ours[last:])
}

// Resolved takes the conflict out of our part of a file that a merge left: its lessons are
// those of both sides. The sides are git's; without them they are those of the markers. Not
// ok: there is no conflict, or a person has to settle one.
func Resolved(text, base, ours, theirs []byte) ([]byte, bool) {
	left, right, conflict := markdown.Sides(text)
	if !conflict || !bytes.Equal(rest(left), rest(right)) {
		return nil, false
	}
	if ours == nil || theirs == nil {
		ours, theirs = left, right
	}
	start, end, found := instructions.Block(left)
	var parts [3][]string
	for i, v := range [][]byte{base, ours, theirs} {
		from, to, has := instructions.Block(v)
		if has {
			parts[i], _ = linesOf(v[from:to])
		}
		found = found && (has || i == 0)
	}
	if !found {
		return nil, false
	}
	return replaced(left, start, end, mergeLines(parts[0], parts[1], parts[2])), true
}

// settled takes the markers of a conflict out of a file whose sides differ in our part
// alone, which is made anew: git merged some lines of it. Not ok: they differ elsewhere too.
func settled(data []byte) (text []byte, merged, ok bool) {
	ours, theirs, conflict := markdown.Sides(data)
	switch {
	case !conflict:
		return data, false, true
	case !bytes.Equal(rest(ours), rest(theirs)):
		return nil, true, false
	case Has(ours):
		return ours, true, true
	}
	return theirs, true, true
}

// rest is a file without our part.
func rest(data []byte) []byte {
	if start, end, ok := instructions.Block(data); ok {
		return without(data, start, end)
	}
	return data
}
