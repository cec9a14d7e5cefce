package entry

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/markdown"
)

// duplicates reports numbers that stand twice, but not those within a conflict:
// its sides often hold the same entry, and the conflict is reported itself.
func (b *Book) duplicates() []knowledge.Problem {
	var found []knowledge.Problem
	type name struct {
		kind   knowledge.Kind
		number int
	}
	first := map[name]int{}
	for _, e := range b.Entries {
		if slices.ContainsFunc(b.conflicts, func(c [2]int) bool { return c[0] < e.Start && e.Start < c[1] }) {
			continue
		}
		if line, ok := first[name{e.Kind, e.Number}]; ok {
			found = append(found, knowledge.Problem{Path: b.Path, Line: e.Line, Rule: "duplicate-number", Text: fmt.Sprintf("%s is used twice, first in line %d", e.ID(), line)})
			continue
		}
		first[name{e.Kind, e.Number}] = e.Line
	}
	return found
}

// almostEntry reports headings that a person meant as an entry.
func (b *Book) almostEntry(h markdown.Heading) []knowledge.Problem {
	word, _, _ := strings.Cut(h.Text, " ")
	upper := strings.ToUpper(word)
	if !strings.HasPrefix(upper, "ADR-") && !strings.HasPrefix(upper, "PF-") {
		return nil
	}
	return []knowledge.Problem{b.problem(h.Start, "entry-heading", fmt.Sprintf("%q is not read as an entry: write ADR- or PF-, a number of at most nine digits, a colon and a title", word))}
}

// blankConflicts returns the file with the marker lines of merge conflicts
// blanked, and a problem for each conflict; nil when there are none. Markers
// within a closed code fence are an example.
func (b *Book) blankConflicts() ([]byte, []knowledge.Problem) {
	if !bytes.Contains(b.raw, []byte("<<<<<<< ")) {
		return nil, nil
	}
	var clean []byte
	var problems []knowledge.Problem
	for _, c := range textfile.Conflicts(b.raw) {
		if b.doc.Fenced(c[0], c[len(c)-1]) {
			continue
		}
		if clean == nil {
			clean = bytes.Clone(b.raw)
		}
		for _, at := range c {
			for i := at; i < len(clean) && clean[i] != '\n'; i++ {
				clean[i] = ' '
			}
		}
		b.conflicts = append(b.conflicts, [2]int{c[0], c[len(c)-1]})
		problems = append(problems, b.problem(c[0], "conflict", "a merge conflict was left here: the entries of both sides are read; take out the marker lines, and give one of two equal numbers a new one"))
	}
	return clean, problems
}
