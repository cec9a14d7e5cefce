package scan

import (
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// describeRule tells of a rule of a linter or compiler that was broken: what recurs in
// other sessions is the rule, and neither its place nor the names there. One edit of one
// line is the example of wrong and right where nothing else was wrong.
func describeRule(out *finding, rule string, f *fault) {
	says := ruleSays(f.rules[rule], rule)
	out.rule = rule
	out.title = firstOf(toolOf(out), out.tool) + " reports " + rule
	out.mistaken = strings.TrimSpace(rule + ": " + says)
	out.quotes = []string{f.rules[rule]}
	if !slices.Contains(out.marks, observe.MarkRule) {
		out.marks = append(slices.Clip(out.marks), observe.MarkRule)
	}
	if len(f.rules) <= 1 && strings.Contains(out.change, "became") {
		wrong, right, _ := strings.Cut(out.change, " became ")
		out.fix = "Write " + right + " instead of " + wrong
	} else {
		out.fix = "Write it so that " + rule + " has nothing to say: " + says
	}
	if says != "" {
		out.unfit = ""
	}
}

// toolOf is the program that failed, without what runs it.
func toolOf(f *finding) string {
	program, _, _ := strings.Cut(f.failure.Command, " ")
	return program
}

// ruleSays is what a line of findings says of its rule, without the place, the rule's
// name and the names of the sources.
func ruleSays(line, rule string) string {
	p := rulePatterns()
	line = p.place.ReplaceAllString(line, "")
	line = strings.ReplaceAll(strings.ReplaceAll(line, "("+rule+")", ""), "["+rule+"]", "")
	line = strings.TrimPrefix(strings.TrimSpace(line), rule)
	line = p.lead.ReplaceAllString(line, "")
	return strings.Trim(onOneLine(p.name.ReplaceAllString(line, "…")), " :━─×")
}

type rulePattern struct{ place, lead, name *automata.Pattern }

var rulePatterns = sync.OnceValue(func() rulePattern {
	c := automata.New
	return rulePattern{
		place: c(`^(?:\[[^\]]+\] )?\S+\.\w+[:(]\d+(?:[:,]\d+)?\)?:? *|^\d+:\d+ +`),
		lead:  c(`^(?:(?:error|warning)(?:\[\w+\])?:? *)?(?:[A-Z]+\d+: *)?`),
		name:  c("`[^`]+`|'[^']+'|\"[^\"]+\""),
	}
})
