package inject

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Score is the seed formula's arithmetic for one lesson, per mille (seed
// experience-based-learning, ADR-003; the corrected values of its examples are
// the tests). Parts that divide are shown rounded down; what decides is
// computed without rounding.
type Score struct {
	Tool, File, Keyword, Context int
	Base, Multiplier, Final      int
	Eligible                     bool // Final reaches the threshold, before rounding

	exact, unit int // Final = exact/unit
}

// Weights and limits of the seed formula, per mille.
const (
	seedTool, seedFile, seedKeyword, seedContext = 400, 400, 100, 100
	seedNeutral                                  = 500
	seedThreshold                                = 700
	seedTop                                      = 3
)

// seedTools are the tools that the seed looks at.
var seedTools = []string{"Write", "Edit", "NotebookEdit", "Bash"}

func (s *Score) String() string {
	verdict := "below"
	if s.Eligible {
		verdict = "reaches"
	}
	return fmt.Sprintf("tool %s × 0.4 + file %s × 0.4 + keywords %s × 0.1 + context %s × 0.1 = %s; × %s = %s, %s %s",
		mille(s.Tool), mille(s.File), mille(s.Keyword), mille(s.Context), mille(s.Base), mille(s.Multiplier), mille(s.Final), verdict, mille(seedThreshold))
}

func mille(n int) string { return fmt.Sprintf("%d.%03d", n/1000, n%1000) }

// multiplier of a priority: critical, high, medium, low.
func multiplier(priority int) int {
	switch {
	case priority >= Critical:
		return 2000
	case priority >= 7:
		return 1500
	case priority >= 4:
		return 1000
	}
	return 500
}

// ScoreSeed computes the seed formula for a lesson and a call.
func ScoreSeed(l *Lesson, c Call) Score {
	t := &l.Trigger
	text := strings.ToLower(strings.Join(c.Recent, " "))
	s := Score{Tool: seedNeutral, File: seedNeutral, Multiplier: multiplier(l.Priority)}
	if len(t.Tools) > 0 {
		s.Tool = truth(slices.Contains(t.Tools, c.Tool))
	}
	if len(t.SeedPaths) > 0 {
		s.File = truth(anyFile(t.SeedPaths, c.Paths))
	}
	keywords, ofKeywords := share(t.Keywords, text)
	context, ofContext := share(t.Context, text)
	s.Keyword, s.Context = keywords*1000/ofKeywords, context*1000/ofContext

	// The sum over the common denominator 1000 × ofKeywords × ofContext.
	unit := ofKeywords * ofContext
	sum := (seedTool*s.Tool+seedFile*s.File)*unit + 1000*(seedKeyword*keywords*ofContext+seedContext*context*ofKeywords)
	s.unit = unit * 1000 * 1000
	s.exact = sum * s.Multiplier
	s.Base = sum / (1000 * unit)
	s.Final = s.exact / s.unit
	s.Eligible = s.exact >= seedThreshold*s.unit
	return s
}

func truth(ok bool) int {
	if ok {
		return 1000
	}
	return 0
}

// share counts the keywords that occur anywhere in the text; an empty list is
// one half.
func share(keywords []string, text string) (n, of int) {
	if len(keywords) == 0 {
		return 1, 2
	}
	return lists.Count(keywords, func(k string) bool { return strings.Contains(text, k) }), len(keywords)
}

// anyFile matches as the seed does: a star crosses slashes, and the path is the one of
// the call, below the root or as it stands there.
func anyFile(globs, paths []string) bool {
	for _, g := range globs {
		for _, p := range paths {
			pattern := acrossFolders.Replace(strings.ReplaceAll(g, `\`, `\\`)) // a backslash is a character
			if Glob(pattern, acrossFolders.Replace(p)) || Glob(pattern, acrossFolders.Replace("/"+p)) {
				return true
			}
		}
	}
	return false
}

// seedAll scores every lesson, best first.
func (x *Index) seedAll(c Call) []Match {
	var out []Match
	listed := slices.Contains(seedTools, c.Tool)
	for rank := range x.count {
		l, ok := x.Lesson(rank)
		if !ok {
			continue
		}
		s := ScoreSeed(&l, c)
		m := Match{Lesson: l, OK: listed && s.Eligible, Score: &s}
		m.Reasons = []Reason{{Slot: SlotTrigger, OK: m.OK, Note: s.String()}}
		if !listed {
			m.Reasons = []Reason{{Slot: SlotTools, Element: strings.Join(seedTools, ", "), Value: c.Tool, Note: "the seed scoring looks at these tools only"}}
		}
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b Match) int { return b.Score.exact*(a.Score.unit/1e6) - a.Score.exact*(b.Score.unit/1e6) })
	return out
}

// seedMatches returns the best three that reach the threshold.
func (x *Index) seedMatches(c Call) []Match {
	if !slices.Contains(seedTools, c.Tool) {
		return nil
	}
	all := x.seedAll(c)
	n := 0
	for n < len(all) && n < seedTop && all[n].OK {
		n++
	}
	return all[:n]
}
