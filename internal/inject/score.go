package inject

import (
	"fmt"
	"slices"
	"strings"
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
	for _, k := range keywords {
		if strings.Contains(text, k) {
			n++
		}
	}
	return n, len(keywords)
}

// anyFile matches as the seed does: a star crosses slashes, and the path is
// the one of the call.
func anyFile(globs, paths []string) bool {
	for _, g := range globs {
		for _, p := range paths {
			pattern := acrossFolders.Replace(strings.ReplaceAll(g, `\`, `\\`)) // a backslash is a character
			if Glob(pattern, acrossFolders.Replace(p)) {
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

// picker chooses which lessons fit into a block, and claims them.
type picker struct {
	in      Input
	claim   func(Lesson) (bool, error)
	withFix bool   // the fix is said even where the text leaves it out
	last    string // a line behind the lessons
	forget  bool   // what cannot be remembered is not said

	won     []piece
	dropped []string
}

type piece struct {
	id, text string
	critical bool
}

// maxDropped is how many ids of lessons without room a block names.
const maxDropped = 16

const unreviewed = "(unreviewed, from repository) "

func (in Input) picker(claim func(Lesson) (bool, error)) *picker {
	return &picker{in: in, claim: claim}
}

// pick returns the block of the lessons that fit and that this process is the
// one to say, empty when there are none. They come in the order given, critical
// ones first; those are bound by the agent's cap alone (rulings 35), the others by
// budget and number. A text that does not fit gives way to the lesson's summary,
// and is never cut. What is left out is not claimed, so it comes another time.
func (p *picker) pick(lessons []Lesson) string {
	waiting := slices.Clone(lessons)
	slices.SortStableFunc(waiting, func(a, b Lesson) int { return critical(b) - critical(a) })
	for _, l := range waiting {
		text, fits := p.fit(l)
		if !fits {
			p.dropped = append(p.dropped, l.ID)
			continue
		}
		won, err := p.claim(l)
		if err != nil {
			won = !p.forget && (p.in.early() || critical(l) == 1)
		}
		if won {
			p.won = append(p.won, piece{l.ID, text, critical(l) == 1})
		}
	}
	if len(p.won) == 0 {
		return ""
	}
	return p.block(p.namedDrops())
}

func critical(l Lesson) int {
	if l.Priority >= Critical {
		return 1
	}
	return 0
}

// fit returns the longest form of a lesson for which there is room.
func (p *picker) fit(l Lesson) (string, bool) {
	limit := p.in.MaxBytes
	if critical(l) == 0 {
		limit = p.in.Settings.BudgetBytes
		others := 0
		for _, w := range p.won {
			if !w.critical {
				others++
			}
		}
		if others >= p.in.Settings.MaxLessons {
			return "", false
		}
	}
	forms := []string{l.Text, l.Summary}
	if p.withFix && l.Fix != "" && !strings.Contains(l.Text, l.Fix) {
		forms = []string{l.Text + "\nFix: " + l.Fix, l.Summary + "\nFix: " + l.Fix, l.Text, l.Summary}
	}
	for _, text := range forms {
		if text == "" {
			continue
		}
		if l.Unreviewed {
			text = unreviewed + text
		}
		trial := picker{won: append(slices.Clone(p.won), piece{id: l.ID, text: text}), in: p.in, last: p.last}
		if len(trial.block(nil)) <= limit {
			return text, true
		}
	}
	return "", false
}

// namedDrops is as many ids of lessons without room as there is room for.
func (p *picker) namedDrops() []string {
	limit := max(p.in.Settings.BudgetBytes, len(p.block(nil)))
	n := min(len(p.dropped), maxDropped)
	for n > 0 && len(p.block(p.dropped[:n])) > limit {
		n--
	}
	return p.dropped[:n]
}

func (p *picker) block(dropped []string) string {
	var texts []string
	for _, w := range p.won {
		texts = append(texts, w.text)
	}
	if p.last != "" {
		texts = append(texts, p.last)
	}
	return block(p.in.what(), texts, p.injected(), dropped)
}

func (p *picker) injected() []string {
	var ids []string
	for _, w := range p.won {
		ids = append(ids, w.id)
	}
	return ids
}
