package scan

import (
	"cmp"
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
	r := ruleReader{rules: map[string]broken{}}
	for line := range linesOf(text) {
		if len(r.rules) >= maxRules {
			break
		}
		if len(line) <= 400 {
			r.read(line)
		}
	}
	if r.bare != "" && r.rules[r.bare].line == "" {
		r.rules[r.bare] = r.rules[r.bare].at(r.bare)
	}
	return r.rules
}

// ruleReader goes through the lines of a linter's output.
type ruleReader struct {
	rules   map[string]broken
	bare    string // the rule that stood alone on the line before
	current string // the rule of the newest finding
	last    string // the line before
	head    string // a compiler's message whose notes name its rule
	shown   string // the line of the sources that it showed since
}

func (r *ruleReader) read(line string) {
	if r.bare != "" && r.rules[r.bare].line == "" {
		r.rules[r.bare] = r.rules[r.bare].at(line)
	}
	r.bare = ""
	source := ""
	if prefix, behind, ok := marked(line, r.last); ok {
		source = strings.TrimPrefix(r.last, prefix)
		if r.shown = source; r.current != "" {
			r.rules[r.current].quote(source)
		}
		line = behind
	}
	r.last = line
	if messageHead().MatchString(line) {
		r.head, r.shown, r.current = line, "", ""
	}
	rule := ruleOfLine(line)
	if rule == "" || source != "" && rule == r.current {
		return
	}
	r.current = rule
	switch before, behind, _ := strings.Cut(line, rule); {
	case (strings.HasPrefix(rule, "lint/") || strings.HasSuffix(before, ":")) && strings.Trim(behind, " ━─") == "":
		r.bare = rule
		return
	case r.head != "" && strings.HasPrefix(line, "= "):
		r.rules[rule] = r.rules[rule].at(r.head)
		source, r.head = r.shown, ""
	default:
		r.rules[rule] = r.rules[rule].at(line)
	}
	if source != "" {
		r.rules[rule].quote(source)
	}
}

// messageHead begins what a compiler says over several lines.
var messageHead = automata.Lazily(`^(?:error|warning): [a-z]`)

// marked says whether a line marks a part of the line before it, what a runner put before
// both ("[lint] ", "web:lint: "), and what the line says behind the mark.
func marked(line, last string) (prefix, behind string, ok bool) {
	m := mark().FindStringSubmatchIndex(line)
	if m == nil {
		return "", "", false
	}
	prefix = strings.TrimRight(line[:m[2]], "| \t")
	return prefix, strings.TrimSpace(line[m[3]:]), strings.HasPrefix(last, prefix)
}

var mark = automata.Lazily(`(?:^|[|\s])([\^~][\^~-]*)(?:\s|$)`)

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
	m := ruleShape.FindStringSubmatch(line)
	if m == nil || notRules[cmp.Or(m[1:]...)] {
		return ""
	}
	rule := cmp.Or(m[1:]...)
	if page := clippyPage().FindStringSubmatch(line); page != nil {
		rule = "clippy::" + page[1]
	}
	if strings.HasPrefix(rule, "clippy::") {
		return strings.ReplaceAll(rule, "-", "_") // attributes write it so, flags with hyphens
	}
	if own := ruleOfLinter().FindStringSubmatch(line); own != nil && own[2] == rule && own[1] != rule && !notOwnRules[own[1]] {
		return rule + "/" + own[1]
	}
	return rule
}

// clippyPage is where Clippy explains a rule; its name stands nowhere else from the second
// finding on.
var clippyPage = automata.Lazily(`rust-clippy/\S*#(\w+)$`)

var ruleOfLinter = automata.Lazily(`:\d+: ([a-z]\w*(?:-[a-z]\w*)*): .*[^ ] \(([a-z][a-z-]{2,30})\)$`)

// notOwnRules are words before a message that say how bad it is.
var notOwnRules = map[string]bool{"error": true, "warning": true, "info": true, "note": true, "hint": true, "fatal": true}
