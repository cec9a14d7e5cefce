package score

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// InferKind chooses the form of a lesson: a checklist for two or
// more steps, a warning for a mistake with its fix, a requirement for must and
// never, else a pattern. What was declared stands. Words count whole only.
func InferKind(o *observe.Observation) lesson.Kind {
	text := strings.Join([]string{o.Pattern, o.Details}, "\n")
	switch {
	case o.Kind != "":
		return o.Kind
	case len(o.Items) >= 2:
		return lesson.Checklist
	case o.Mistake != "" && (o.Fix != "" || wentWrong(o.Origin)):
		return lesson.Warning
	case steps(text) >= 2 || inOrder(text) || containsPhrase(text, couplingPhrases):
		return lesson.Checklist
	case containsPhrase(text, requirementPhrases):
		return lesson.Requirement
	}
	return lesson.Pattern
}

var (
	couplingPhrases    = []string{"and then", "don't forget", "also update", "also need", "also needs", "in that order", "in this order"}
	requirementPhrases = []string{"must", "never", "must not", "is required", "are required", "is forbidden", "may not", "shall"}
	productionPhrases  = []string{
		"deploy", "deploys", "deployed", "deploying", "deployment", "release", "releases", "released",
		"production", "publish", "published", "publishing", "security", "data loss", "breaking", "critical",
		"users affected", "downtime", "rollback",
	}
)

// productionImpact says whether a text speaks of production: the impact words
// of experience-based learning, whole words only.
func productionImpact(text string) bool { return containsPhrase(text, productionPhrases) }

// wentWrong says whether an observation began with something that failed.
func wentWrong(o observe.Origin) bool {
	return o == observe.OriginErrorFix || o == observe.OriginRetry || o == observe.OriginHang || o == observe.OriginOutcome
}

// inOrder says whether a sentence tells two steps: first this, then that.
func inOrder(text string) bool {
	for sentence := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".!?\n", r) }) {
		words := wholeWords(sentence)
		if i := slices.Index(words, "first"); i >= 0 && slices.ContainsFunc(words[i+1:], func(w string) bool {
			return w == "then" || w == "afterwards" || w == "finally"
		}) {
			return true
		}
	}
	return false
}

// steps counts the lines that are numbered or bulleted.
func steps(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		digits := strings.TrimLeft(line, "0123456789")
		numbered := digits != line && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
		if numbered || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") {
			n++
		}
	}
	return n
}

// containsPhrase looks for phrases as whole, adjacent words.
func containsPhrase(text string, phrases []string) bool {
	low := strings.ToLower(text)
	if !slices.ContainsFunc(phrases, func(phrase string) bool {
		first, _, _ := strings.Cut(phrase, " ")
		return strings.Contains(low, first)
	}) {
		return false // as most texts
	}
	words := wholeWords(low)
	return slices.ContainsFunc(phrases, func(phrase string) bool {
		want := wholeWords(phrase)
		for i := 0; i+len(want) <= len(words); i++ {
			if slices.Equal(words[i:i+len(want)], want) {
				return true
			}
		}
		return false
	})
}

func wholeWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\'' && r != '_' && r != '-'
	})
}
