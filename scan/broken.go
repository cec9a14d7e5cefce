package scan

import (
	"slices"
	"strings"
)

// broken is a rule that the sources break.
type broken struct {
	line   string   // the first that says so
	quoted []string // lines of the sources that stand below such a line, with a mark below them
}

// maxQuoted is how many lines of the sources are kept of a rule.
const maxQuoted = 8

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
			rules[bare] = broken{line: line} // the rule stood alone on the line before
		}
		bare = ""
		if current != "" && strings.Trim(line, "^~| ") == "" {
			rules[current] = rules[current].quoting(last)
		}
		last = line
		rule := ruleOfLine(line)
		if rule == "" {
			continue
		}
		current = rule
		if _, behind, _ := strings.Cut(line, rule); strings.HasPrefix(rule, "lint/") && strings.Trim(behind, " ━─") == "" {
			bare = rule
		} else if rules[rule].line == "" {
			rules[rule] = broken{line: line}
		}
	}
	if bare != "" && rules[bare].line == "" {
		rules[bare] = broken{line: bare}
	}
	return rules
}

// quoting adds a line of the sources. Some tools put its number and a bar before it.
func (b broken) quoting(source string) broken {
	if number, line, barred := strings.Cut(source, "|"); barred && isNumber(strings.TrimSpace(number)) {
		source = strings.TrimSpace(line)
	}
	if len(b.quoted) < maxQuoted && !slices.Contains(b.quoted, source) {
		b.quoted = append(b.quoted, source)
	}
	return b
}

// ruleOfLine is the rule that a line names, "" for none.
func ruleOfLine(line string) string {
	m := ruleShape().FindStringSubmatch(line)
	if m == nil || notRules[firstOf(m[1:]...)] {
		return ""
	}
	return firstOf(m[1:]...)
}

// example is a change of one line that mended a rule between two calls: of a line that the
// linter quotes, else the only edit where nothing else was wrong. What turns the linter off
// is none.
func (w *Window) example(rule string, f *fault, from, to *Step) lineChange {
	var change lineChange
	for s := range w.between(from, to) {
		if !isEdit(s.Tool) || !changesFiles(s) {
			continue
		}
		for _, line := range f.rules[rule].quoted {
			if c := changeOf(line, s.change()); c.now != "" && !safeguard().MatchString(c.now) {
				change = c // the first of them, for steps come newest first
			}
		}
	}
	if change == (lineChange{}) && len(f.rules) <= 1 {
		_, change = w.edits(from, to)
	}
	if change.old == "" || change.now == "" || safeguard().MatchString(change.now) {
		return lineChange{}
	}
	return change
}
