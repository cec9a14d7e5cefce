package statement

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// practised says whether a sentence tells how things are done, and why: a decision by its
// grammar alone. The reason stands behind it or before it, joined by a word; of what is to
// be done it may be the next sentence.
func (l *language) practised(s *Statement, next string) bool {
	if before, done := thereforeIn(s.Rule); s.Because == "" && practiceOf(done) != noPractice && l.grounded(before) && !strings.Contains(strings.ToLower(before), "question") {
		s.Rule, s.Because = done, before
	}
	how := noPractice
	for _, clause := range clausesFrom(s.Rule) {
		if how = practiceOf(clause); how != noPractice {
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
	default:
		s.Rule, s.Because = l.reasonedByAs(s.Rule)
	}
	if s.Because == "" {
		return false
	}
	s.Kind = Decision
	return true
}

// clausesFrom are a sentence, and what stands in it behind a conjunction or a mark.
func clausesFrom(sentence string) []string {
	all := []string{sentence}
	for _, mark := range []string{", but ", " but ", "; ", ": "} {
		if _, clause, ok := strings.Cut(sentence, mark); ok {
			all = append(all, strings.TrimSpace(clause))
		}
	}
	return all
}

// thereforeIn splits a sentence that gives its reason first; done is "" where it does not.
func thereforeIn(sentence string) (reason, done string) {
	if m := therefore().FindStringSubmatch(sentence); m != nil {
		return strings.TrimRight(m[1], " ,;"), m[2]
	}
	return "", ""
}

// reasonedByAs splits a sentence whose reason stands behind "as".
func (l *language) reasonedByAs(sentence string) (rule, because string) {
	rule, because, ok := strings.Cut(sentence, ", as ")
	if !ok || asSuch().MatchString("as "+because) || !l.grounded(because) {
		return sentence, ""
	}
	return rule, because
}

var therefore = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`(?i)^(?:seeing that |seeing as |since |as )?(.{10,}?)[,;]? (?:hence|therefore|which is why|(?:and )?that'?s why|so) (.{8,})$`)
})

// noReasonWords begin what is no reason, though a word stands before it that mostly leads
// to one: "since then", "so that can go too", "that way in the pilot", "to avoid that".
var noReasonWords = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`(?i)^(?:then|in|on|at|too|can|could|should|will|would|is|was|are|means|so)[ ,.]|^(?:to avoid )?(?:this|that|these|those|it)(?: \w+)?\W*$`)
})
