package statement

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// Place is what stands above an item of a list.
type Place struct {
	Heading string // the nearest one
	Lead    string // the line or the item that announces it
	Before  string // of a sentence: the one before it
	Step    bool   // of a list with numbers
}

// Written reads an item or a sentence of a file that tells agents what to do. It holds
// for later because it is written down, so the form of an order is enough; what tells how
// to run something, where things are and what they are is none.
func Written(text string, place Place) (Statement, bool) {
	text, barred := unmarked(text)
	l := languageOf(text)
	if text == "" || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") || endsAsking(text) {
		return Statement{}, false
	}
	heads := l.heads.MatchString(place.Heading) || l.heads.MatchString(place.Lead)
	bars := l.bars.MatchString(place.Lead)
	whole := bars && len(l.content(place.Lead)) >= wholeLead
	barred = barred || bars && !whole || place.Lead == "" && l.bars.MatchString(place.Heading)
	step := place.Step && (l.steps.MatchString(place.Heading) || l.steps.MatchString(place.Lead))
	firmly := step || codeFirst.MatchString(text) // what a command or a file is for
	orders := slices.ContainsFunc(clauses(text), func(clause string) bool {
		return firmly && l.firmly.MatchString(clause) || !firmly && l.orders(clause, place.Lead)
	})
	if !orders && !(barred || heads && !step && l.elliptic(text)) {
		return Statement{}, false
	}
	s := Statement{Kind: Instruction, Explicit: true, Rule: text}
	_, s.Because = l.reasoned(text)
	switch {
	case place.Before != "" && l.before.MatchString(text):
		s.Rule = place.Before + " " + s.Rule
	case barred && !l.forbids.MatchString(text) && !l.avoids.MatchString(text):
		s.Rule = l.never + ": " + s.Rule
	case place.Lead != "" && (whole || !l.heads.MatchString(place.Lead)) && CountWords(place.Lead) <= maxLeadWords:
		s.Rule = place.Lead + ": " + s.Rule
	}
	l.finish(&s)
	switch {
	case s.Missing == pointsOnly && CountWords(s.Rule) >= selfContained:
		s.Missing = "" // what it points at stands in it
	case len(s.Names) > 0 && len(l.content(s.Rule)) == 0:
		s.Missing = "" // "No `any`"
	}
	return s, s.Missing == "" && !l.platitude(s)
}

// wholeLead is how many words with a meaning a line has that tells something by itself: what
// it leads to goes on with it. "Never do:" has none.
const wholeLead = 3

// selfContained is how many words a sentence has that mostly holds what its "it" means.
const selfContained = 8

// Rules says whether a heading is one of rules.
func Rules(heading string) bool {
	l := languageOf(heading)
	return l.heads.MatchString(heading) || l.bars.MatchString(heading)
}

// maxLeadWords is how long a line is that becomes a part of what it announces.
const maxLeadWords = 12

// clauses are the parts of a text that may each tell something: its sentences, and what
// stands between semicolons and before "but".
func clauses(text string) []string {
	var all []string
	from, code := 0, false
	cut := func(end, next int) {
		if part := strings.TrimSpace(text[from:end]); part != "" {
			all = append(all, part)
		}
		from = next
	}
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case rest[0] == '`':
			code = !code
		case code:
		case strings.HasPrefix(rest, ". "), strings.HasPrefix(rest, "! "), strings.HasPrefix(rest, "; "):
			cut(i+1, i+2)
		case strings.HasPrefix(rest, "。"), strings.HasPrefix(rest, "；"):
			cut(i+len("。"), i+len("。"))
		case strings.HasPrefix(rest, ", but "):
			cut(i, i+len(", but "))
		}
	}
	cut(len(text), len(text))
	return all
}

// orders says whether a clause tells somebody to do something, as a rule: by itself, behind
// a label or a condition, or in a clause that forbids.
func (l *language) orders(text, lead string) bool {
	if l.firmly.MatchString(text) || l.contrast.MatchString(text) && !l.past.MatchString(text) {
		return true
	}
	matter := l.withoutLead(text)
	for range 3 {
		switch {
		case l.modal.MatchString(matter):
			return true
		case l.order.MatchString(matter):
			return l.occasion.MatchString(lead+" "+text) || l.because.MatchString(text) || !l.shows.MatchString(matter)
		case l.habit.MatchString(matter), l.duty.MatchString(matter):
			return true
		}
		rest := matter[len(l.condition.FindString(matter)):]
		if rest == matter {
			rest = matter[len(label.FindString(matter)):]
		}
		if rest == matter || rest == "" {
			return false
		}
		matter = rest
	}
	return false
}

// elliptic says whether an item below a heading of rules may be one in few words: "2
// spaces", "camelCase for functions".
func (l *language) elliptic(text string) bool {
	n := CountWords(text)
	return n >= 2 && n <= 25 && !codeFirst.MatchString(text) && !l.tells.MatchString(text)
}

// platitude says whether a rule holds for every project: it names nothing of its own.
func (l *language) platitude(s Statement) bool {
	if len(l.empty) == 0 || len(s.Names) > 0 {
		return false
	}
	for _, w := range l.content(s.Rule) {
		if !l.empty[w] {
			return false
		}
	}
	return true
}

// codeFirst matches items that say what a command, a file or a name is for.
var codeFirst = automata.New("^`[^`]+`(?:(?: *(?:,|/|or|and|\\+|\\|) *`[^`]+`)*)\\s*(?:\\([^)]*\\)\\s*)?(?:[-–—:=>→(#]|$)|^(?:\\$ |https?://|@|\\[)")

// label matches what a list puts before its items: "Formatting: …".
var label = automata.New("^[^:.：`]{1,40}(?:`[^`]*`)?[^:.：`]{0,20}(?:: |：| [-–—] )")

// unmarked leaves out what some put before an item to mark it; barred says that the mark
// forbids it.
func unmarked(text string) (rest string, barred bool) {
	for _, mark := range []string{"❌", "🚫", "⛔", "✗", "✖", "✘", "👎"} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimLeft(rest, "\ufe0f "), true
		}
	}
	return strings.TrimLeftFunc(text, isSymbol), false
}

// isSymbol says whether a character is a picture, which begins no sentence.
func isSymbol(r rune) bool {
	return r == ' ' || r >= 0x2190 && r < 0x2c00 || r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f000
}
