package statement

import "strings"

// minReasonWords is how long a clause must be that is a reason without a word that says so.
const minReasonWords = 3

// unlinked finds the reason that people put behind a choice without a word like
// "because", in a clause or in the next sentence: "argon2id instead of bcrypt, bcrypt cuts
// at 72 bytes".
func (l *language) unlinked(choice, next string) (rule, because string) {
	if l.verb == nil {
		return choice, ""
	}
	for _, at := range breaks(choice) {
		if clause := strings.TrimLeft(choice[at:], " ,;:–—-"); l.grounded(clause) {
			return choice[:at], clause
		}
	}
	if l.grounded(next) {
		if more, because := l.reasoned(next); because != "" && CountWords(more) <= fragmentWords {
			return strings.TrimRight(choice, ". ") + ". " + more, because // "JSON is out. CBOR, since …"
		}
		return choice, next
	}
	return choice, ""
}

// setsApart says whether a clause puts one thing in place of another one, neither of them
// what only the conversation shows.
func (l *language) setsApart(clause string) bool {
	clause = clause[len(l.settles.FindString(clause)):]
	return l.apart.MatchString(clause) && !l.startsKnown(clause) && !l.points.MatchString(clause)
}

// startsKnown says whether a clause begins with one thing that both know.
func (l *language) startsKnown(clause string) bool {
	return l.begins.MatchString(clause)
}

// mayJustify says whether a clause may be a reason: no question, and not what was left of a
// quotation.
func (l *language) mayJustify(clause string) bool {
	return !strings.HasPrefix(clause, "…") && !endsAsking(clause) && !l.asks.MatchString(clause)
}

// grounded says whether a clause tells how something is, and is no choice itself: it may
// be a reason.
func (l *language) grounded(clause string) bool {
	return CountWords(clause) >= minReasonWords && l.mayJustify(clause) && !l.polite.MatchString(clause) && l.verb.MatchString(clause) && !l.order.MatchString(clause) && !l.choice.MatchString(clause) && !l.goesOn.MatchString(clause) && !affirms.MatchString(clause)
}
