package statement

import (
	"slices"
	"strings"
)

// minReasonWords is how long a clause must be that is a reason without a word that says so.
const minReasonWords = 3

// unlinked finds the reason that people put behind a choice without a word like
// "because", in a clause or in the next sentence: "argon2id instead of bcrypt, bcrypt cuts
// at 72 bytes". What is chosen must be set apart from something else, or the clause must
// speak of it again: most clauses behind an order only go on with the work.
func (l *language) unlinked(s *Statement, next string, last bool) bool {
	if l.verb == nil {
		return false
	}
	for _, at := range breaks(s.Rule) {
		rule, clause := s.Rule[:at], strings.TrimLeft(s.Rule[at:], " ,;–—-")
		if !l.grounded(clause) || strings.HasPrefix(clause, "everywhere") || tellsTrouble(next) && !tellsTrouble(clause) && !states.MatchString(clause) {
			continue
		}
		if s.Kind == Decision && !s.Recalls || l.setsApart(rule) || l.generalises(rule) || l.picks(s, rule) && (l.about(clause, rule) || l == inEnglish() && tellsTrouble(clause) || s.Rule[at] == ';' && CountWords(rule) > 3) {
			s.Rule, s.Because = rule, clause
			return true
		}
	}
	settled := s.Kind == Decision && !s.Recalls
	if l.grounded(next) && (settled || l.setsApart(s.Rule) && (last || l.about(next, s.Rule))) {
		s.Because = next
		if more, because := l.reasoned(next); because != "" && CountWords(more) <= fragmentWords {
			s.Rule, s.Because = strings.TrimRight(s.Rule, ". ")+". "+more, because // "JSON is out. CBOR, since …"
		}
		return true
	}
	return false
}

// breaks are where a clause may begin behind another one.
func breaks(s string) []int {
	var at []int
	marks := []string{", ", "; ", ": ", " - ", " – ", " — ", "，", "；", "："}
	if strings.ContainsFunc(s, isDense) {
		marks = append(marks, ",") // no blank follows it there
	}
	for _, mark := range marks {
		for from := 0; ; {
			i := strings.Index(s[from:], mark)
			if i < 0 {
				break
			}
			at, from = append(at, from+i), from+i+len(mark)
		}
	}
	slices.Sort(at)
	return at
}

// setsApart says whether a clause puts one thing in place of another one, neither of them
// what only the conversation shows.
func (l *language) setsApart(clause string) bool {
	clause = clause[len(l.settles.FindString(clause)):]
	return l.verb != nil && l.apart.MatchString(clause) && !l.startsKnown(clause) && !l.points.MatchString(clause)
}

// startsKnown says whether a clause begins with one thing that both know.
func (l *language) startsKnown(clause string) bool {
	return l.begins != nil && l.begins.MatchString(clause)
}

// picks says whether a clause settles something by its form.
func (l *language) picks(s *Statement, clause string) bool {
	verb := l.pick.FindString(clause)
	return s.Kind == Decision || verb != "" && !l.startsKnown(clause[len(verb):]) && !l.points.MatchString(clause)
}

// grounded says whether a clause tells how something is, and is no choice itself: it may
// be a reason.
func (l *language) grounded(clause string) bool {
	return CountWords(clause) >= minReasonWords && !endsAsking(clause) && !l.polite.MatchString(clause) && l.verb.MatchString(clause) && !l.order.MatchString(clause) && !l.choice.MatchString(clause) && !l.goesOn.MatchString(clause) && !affirms.MatchString(clause)
}

// about says whether a clause speaks of what a rule is about: it begins with a word for it,
// or names it again.
func (l *language) about(clause, rule string) bool {
	if l.aside != nil && l.aside.MatchString("nothing, "+clause+" nothing") {
		return true
	}
	words := l.content(rule)
	return slices.ContainsFunc(l.content(clause), func(w string) bool { return slices.Contains(words, w) })
}
