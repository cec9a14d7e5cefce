package statement

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/phrases"
)

// forms are ways to say that something holds for everything of a kind. The words with
// which one may begin spare the hook its expression, which takes long to prepare.
type forms []struct {
	only, never map[string]bool // words with which it begins, none: any; with which it does not
	has         []string        // texts of which it holds one; none: any
	pattern     *automata.Pattern
}

// formsOf reads sections under one of the conditions "begins", "begins not" (words) and
// "has" (texts, separated by "|").
func formsOf(all []phrases.Section) forms {
	out := make(forms, len(all))
	for i, s := range all {
		out[i].pattern = s.Pattern()
		switch s.Condition {
		case "begins":
			out[i].only = lists.Words(s.Value)
		case "begins not":
			out[i].never = lists.Words(s.Value)
		case "has":
			out[i].has = strings.Split(s.Value, "|")
		case "":
		default:
			panic("unknown condition " + s.Condition)
		}
	}
	return out
}

// match says where a sentence has the first of the forms that it has; nil: it has none.
func (all forms) match(sentence string) []int {
	lower := strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
	first, _, _ := strings.Cut(lower, " ")
	first = strings.Trim(first, ",:;")
	for _, f := range all {
		holds := func(text string) bool { return strings.Contains(lower, text) }
		if len(f.only) > 0 && !f.only[first] || f.never[first] || len(f.has) > 0 && !slices.ContainsFunc(f.has, holds) {
			continue
		}
		if at := f.pattern.FindStringIndex(sentence); at != nil {
			return at
		}
	}
	return nil
}

// generalises says whether a sentence tells how everything of a kind is done: "branch
// names are always type/ticket". What begins with one thing that both know does not.
func (l *language) generalises(matter string) bool {
	if l.begins.MatchString(matter) || goesWrong.MatchString(matter) {
		return false
	}
	if strings.Contains(matter, " (") {
		matter = aside.ReplaceAllString(matter, " ")
	}
	return l.universal.match(matter) != nil || strings.Contains(matter, ": ") && l.universal.match(matter[len(topicLabel.FindString(matter)):]) != nil
}

// goesWrong tells what is broken, or what to do about it now: a report or a task, and no rule.
var goesWrong = automata.New(`(?i)\b(?:(?:get|gets|are|is|go|goes|come|comes)(?: \w+)? (?:mangled|lost|dropped|truncated|cut|cut off|duplicated|swallowed|garbled|broken|wrong|twice|missing|stuck|ignored|double|doubled)|crash(?:es)?|hangs?|leaks?|end up)\b|, (?:and )?(?:please )?(?:fix|change|implement|adjust|update) (?:it|this|that|the rules?|with)\b`)

// aside is what stands in parentheses within a sentence.
var aside = automata.New(` \([^()]*\) `)

// topicLabel is what stands before a rule to say what it is about: "helm values: …".
var topicLabel = automata.New(`^[\w./-]+(?: [\w./-]+){0,2}: `)
