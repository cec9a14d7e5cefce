package statement

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
)

// form is one way to say that something holds for everything of a kind. The words with
// which it may begin spare the hook its expression, which takes long to prepare.
type form struct {
	only  string // words with which it begins, separated by blanks; "": any
	never string // words with which it does not begin
	has   string // texts of which it holds one, separated by "|"; "": any
	expr  string
}

// forms are what [language.generalises] looks for.
type forms []struct {
	only, never map[string]bool
	has         []string
	pattern     *automata.Pattern
}

func formsOf(all []form) forms {
	out := make(forms, len(all))
	for i, f := range all {
		out[i].only, out[i].never, out[i].has = lists.Words(f.only), lists.Words(f.never), strings.Split(f.has, "|")
		out[i].pattern = automata.New(`(?i)` + f.expr)
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
		if len(f.only) > 0 && !f.only[first] || f.never[first] || !slices.ContainsFunc(f.has, holds) {
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
	if l.universal == nil || l.begins.MatchString(matter) || goesWrong.MatchString(matter) {
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
