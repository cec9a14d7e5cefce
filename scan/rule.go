package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// describeRule tells of a rule of a linter or compiler that was broken: what recurs in
// other sessions is the rule, whatever ran the linter, and neither its place nor the names
// there. Where no example is known, the linter's command is named.
func (w *Window) describeRule(out *finding, rule string, f *fault, wrong, right *Step) {
	says := ruleSays(f.rules[rule].line, rule)
	out.rule, out.mend.rule, out.area = rule, rule, ""
	out.title = "The linter reports " + rule
	marks := []observe.Mark{observe.MarkRule}
	if compilers.MatchString(rule) {
		out.title = "The compiler reports " + rule
		marks = append(marks, observe.MarkCompiler)
	}
	out.mistaken = strings.TrimSpace(rule + ": " + says)
	out.quotes = []string{f.rules[rule].line}
	// What else the output complains of makes it no other failure. A rule with a slash,
	// as import/no-cycle, would be masked as a path.
	out.failure = &fingerprint.Failure{Tool: out.failure.Tool, Class: out.failure.Class, Text: strings.ReplaceAll(rule, "/", "::")}
	out.marks = append(slices.DeleteFunc(slices.Clone(out.marks), func(m observe.Mark) bool { return m == observe.MarkRule || m == observe.MarkCompiler }), marks...)
	example := w.example(rule, f, wrong, right)
	switch {
	case example == (lineChange{}):
		out.fix = "Check with `" + shortly(faulty(wrong.line(), f)) + "` before you finish"
	case example.old == "":
		out.fix = "Add " + shownLine(example.now)
	case example.now == "":
		out.fix = "Delete " + shownLine(example.old)
	default:
		out.fix = "Write " + shownLine(example.now) + " instead of " + shownLine(example.old)
	}
	switch {
	case example == (lineChange{}):
		out.unfit = "no edit is known that mends it"
	case says != "":
		out.unfit = ""
	}
}

// shortly is a command without its arguments, as it was typed.
func shortly(c *shell.Command) string {
	typed, name := oneCommand(c.Source), c.Name()
	if i := strings.Index(typed, name); i >= 0 {
		return typed[:i+len(name)]
	}
	return name
}

// compilers match the names of rules of compilers: TS2322, E0308.
var compilers = automata.New(`^(?:(?:TS|CS|FS|MSB|NU)\d{3,5}|E\d{4})$`)

// ruleSays is what a line of findings says of its rule, without the place and the rule's
// name. The names of the sources are in it: several lines tell which of them are the rule's.
func ruleSays(line, rule string) string {
	p := rulePatterns
	line = p.place.ReplaceAllString(line, "")
	if linter, own, ok := strings.Cut(rule, "/"); ok && strings.HasPrefix(line, own+": ") {
		line, rule = line[len(own)+2:], linter
	}
	line = strings.ReplaceAll(strings.ReplaceAll(line, "("+rule+")", ""), "["+rule+"]", "")
	line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), rule))
	if !p.sentence.MatchString(line) {
		line = p.lead.ReplaceAllString(line, "")
	}
	line = p.alias.ReplaceAllString(strings.TrimPrefix(line, rule), "")
	line = p.details.ReplaceAllString(line, "")
	return strings.Trim(onOneLine(line), " :━─×")
}

var rulePatterns = struct{ place, sentence, lead, alias, details *automata.Pattern }{
	place: automata.New(`^(?:\[[^\]]+\] )?\S+\.\w+[:(]\d+(?:[:,]\d+)?\)?:? *|^\d+:\d+ +|^L: +\d+ \| P: +\d+ \| `),
	lead:  automata.New(`^(?:(?:error|warning)(?:\[\w+\])?:? *|[CWEFR]: (?:\[Correctable\] )?)?(?:[A-Z]+\d+: *|\((?:error|warning|info|style)\): *)?`),
	// "error returned from …" is no mark of how bad it is.
	sentence: automata.New(`^(?:error|warning) [a-z]`),
	alias:    automata.New(`^(?:/[\w-]+|\|) `),
	// What stands in brackets at the end, or behind "sig:", is about one place.
	details: automata.New(`(?:\s+\[[^\]]*\]|: sig: .*)$`),
}
