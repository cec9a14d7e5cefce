package statement

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// practised says whether a sentence tells how things are done, and why: a decision by its
// grammar alone. The reason stands behind it or before it, joined by a word; of what is to
// be done it may be the next sentence.
func (l *language) practised(s *Statement, before, next string) bool {
	if why, done := thereforeIn(s.Rule); s.Because == "" && l.practice(done) != noPractice && l.grounded(why) && (tellsTrouble(why) || !l.startsKnown(done)) && !strings.Contains(strings.ToLower(why), "question") {
		s.Rule, s.Because = done, why
	}
	how := noPractice
	for _, clause := range clausesFrom(s.Rule) {
		if how = l.practice(clause); how != noPractice {
			s.Rule = clause
			break
		}
	}
	switch {
	case how == noPractice:
		return false
	case s.Because != "":
	case how == settled && l.grounded(next):
		s.Because = next
	case l.arranges(how, s.Rule):
		s.Because = l.troubleNextTo(s, before, next)
	}
	if s.Because == "" {
		s.Rule, s.Because = l.reasonedByAs(s.Rule)
	}
	if s.Because == "" && how == settled && l.grounded(before) && !mine.MatchString(before) {
		s.Because = before
	}
	if s.Because == "" {
		return false
	}
	s.Kind = Decision
	return true
}

// arranges says whether a clause tells how things are arranged, and no single thing's state.
func (l *language) arranges(how practice, clause string) bool {
	return !asItIs.MatchString(clause) && !proposed.MatchString(clause) && (how == isDone || how == settled || how == isSo && !l.startsKnown(clause) && len(namesIn(clause))+len(properNames.FindAllString(clause, 1)) > 0)
}

// proposed begins what may be the work at hand: a word has to join its reason.
var proposed = automata.New(`(?i)^let'?s `)

// asItIs tells of a state that may well have to change.
var asItIs = automata.New(`(?i)://|: .*: |\b(?:currently|previously|already|still|at present|as of now|(?:is|are) (?:always|never|only)|(?:don'?t|do not|never) (?:always )?(?:have|get|see|know))\b`)

// properNames are words in capitals behind the first one.
var properNames = automata.New(`[\w,] [A-Z][\w.+#-]+`)

// troubleNextTo is the trouble that gives the reason for a rule: behind it in its sentence,
// in the next one, or in the one before.
func (l *language) troubleNextTo(s *Statement, before, next string) string {
	for _, at := range breaks(s.Rule) {
		rest := strings.TrimLeft(s.Rule[at:], " ,;:–—-")
		linked := s.Rule[at] == ':' && l.grounded(rest) && !mine.MatchString(rest) || strings.HasSuffix(s.Rule[:at], " then") && l.grounded(rest) || tellsTrouble(rest) && !strings.HasPrefix(rest, "as ")
		if linked && !tellsTrouble(s.Rule[:at]) && l.practice(s.Rule[:at]) != noPractice {
			s.Rule = s.Rule[:at]
			return rest
		}
	}
	if tellsTrouble(s.Rule) {
		return "" // a report
	}
	for _, sentence := range []string{next, before} {
		if sentence = l.withoutLead(sentence); tellsTrouble(sentence) && !l.order.MatchString(sentence) {
			return sentence
		}
	}
	return ""
}

// clausesFrom are a sentence, and what stands in it behind a conjunction or a mark.
func clausesFrom(sentence string) []string {
	var all []string
	if m := behindMe.FindStringSubmatch(sentence); m != nil {
		all = append(all, m[1]) // "I talked with Noor and we split the state"
	}
	all = append(all, sentence)
	for _, mark := range []string{", but ", " but ", "; ", ": ", ", "} {
		if _, clause, ok := strings.Cut(sentence, mark); ok {
			all = append(all, strings.TrimSpace(clause))
		}
	}
	return all
}

// behindMe finds what "we" do behind what the person did.
var behindMe = automata.New(`(?i)^i(?:'?(?:ve|m|d))? [^;:]{3,80}?,? (?:and|but|so|that) (we(?:'ll|'re)? .{8,})$`)

// thereforeIn splits a sentence that gives its reason first; done is "" where it does not.
func thereforeIn(sentence string) (reason, done string) {
	if m := therefore.FindStringSubmatch(sentence); m != nil {
		return strings.TrimRight(m[1], " ,;"), m[2]
	}
	return "", ""
}

// reasonedByAs splits a sentence whose reason stands behind "as".
func (l *language) reasonedByAs(sentence string) (rule, because string) {
	rule, because, ok := strings.Cut(sentence, ", as ")
	if !ok || asSuch.MatchString("as "+because) || !l.grounded(because) {
		return sentence, ""
	}
	return rule, because
}

var therefore = automata.New(`(?i)^(?:seeing that |seeing as |since |as )?(.{10,}?)[,;]? (?:hence|therefore|which is why|(?:and )?that'?s why|so) (.{8,})$`)

// noReasonWords begin what is no reason, though a word stands before it that mostly leads
// to one: "since then", "so that can go too", "that way in the pilot", "to avoid that".
var noReasonWords = automata.New(`(?i)^['’]|^(?:then|in|on|at|too|can|could|should|will|would|is|was|are|means|so (?:if|you|i (?:don'?t|do not|think|guess)))[ ,.]|^(?:to avoid )?(?:this|that|these|those|it)(?: \w+)?\W*$`)
