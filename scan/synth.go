package scan

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/shellwords"
	"github.com/lessons-cli/lessons/knowledge"
)

// maxEdits is how many differences a fix may have to its mistake; beyond that
// it is another question (algorithms section 4, step 4).
const maxEdits = 3

// repair is what turns a failing command into the one that worked.
type repair struct {
	wrong, right *shellCommand
	removed      []string // tokens of wrong alone: flags, variables, operands
	added        []string // tokens of right alone
	program      bool     // another program took its place
}

func (r repair) edits() int { return max(len(r.removed), len(r.added)) }

// faulty returns the command of a line that its error is about: the one that
// the error names as its author, else the one that holds a token that the error
// names, else the main one.
func faulty(script *shellScript, f *fault) *shellCommand {
	if script == nil {
		return nil
	}
	for _, c := range script.commands {
		if f.program != "" && c.program == f.program {
			return c
		}
	}
	for _, c := range script.commands {
		for _, t := range f.named {
			if c.program == t || slices.Contains(c.flags, t) || slices.Contains(c.operands, t) || slices.Contains(c.sub, t) {
				return c
			}
		}
	}
	return script.main()
}

// counterpart returns the command of a line that does what wrong was meant to
// do: the same program with the longest common sub-command.
func counterpart(wrong *shellCommand, script *shellScript) *shellCommand {
	if script == nil {
		return nil
	}
	var best *shellCommand
	depth := -1
	for _, c := range script.commands {
		if !sameProgram(wrong, c) {
			continue
		}
		if n := commonPrefix(wrong.sub, c.sub); n >= depth {
			best, depth = c, n
		}
	}
	if best != nil && len(wrong.sub) > 0 && len(best.sub) > 0 && depth == 0 {
		return nil
	}
	return best
}

// sameProgram treats versions and runners of one program as it.
func sameProgram(a, b *shellCommand) bool {
	return a.program == b.program || isPython(a.program) && isPython(b.program) || trimVersion(a.program) == trimVersion(b.program)
}

func trimVersion(p string) string {
	if t := strings.TrimRight(p, "0123456789."); t != "" {
		return t
	}
	return p
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// compare aligns two commands of one program.
func compare(wrong, right *shellCommand) repair {
	r := repair{wrong: wrong, right: right, program: wrong.path != right.path || launcherOf(wrong) != launcherOf(right)}
	diff := func(a, b []string) {
		r.removed = append(r.removed, less(a, b)...)
		r.added = append(r.added, less(b, a)...)
	}
	n := commonPrefix(wrong.sub, right.sub)
	diff(wrong.sub[n:], right.sub[n:])
	diff(wrong.flags, right.flags)
	diff(valuesOf(wrong, right.flags), valuesOf(right, wrong.flags))
	diff(wrong.env, right.env)
	diff(wrong.operands, right.operands)
	return r
}

// valuesOf returns the flags with values whose flag is also among the others'.
func valuesOf(c *shellCommand, flags []string) []string {
	var kept []string
	for _, v := range c.values {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(flags, name) {
			kept = append(kept, v)
		}
	}
	return kept
}

// exactly replaces the flags of which another value is right by flag and value.
func (c *shellCommand) exactly(flags []string, fix string) []string {
	flags = slices.Clone(flags)
	for _, v := range c.values {
		name, _, _ := strings.Cut(v, "=")
		if i := slices.Index(flags, name); i >= 0 && strings.Contains(fix, name+"=") && !strings.Contains(fix, v+" ") && !strings.HasSuffix(fix, v) {
			flags[i] = v
		}
	}
	return flags
}

// launcherOf names the programs that run a command.
func launcherOf(c *shellCommand) string { return strings.Join(c.Wrappers, " ") }

// less returns the elements of a that b lacks, as multisets.
func less(a, b []string) []string {
	count := map[string]int{}
	for _, x := range b {
		count[x]++
	}
	var rest []string
	for _, x := range a {
		if count[x]--; count[x] < 0 {
			rest = append(rest, x)
		}
	}
	return rest
}

// synthesise makes a trigger of a repair (algorithms section 4): what was taken
// out or changed must be there, what was put in must be absent. It returns nil
// when the pair does not say which shape is wrong.
func synthesise(r repair, f *fault) *knowledge.Trigger {
	removed, added := shapes(r.removed), shapes(r.added)
	if named := slices.DeleteFunc(slices.Clone(removed), func(t string) bool { return !slices.Contains(f.named, t) }); len(named) > 0 {
		removed = named // the error says which of the changes mattered
	}
	t := &knowledge.Trigger{Tools: []string{"Bash"}}
	switch {
	case r.program && launcherOf(r.wrong) != "" && launcherOf(r.wrong) != launcherOf(r.right) && slices.Contains(f.named, r.wrong.program):
		t.Commands = []string{launcherOf(r.wrong) + " " + r.wrong.program}
	case r.program && r.wrong.path != r.right.path:
		t.Commands = []string{commandShape(r.wrong, removed)}
		if r.wrong.program == r.right.program {
			t.Commands = []string{strings.TrimSpace(r.wrong.path)}
			if path.IsAbs(r.wrong.path) {
				t.Commands = []string{r.wrong.program}
				t.Unless = added
			}
		}
	case len(removed) > 0:
		t.Commands = []string{commandShape(r.wrong, removed)}
		t.Unless = added
	case len(added) > 0:
		t.Commands = []string{r.wrong.name()}
		t.Unless = added
	default:
		return nil
	}
	return t
}

// commandShape is program, sub-command and the tokens that make it wrong.
func commandShape(c *shellCommand, tokens []string) string {
	words := append([]string{c.program}, c.sub...)
	for _, t := range tokens {
		if !slices.Contains(words, t) {
			words = append(words, t)
		}
	}
	return strings.Join(words, " ")
}

var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\d+|[0-9a-f]{7,64}|[0-9a-f-]{32,36})$|://|\s|\n|^/|^~|\.\.|^\$|[*?{}\[\]]`)
})

