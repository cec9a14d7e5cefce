package statement

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// Answer reads an answer that begins with one of the options it was asked to choose from,
// and what stands behind it as the reason: the rest of its sentence, else the next one. No
// word has to join them, since who names an option and goes on tells why. Names says
// whether a text is an option; linked, whether a word joins the reason to it. ok is false
// where no option or no reason is found.
func Answer(answer, next string, names func(option string, linked bool) bool) (s Statement, ok bool) {
	l := languageOf(answer)
	if endsAsking(answer) {
		return s, false
	}
	answer, next = l.withoutLead(l.typed(answer)), l.typed(next)
	for _, at := range breaks(answer) {
		head, rest := answer[:at], strings.TrimLeft(answer[at:], " ,;:–—-")
		if s, ok = l.chosen(head, rest, names); ok {
			return s, true
		}
	}
	if rule, because := l.reasoned(answer); because != "" {
		if s, ok = l.chosen(rule, "because "+because, names); ok {
			return s, true
		}
	}
	return l.chosen(answer, next, names)
}

// Asked is a statement that answers a question, which says what its words point at.
func (s Statement) Asked() Statement {
	if s.Missing != tooLong {
		s.Missing = ""
	}
	return s
}

// chosen reads an option with what was said behind it.
func (l *language) chosen(option, reason string, names func(string, bool) bool) (Statement, bool) {
	option = strings.TrimRight(option, " .!…")
	s := Statement{Kind: Decision, Rule: option, Because: l.reasonIn(reason)}
	if m := joins.FindStringSubmatch(reason); m != nil && s.Because == "" && !endsAsking(reason) && !asSuch.MatchString(reason) {
		s.Because = m[1]
	}
	if !names(option, s.Because != "") || l.passing.MatchString(option) || l.passing.MatchString(reason) {
		return Statement{}, false
	}
	if s.Because == "" && (l.tellsWhy(reason) || l.wantsSo(reason)) {
		s.Because = reason
	}
	l.finish(&s)
	return s, s.Because != ""
}

// tellsWhy says whether a clause behind an option may be the reason for it: it tells how
// something is, and neither asks nor orders something.
func (l *language) tellsWhy(clause string) bool {
	switch {
	case CountWords(clause) < minReasonWords, endsAsking(clause), l.asks.MatchString(clause), l.choice.MatchString(clause), noReason.MatchString(clause),
		l.order.MatchString(clause):
		return false
	case l.verb == nil:
		return true
	}
	return l.grounded(clause) || likelyReason(clause)
}

// wantsSo says whether a sentence behind an option tells what the person wants, and why.
func (l *language) wantsSo(sentence string) bool {
	if !wants.MatchString(sentence) || endsAsking(sentence) {
		return false
	}
	_, because := l.reasoned(sentence)
	return because != ""
}

var wants = automata.New(`(?i)^(?:i|we) (?:want|need|must|have) `)

// joins are words that join a reason to what stands before it, and to little else.
var joins = automata.New(`(?i)^(?:as|(?:seeing|given|considering)(?: that)?|why:|(?:the )?reason(?: is|:)(?: that)?|(?:mainly |mostly )?(?:due|thanks) to|bcs?|cuz|cause)\s(.{3,})$`)

// asSuch begin with "as" and give no reason.
var asSuch = automata.New(`(?i)^as (?:soon|well|long|far|for|to|if|an?|i|you|before|above|below|usual|always|discussed|agreed|said|planned|is|the (?:first|last|next|default))\b`)

// noReason begins what goes on with the talk, or is no text.
var noReason = automata.New(`(?i)^(?:[^\pL\d]|(?:yes|yeah|yep|no|nope|maybe|ok(?:ay)?|now|right|together|i(?:'m| am) \w+ing|i (?:think|hope|wonder|guess|assume)|we have (?:an?|some|changes))\b)`)

// IsPhrase says whether a text is one thing and no sentence: it has no verb of those that
// most sentences have.
func IsPhrase(text string) bool { return !finite.MatchString(text) }

var finite = automata.New(`(?i)\b(?:is|are|was|were|be|been|has|have|had|can|could|will|would|should|does|do|did|\w+n't|(?:are|is|was|were|do|does|did|has|have|had|could|would|should|wo|ca)nt|fails?|failed|works?|worked|gets?|got|goes|went|looks?|seems?|means?)\b|\b(?:i|it|that|they|we|you|he|she|what)(?:'(?:s|re|ve|d|m|ll))?\b|\bthere's\b`)

// IsOrder says whether a text begins as an order does.
func IsOrder(text string) bool {
	l := languageOf(text)
	return l.order.MatchString(l.withoutLead(text))
}
