package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// triggerOfReport reads the trigger of a #lesson: a command when the tool runs
// commands and the text is one, else a path when it looks like one.
func triggerOfReport(t Tag) *lesson.Trigger {
	tool := t.Tool
	trigger := &lesson.Trigger{}
	if tool != "" && !strings.ContainsAny(tool, "<> \t") {
		trigger.Tools = []string{tool}
	}
	text := codeIn(t.Trigger)
	switch {
	case tool == "" || isShell(tool):
		if c := commandIn(text); c != nil {
			flags := exactly(c, c.FlagNames(), t.Fix)
			trigger.Commands = []string{commandShape(c, flags)}
			trigger.Unless = append(fixTokens(c, t.Fix), zeros(flags)...)
			if len(trigger.Unless) > 0 && len(c.Sub) == 0 && !mentions(t.Fix, c.FlagNames()) {
				// What the fix adds tells right from wrong; the other flags were there by chance.
				trigger.Commands = []string{c.Name()}
			}
			if tool == "" {
				trigger.Tools = []string{"Bash"}
			}
		}
	default:
		if p := pathIn(tool, t.Trigger); p != "" {
			trigger.Paths = []string{p}
		}
	}
	if len(trigger.Commands)+len(trigger.Paths) == 0 {
		trigger.Keywords = keywordsIn(t.Trigger)
		if len(trigger.Keywords) == 0 || len(trigger.Tools) == 0 {
			return nil
		}
	}
	return trigger
}

// mentions says whether a text speaks of one of the flags as a thing to leave.
func mentions(text string, flags []string) bool {
	return slices.ContainsFunc(flags, func(f string) bool {
		return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" `'\",.;()", r) }), f)
	})
}

// codeIn returns the first piece between backticks, else the text.
func codeIn(text string) string {
	if _, rest, ok := strings.Cut(text, "`"); ok {
		if code, _, ok := strings.Cut(rest, "`"); ok && strings.TrimSpace(code) != "" {
			return strings.TrimSpace(code)
		}
	}
	return strings.TrimSpace(text)
}

var programName = automata.New(`^[a-z0-9][a-z0-9_.+-]*$`)

// commandIn reads a text as a command, or returns nil when it is prose: prose
// has many plain words and neither flag nor path.
func commandIn(text string) *shell.Command {
	c := mainCommand(shell.Parse(text))
	if c == nil || !programName.MatchString(c.Program) {
		return nil
	}
	known := shell.HasSubcommands(c.Program)
	plain := lists.Count(c.Operands, func(o string) bool { return !strings.ContainsAny(o, "./-_=:@0123456789") })
	if !known && len(c.FlagNames()) == 0 && plain > 1 || plain > 4 {
		return nil
	}
	return c
}

// fixTokens returns what a fix in words adds to the command: flags and
// variables of the same program in its code, and variables said to be set.
func fixTokens(c *shell.Command, fix string) []string {
	var tokens []string
	pieces := strings.Split(fix, "`")
	for i, piece := range pieces {
		if i%2 == 0 && len(pieces) > 1 {
			for _, w := range strings.Fields(piece) {
				w = strings.Trim(w, ".,;()")
				name, value, ok := strings.Cut(w, "=")
				switch {
				case ok && value != "" && isName(name) && strings.ToUpper(name) == name:
					tokens = append(tokens, w)
				case len(name) > 3 && strings.HasPrefix(name, "--") && !slices.Contains(c.FlagNames(), name):
					tokens = append(tokens, name) // not in the command, so it is to come in
				}
			}
			continue
		}
		for _, g := range shell.Parse(strings.TrimSpace(piece)).Commands {
			if sameProgram(c, g) {
				tokens = append(tokens, less(g.FlagNames(), c.FlagNames())...)
				tokens = append(tokens, less(g.Env, c.Env)...)
			} else if strings.HasPrefix(strings.TrimSpace(piece), "-") {
				tokens = append(tokens, g.Path)
			}
		}
	}
	return shapes(tokens)
}

var pathLike = automata.Lazily("(?:^|[\\s`'\"(])((?:[\\w.@~*-]+)?(?:/[\\w.@*{},-]+)+|[\\w.*-]+\\.[A-Za-z][A-Za-z0-9]{0,5})(?:$|[\\s`'\"),:;])")

// pathIn returns the path that a report about a file tool is about.
func pathIn(tool, text string) string {
	if isShell(tool) {
		return ""
	}
	if m := pathLike().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

var identifier = automata.Lazily(`[A-Za-z][\w]*(?:[._/-][\w]+)+|[a-z]+[A-Z]\w*|[A-Z]{2,}\d*`)

// keywordsIn returns the names in a prose trigger, at most three.
func keywordsIn(text string) []string {
	var words []string
	for _, m := range identifier().FindAllString(text, -1) {
		if redact.HoldsKey(m) {
			continue // in lower case nobody would know it any more
		}
		if m = strings.ToLower(m); !slices.Contains(words, m) && len(words) < 3 {
			words = append(words, m)
		}
	}
	return words
}

// commandShape is program, sub-command and the tokens that make it wrong.
func commandShape(c *shell.Command, tokens []string) string {
	var operands, flags, passed []string
	for _, t := range tokens {
		name, _, _ := strings.Cut(t, "=")
		switch {
		case slices.Contains(c.Sub, t):
		case slices.Contains(flagsOf(c, true), name):
			passed = append(passed, t)
		case strings.HasPrefix(t, "-"):
			flags = append(flags, t)
		default:
			operands = append(operands, t)
		}
	}
	return strings.Join(append([]string{c.Program}, shell.Write(c.Program, c.Sub, operands, flags, passed)...), " ")
}

var variable = automata.New(`^(?:\d+|[0-9a-f]{7,64}|[0-9a-f-]{32,36})$|://|\s|\n|^/|^~|\.\.|^\$|[*?{}\[\]]`)

// shapes keeps the tokens that another session can meet: flags, variables and
// plain words, and not numbers, hashes, addresses, texts and places.
func shapes(tokens []string) []string {
	var kept []string
	for _, t := range tokens {
		if t == "" || len(t) > 60 || !strings.HasPrefix(t, "-") && variable.MatchString(t) {
			continue
		}
		if !slices.Contains(kept, t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// exactly replaces the flags of which another value is right by flag and value.
func exactly(c *shell.Command, flags []string, fix string) []string {
	flags = slices.Clone(flags)
	for _, f := range c.Flags {
		i, value := slices.Index(flags, f.Name), valueIn(fix, f.Name)
		if i >= 0 && f.Value != "" && value != "" && value != f.Value {
			e := change{kind: valueEdit, old: f.Value, new: value}.general()
			flags[i] = f.Name + "=" + e.old
		}
	}
	return flags
}

// valueIn returns the first value that a text gives a flag with a sign of equality.
func valueIn(text, flag string) string {
	_, behind, _ := strings.Cut(text, flag+"=")
	value, _, _ := strings.Cut(behind, " ")
	return strings.TrimRight(value, "`'\".,;:)")
}
