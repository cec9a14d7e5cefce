package statement

import (
	"fmt"
	"strings"
)

// What a statement lacks.
const (
	saysNothing  = "it does not say what to do"
	pointsOnly   = "it means what only its conversation shows"
	tooLong      = "it is too long for one lesson"
	minRuleWords = 3
	maxRuleWords = 60
	// tellingWords are enough content for a rule to say itself what its "it" means.
	tellingWords = 4
)

// missing says why somebody who was not there could not follow a statement; "": they
// could. It must name something, by any word beyond the commonest ones, and say what
// to do.
func (l *language) missing(s *Statement) string {
	n := CountWords(s.Rule)
	switch {
	case s.Rule == "":
		return saysNothing
	case len(l.content(s.Rule)) == 0 && !strings.Contains(s.Rule, "`"):
		return fmt.Sprintf("it names nothing: every word of %q is common", s.Rule)
	case len(s.Names) == 0 && l.points.MatchString(s.Rule) && !((s.Explicit || s.Because != "") && len(l.content(s.Rule)) >= tellingWords), l.handles.MatchString(s.Rule):
		return pointsOnly
	case n < minRuleWords && len(s.Names) == 0 && s.Because == "":
		return saysNothing
	case n > maxRuleWords:
		return tooLong
	}
	return ""
}

// content returns the words of a text beyond the commonest ones; of Chinese and
// Japanese what is left between those.
func (l *language) content(text string) []string {
	var words []string
	if l.gaps != nil {
		text = l.gaps.Replace(text)
	}
	for w := range wordsOf(text) {
		if !l.common[w] && strings.Trim(w, "0123456789") != "" {
			words = append(words, w)
		}
	}
	return words
}
