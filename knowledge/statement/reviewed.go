package statement

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// Reviewed reads what somebody writes who reviews a change, and returns what holds beyond
// it. An order in a review is about the change, unless its words say that it holds for
// more. Who takes words back, or does not mean them, states nothing.
func Reviewed(comment string) []Statement {
	l, all := split(comment)
	var found []Statement
	for i, sentence := range all {
		if l.retracts.MatchString(sentence) {
			return nil
		}
		next := behind(all, i)
		sentence = strings.Join(strings.Fields(strings.Map(withoutPictures, sentence)), " ")
		sentence = strings.TrimRight(sentence[len(reviewLabel.FindString(sentence)):], ":： ")
		s, ok := l.read(sentence, next, len(all))
		if ok = ok && l.beyond(s, sentence); !ok {
			s, ok = l.general(sentence, next)
		}
		if ok && len(s.Paths) == 0 {
			for _, name := range fileName.FindAllString(l.within.FindString(s.Rule), 1) {
				s.Paths = []string{globOf(name)}
			}
		}
		if ok && s.Missing == "" && len(found) < maxStatements {
			found = append(found, s)
		}
	}
	return found
}

// beyond says whether a statement of a review holds for more than the change.
func (l *language) beyond(s Statement, sentence string) bool {
	switch {
	case l.refers.MatchString(s.Rule):
		return false
	case s.Kind == Decision:
		return l.habit.MatchString(s.Rule) || s.Recalls && len(s.Against) > 0
	case l.standingAt(sentence) != nil, l.habit.MatchString(sentence), l.writes.MatchString(sentence), l.notes.MatchString(sentence):
		return true
	case s.Kind == Correction || l.objects.MatchString(s.Rule):
		return l.within.MatchString(s.Rule)
	}
	return true
}

// general reads a sentence that speaks of everything of a kind, or of what was agreed.
func (l *language) general(sentence, next string) (Statement, bool) {
	if l.opens == nil {
		return Statement{}, false
	}
	opening := l.opens.FindString(sentence)
	matter := l.withoutLead(sentence[len(opening):])
	agrees := opening != "" && l.asks.MatchString(strings.TrimLeft(opening, " ,"))
	switch {
	case endsAsking(sentence) && !agrees, l.refers.MatchString(matter), l.wishes.MatchString(matter), l.reports.MatchString(matter), l.passing.MatchString(matter):
		return Statement{}, false
	case opening == "" && !l.rules.MatchString(matter):
		return Statement{}, false
	}
	s := Statement{Kind: Instruction, Explicit: true}
	if s.Rule, s.Because = l.reasoned(matter); s.Because == "" {
		s.Because = l.reasonIn(next)
	}
	l.finish(&s)
	return s, true
}

// reviewLabel matches what reviewers put before a comment to say of what kind it is.
var reviewLabel = automata.New(`(?i)^[*_]*(?:nit(?:pick)?|suggestion|issue|todo|chore|note|polish|minor|style)(?: ?\([^)]*\))?[*_]*[:,] *[*_]*`)

func withoutPictures(r rune) rune {
	if r != ' ' && isSymbol(r) {
		return -1
	}
	return r
}