// shapes keeps the tokens that another session can meet: flags, variables and
// plain words, and not numbers, hashes, addresses, texts and places.
func shapes(tokens []string) []string {
	var kept []string
	for _, t := range tokens {
		if t == "" || len(t) > 60 || !strings.HasPrefix(t, "-") && variable().MatchString(t) {
			continue
		}
		if !slices.Contains(kept, t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// triggerOfReport reads the trigger of a #lesson: a command when the tool runs
// commands and the text is one, else a path when it looks like one.
func triggerOfReport(t Tag) *knowledge.Trigger {
	tool := strings.Trim(t.Tool, "` ")
	trigger := &knowledge.Trigger{}
	if tool != "" && !strings.ContainsAny(tool, "<> \t") {
		trigger.Tools = []string{tool}
	}
	text := codeIn(t.Trigger)
	switch {
	case tool == "" || isShell(tool):
		if c := commandIn(text); c != nil {
			trigger.Commands = []string{commandShape(c, c.exactly(c.flags, t.Fix))}
			trigger.Unless = fixTokens(c, t.Fix)
			if len(trigger.Unless) > 0 && len(c.sub) == 0 && !mentions(t.Fix, c.flags) {
				// What the fix adds tells right from wrong; the other flags were there by chance.
				trigger.Commands = []string{c.name()}
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
	for _, f := range flags {
		if slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" `'\",.;()", r) }), f) {
			return true
		}
	}
	return false
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

var programName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9_.+-]*$`) })

// commandIn reads a text as a command, or returns nil when it is prose: prose
// has many plain words and neither flag nor path.
func commandIn(text string) *shellCommand {
	script := parseShell(text)
	if script == nil || len(script.commands) == 0 {
		return nil
	}
	c := script.main()
	if !programName().MatchString(c.program) {
		return nil
	}
	known := shellwords.HasSubcommands(c.program)
	plain := 0
	for _, o := range c.operands {
		if !strings.ContainsAny(o, "./-_=:@0123456789") {
			plain++
		}
	}
	if !known && len(c.flags) == 0 && plain > 1 || plain > 4 {
		return nil
	}
	return c
}

// fixTokens returns what a fix in words adds to the command: flags and
// variables of the same program in its code, and variables said to be set.
func fixTokens(c *shellCommand, fix string) []string {
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
				case len(name) > 3 && strings.HasPrefix(name, "--") && !slices.Contains(c.flags, name):
					tokens = append(tokens, name) // not in the command, so it is to come in
				}
			}
			continue
		}
		script := parseShell(strings.TrimSpace(piece))
		if script == nil {
			continue
		}
		for _, g := range script.commands {
			if sameProgram(c, g) {
				tokens = append(tokens, less(g.flags, c.flags)...)
				tokens = append(tokens, less(g.env, c.env)...)
			} else if strings.HasPrefix(strings.TrimSpace(piece), "-") {
				tokens = append(tokens, g.path)
			}
		}
	}
	return shapes(tokens)
}

var pathLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[\\s`'\"(])((?:[\\w.@~*-]+)?(?:/[\\w.@*{},-]+)+|[\\w.*-]+\\.[A-Za-z][A-Za-z0-9]{0,5})(?:$|[\\s`'\"),:;])")
})

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

var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z][\w]*(?:[._/-][\w]+)+|[a-z]+[A-Z]\w*|[A-Z]{2,}\d*`)
})

// keywordsIn returns the names in a prose trigger, at most three.
func keywordsIn(text string) []string {
	var words []string
	for _, m := range identifier().FindAllString(text, -1) {
		if m = strings.ToLower(m); !slices.Contains(words, m) && len(words) < 3 {
			words = append(words, m)
		}
	}
	return words
}
