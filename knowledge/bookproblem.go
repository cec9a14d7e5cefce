package knowledge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// duplicates reports numbers that stand twice, but not those within a conflict:
// its sides often hold the same entry, and the conflict is reported itself.
func (b *Book) duplicates() []Problem {
	var found []Problem
	type name struct {
		kind   Kind
		number int
	}
	first := map[name]int{}
	for _, e := range b.Entries {
		if slices.ContainsFunc(b.conflicts, func(c [2]int) bool { return c[0] < e.Start && e.Start < c[1] }) {
			continue
		}
		if line, ok := first[name{e.Kind, e.Number}]; ok {
			found = append(found, Problem{Path: b.Path, Line: e.Line, Rule: "duplicate-number", Text: fmt.Sprintf("%s is used twice, first in line %d", e.ID(), line)})
			continue
		}
		first[name{e.Kind, e.Number}] = e.Line
	}
	return found
}

// almostEntry reports headings that a person meant as an entry.
func (b *Book) almostEntry(h heading) []Problem {
	word, _, _ := strings.Cut(h.text, " ")
	upper := strings.ToUpper(word)
	if !strings.HasPrefix(upper, "ADR-") && !strings.HasPrefix(upper, "PF-") {
		return nil
	}
	return []Problem{b.problem(h.start, "entry-heading", fmt.Sprintf("%q is not read as an entry: write ADR- or PF-, a number of at most nine digits, a colon and a title", word))}
}

// blankConflicts returns the file with the marker lines of merge conflicts
// blanked, and a problem for each conflict; nil when there are none. Markers
// within a closed code fence are an example.
func (b *Book) blankConflicts() ([]byte, []Problem) {
	if !bytes.Contains(b.raw, []byte("<<<<<<< ")) {
		return nil, nil
	}
	var clean []byte
	var problems []Problem
	for _, c := range conflicts(b.raw) {
		if b.fenced(c[0], c[len(c)-1]) {
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

// conflicts lists the offsets of the marker lines of each complete conflict.
func conflicts(data []byte) [][]int {
	var all [][]int
	var open []int
	for at := 0; at < len(data); {
		line, next := lineAt(data, at)
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			open = []int{at}
		case len(open) > 0 && (bytes.HasPrefix(line, []byte("||||||| ")) || string(line) == "=======" || string(line) == "|||||||"):
			open = append(open, at)
		case len(open) > 1 && (bytes.HasPrefix(line, []byte(">>>>>>> ")) || string(line) == ">>>>>>>"):
			all, open = append(all, append(open, at)), nil
		}
		at = next
	}
	return all
}

// fenced says whether one closed code block at the top level holds the range.
func (b *Book) fenced(from, to int) bool {
	for n := b.doc.root.FirstChild(); n != nil; n = n.NextSibling() {
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok || block.Lines().Len() == 0 || (n == b.doc.root.LastChild() && !b.closedFence()) {
			continue
		}
		if block.Lines().At(0).Start <= from && to < block.Lines().At(block.Lines().Len()-1).Stop {
			return true
		}
	}
	return false
}

func (b *Book) closedFence() bool {
	_, _, open := b.doc.unclosed()
	return !open
}
