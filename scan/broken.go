package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// broken is a rule that the sources break.
type broken struct {
	line   string   // the first that says so
	places []breach // the first of the places
}

// breach is one place where the sources break a rule.
type breach struct {
	says   string // the linter's line
	source string // the line of the sources that it shows below, with a mark below that; "" for none
}

// maxBreaches is how many places are kept of a rule.
const maxBreaches = 8

// rulesIn returns all rules that an output says were broken, by name.
func rulesIn(text string) map[string]broken {
	rules := map[string]broken{}
	var bare, current, last string
	lines := linesOf(text)
	for line, ok := lines.next(); ok && len(rules) < maxRules; line, ok = lines.next() {
		if len(line) > 400 {
			continue
		}
		if bare != "" && rules[bare].line == "" {
			rules[bare] = rules[bare].at(line) // the rule stood alone on the line before
		}
		bare = ""
		if prefix, ok := marked(line, last); ok && current != "" {
			rules[current].quote(strings.TrimPrefix(last, prefix))
		}
		last = line
		rule := ruleOfLine(line)
		if rule == "" {
			continue
		}
		current = rule
		if _, behind, _ := strings.Cut(line, rule); strings.HasPrefix(rule, "lint/") && strings.Trim(behind, " ━─") == "" {
			bare = rule
		} else {
			rules[rule] = rules[rule].at(line)
		}
	}
	if bare != "" && rules[bare].line == "" {
		rules[bare] = rules[bare].at(bare)
	}
	return rules
}

// marked says whether a line is nothing but a mark below the line before it, and what a
// runner put before both ("[lint] ", "web:lint: ").
func marked(line, last string) (prefix string, ok bool) {
	prefix = strings.TrimRight(line, "^~| \t")
	return prefix, strings.ContainsAny(line[len(prefix):], "^~") && strings.HasPrefix(last, prefix)
}

// at adds a place.
func (b broken) at(line string) broken {
	if b.line == "" {
		b.line = line
	}
	if len(b.places) < maxBreaches {
		b.places = append(b.places, breach{says: line})
	}
	return b
}

// quote adds the line of the sources to the last place. Some tools put its number and a bar
// before it.
func (b broken) quote(source string) {
	if number, line, barred := strings.Cut(source, "|"); barred && isNumber(strings.Trim(number, "> ")) {
		source = line
	}
	if last := len(b.places) - 1; last >= 0 && b.places[last].source == "" {
		b.places[last].source = strings.TrimSpace(source)
	}
}

// ruleOfLine is the rule that a line names, "" for none. A linter of many rules, named
// in brackets at the end, names its own before the message: revive/unused-parameter.
func ruleOfLine(line string) string {
	m := ruleShape().FindStringSubmatch(line)
	if m == nil || notRules[firstOf(m[1:]...)] {
		return ""
	}
	rule := firstOf(m[1:]...)
	if own := ruleOfLinter().FindStringSubmatch(line); own != nil && own[2] == rule && own[1] != rule && !notOwnRules[own[1]] {
		return rule + "/" + own[1]
	}
	return rule
}

var ruleOfLinter = automata.Lazily(`:\d+: ([a-z]\w*(?:-[a-z]\w*)*): .*[^ ] \(([a-z][a-z-]{2,30})\)$`)

// notOwnRules are words before a message that say how bad it is.
var notOwnRules = map[string]bool{"error": true, "warning": true, "info": true, "note": true, "hint": true, "fatal": true}
