package compile

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// trigger compiles a trigger. An element that can never match is left out with
// a problem. A slot that loses all of its elements, or a condition that is lost,
// makes the lesson match nothing: it must not become broader by a mistake in it.
func (c *compiler) trigger(l *lesson.Lesson) inject.Trigger {
	t := &l.Triggers
	out := inject.Trigger{
		Tools: lists.Map(trimmed(t.Tools), tools.Common), Agents: trimmed(t.Agents),
		Keywords: c.keywords(l, t.Keywords), Context: c.keywords(l, t.Context), SeedPaths: trimmed(t.Paths),
	}
	out.Commands = append(out.Commands, lists.Flat(trimmed(t.Commands), func(text string) []inject.Spec { return c.commandSpecs(l, text) })...)
	for _, text := range trimmed(t.Unless) {
		if u, ok := c.unless(l, text); ok {
			out.Unless = append(out.Unless, u)
		}
	}
	out.CommandPatterns = c.patterns(l, "commandPatterns", t.CommandPatterns)
	out.Content = c.patterns(l, "content", t.Content)
	out.Paths = append(out.Paths, lists.Flat(trimmed(t.Paths), func(glob string) []string { return c.globs(l, glob) })...)
	if len(t.Commands) > 0 && len(out.Commands) == 0 || len(t.CommandPatterns) > 0 && len(out.CommandPatterns) == 0 ||
		len(t.Content) > 0 && len(out.Content) == 0 || len(out.Unless) < len(trimmed(t.Unless)) || len(t.Paths) > 0 && len(out.Paths) == 0 {
		return inject.Trigger{}
	}
	if len(t.Commands)+len(t.CommandPatterns) > 0 && len(out.Tools) > 0 && !slices.ContainsFunc(out.Tools, mayRunCommands) {
		c.problem(l, "commands: %s runs no command; name the tool Bash, or leave the tools out", strings.Join(out.Tools, ", "))
		return inject.Trigger{}
	}
	return out
}

// mayRunCommands says whether a tool of a trigger may be one whose calls are command lines:
// of a tool that no agent is known to have, nobody can say.
func mayRunCommands(tool string) bool {
	return tools.RunsCommands(tool) || strings.HasSuffix(tool, "*") || !tools.Known(tool)
}

// Brought says whether anything brings a lesson to an agent: a call, a keyword, or the start
// of a session.
func Brought(l *lesson.Lesson) bool {
	t, _ := Trigger(&l.Triggers)
	return !t.Broad() || len(t.Keywords) > 0 || l.Kind == lesson.Requirement || lesson.LevelOf(l.Priority) == lesson.Critical
}

// Trigger compiles a trigger by itself, and says what is wrong with it.
func Trigger(t *lesson.Trigger) (inject.Trigger, []knowledge.Problem) {
	c := &compiler{}
	return c.trigger(&lesson.Lesson{Triggers: *t}), c.problems
}

// Usable returns a trigger without the elements that can never match, nil where it would
// match nothing or more than it said.
func Usable(t *lesson.Trigger) *lesson.Trigger {
	if t = t.Clone(); t == nil {
		return nil
	}
	for _, of := range []func(*lesson.Trigger) *[]string{
		func(t *lesson.Trigger) *[]string { return &t.Commands }, func(t *lesson.Trigger) *[]string { return &t.CommandPatterns },
		func(t *lesson.Trigger) *[]string { return &t.Paths }, func(t *lesson.Trigger) *[]string { return &t.Content },
		func(t *lesson.Trigger) *[]string { return &t.Keywords }, func(t *lesson.Trigger) *[]string { return &t.Context },
	} {
		all := *of(t)
		*of(t) = lists.Filter(all, func(element string) bool {
			alone := lesson.Trigger{}
			*of(&alone) = []string{element}
			_, problems := Trigger(&alone)
			return len(problems) == 0
		})
		if len(all) > 0 && len(*of(t)) == 0 {
			return nil
		}
	}
	if _, problems := Trigger(t); len(problems) > 0 {
		return nil // what is to silence it cannot
	}
	return t
}

// Matcher returns what says whether a trigger fires on a command line, as a hook
// would, and what is wrong with the trigger.
func Matcher(t *lesson.Trigger) (fires func(command string) bool, problems []knowledge.Problem) {
	compiled, problems := Trigger(t)
	return firesOn(compiled), problems
}

func firesOn(t inject.Trigger) func(command string) bool {
	tool := "Bash"
	if len(t.Tools) > 0 {
		tool = t.Tools[0]
	}
	return func(command string) bool { return t.Fires(inject.Call{Tool: tool, Command: command}) }
}

// Agreeing returns the examples with which a trigger agrees. Those of observations
// that were joined with another trigger are not its.
func Agreeing(e lesson.Examples, t *lesson.Trigger) lesson.Examples {
	if e.IsZero() {
		return lesson.Examples{}
	}
	fires, _ := Matcher(t)
	agreeing := func(lines []string, want bool) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return fires(line) != want })
	}
	return lesson.Examples{Match: agreeing(e.Match, true), Miss: agreeing(e.Miss, false)}
}

// passesExamples says whether the trigger of a lesson does on its examples what they
// ask for. A lesson that does not is not what was learned any more.
func (c *compiler) passesExamples(l *lesson.Lesson, t inject.Trigger) bool {
	failing := failingExamples(l, t)
	c.problems = append(c.problems, failing...)
	return len(failing) == 0
}

func failingExamples(l *lesson.Lesson, t inject.Trigger) []knowledge.Problem {
	if l.Examples.IsZero() {
		return nil
	}
	fires := firesOn(t)
	var problems []knowledge.Problem
	report := func(format, line string) {
		problems = append(problems, knowledge.Problem{Path: l.Path, Rule: "lesson-examples", Text: fmt.Sprintf(format, line) + "; hooks leave the lesson out until its triggers are corrected or the example is taken out"})
	}
	for _, line := range l.Examples.Match {
		if !fires(line) {
			report("its triggers are silent on %q, which its examples call the mistake", line)
		}
	}
	for _, line := range l.Examples.Miss {
		if fires(line) {
			report("its triggers fire on %q, which its examples call right", line)
		}
	}
	return problems
}

func trimmed(list []string) []string {
	return lists.With(nil, lists.MapSome(list, func(s string) string { return strings.TrimSpace(plain.Visible(s)) })...)
}

func (c *compiler) keywords(l *lesson.Lesson, list []string) []string {
	var out []string
	for _, k := range trimmed(list) {
		if !strings.ContainsFunc(k, func(r rune) bool { return isWord(r) || r > unicode.MaxASCII }) {
			c.problem(l, "keyword %q has no letter or digit", k)
			continue
		}
		out = append(out, strings.ToLower(prose.OneLine(k)))
	}
	return out
}

// commandSpecs reads a command of a trigger, one spec for each of its alternatives in
// braces.
func (c *compiler) commandSpecs(l *lesson.Lesson, text string) []inject.Spec {
	lines := commandLines(text)
	if len(lines) > maxBraces {
		c.problem(l, "commands: %q stands for more than %d commands", text, maxBraces)
		return nil
	}
	var specs []inject.Spec
	for _, line := range lines {
		// The same eyes read the command lines that it is held against. To a shell the signs
		// around a placeholder would be redirections.
		spec, problem := lastSpec(text, shell.Parse(quoted.Replace(line)).All)
		if problem != "" {
			c.problem(l, "commands: %q %s", text, problem)
			return nil
		}
		specs = append(specs, spec)
	}
	return specs
}

// commandLines are what a shell makes of braces outside of quotes: {-f,--force}.
func commandLines(text string) []string {
	if strings.ContainsAny(text, `'"`) || !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		_, _, ok := braces(word)
		return ok
	}) {
		return []string{text}
	}
	return expand(text)
}

// lastSpec is the spec of the last command, with those that a pipe leads into it from, or
// what is wrong with it.
func lastSpec(text string, commands []*shell.Command) (spec inject.Spec, problem string) {
	if len(commands) == 0 {
		return inject.Spec{}, "is no command line with a program"
	}
	c := commands[len(commands)-1]
	switch {
	case len(c.Redirects) > 0:
		return inject.Spec{}, "has a redirection, which no command of a trigger can ask for; placeholders are " + strings.Join(inject.Placeholders, ", ")
	case c.Program == "" || c.Dynamic:
		return inject.Spec{}, "is no command line with a program"
	case strings.Contains(c.Program, "*"):
		return inject.Spec{}, "names no program: a star stands for letters of operands and flags"
	}
	program := c.Program
	if strings.Contains(c.Path, "/") {
		program = c.Path // this file, not another one of the name
	}
	spec = inject.Spec{
		Text: text, Wrappers: c.Wrappers, Program: program, Sub: plainWords(c.Sub), Flags: plainWords(flags(c, false)),
		Passed: plainWords(flags(c, true)), Operands: plainWords(c.Operands), Env: c.Env, Dir: c.Dir,
	}
	if i := inject.Feeder(commands, len(commands)-1); i >= 0 {
		from, problem := lastSpec("", commands[:i+1])
		if problem != "" {
			return inject.Spec{}, problem
		}
		spec.From = &from
	}
	return spec, ""
}

// quoted and unquoted put the signs around placeholders into the private use area of
// Unicode, and back.
var quoted, unquoted = func() (*strings.Replacer, *strings.Replacer) {
	var there, back []string
	for _, p := range inject.Placeholders {
		hidden := "\uE001" + strings.Trim(p, "<>") + "\uE002"
		there, back = append(there, p, hidden), append(back, hidden, p)
	}
	return strings.NewReplacer(there...), strings.NewReplacer(back...)
}()

func plainWords(words []string) []string { return lists.Map(words, unquoted.Replace) }

// flags are those of the program, or those that it passes on.
func flags(c *shell.Command, passed bool) []string {
	var out []string
	for _, f := range c.Flags {
		f.Glued = false // -j4 and -j=4 are one to a trigger
		if f.Passed == passed {
			out = append(out, f.String())
		}
	}
	return out
}

// isPattern says whether a condition uses what only patterns have.
func isPattern(text string) bool { return strings.ContainsAny(text, `()|*+?[]{}^$\\`) }

// isFlagGlob says whether a condition is a flag in which a star stands for letters, and
// no pattern.
func isFlagGlob(text string) bool {
	return !strings.ContainsAny(text, `()|+?[]{}^$\`) && !strings.Contains(text, ".*")
}

// unless reads a condition: a flag, NAME=value, a folder behind cd, a plain word, else a
// pattern.
func (c *compiler) unless(l *lesson.Lesson, text string) (inject.Unless, bool) {
	if dir, ok := strings.CutPrefix(text, "cd "); ok && !strings.ContainsAny(dir, " \t|&;()") {
		return inject.Unless{Spec: inject.Spec{Text: text, Dir: dir}}, true
	}
	if strings.HasPrefix(text, "-") && (!isPattern(text) || isFlagGlob(text)) {
		// "x" is a program that means nothing: the words are flags and values.
		if commands := shell.Parse("x " + text).All; len(commands) == 1 {
			return inject.Unless{Spec: inject.Spec{Text: text, Flags: flags(commands[0], false), Operands: commands[0].Operands}}, true
		}
	}
	name, _, assigned := strings.Cut(text, "=")
	if assigned && isName(name) && !isPattern(text) && !strings.ContainsAny(text, " \t") {
		return inject.Unless{Spec: inject.Spec{Text: text, Env: []string{text}}}, true
	}
	source := text
	if !isPattern(text) {
		source = `(?:^|[^\w-])` + regexp.QuoteMeta(text) + `(?:$|[^\w-])` // as a whole word
	}
	p, err := pattern(source)
	if err != nil {
		c.problem(l, "unless: %v", err)
		return inject.Unless{}, false
	}
	return inject.Unless{Spec: inject.Spec{Text: text}, Pattern: p}, true
}

func isName(s string) bool {
	return s != "" && (s[0] < '0' || s[0] > '9') && !strings.ContainsFunc(s, func(r rune) bool { return !isWord(r) })
}

// maxBraces bounds what one glob with braces becomes.
const maxBraces = 64

func (c *compiler) globs(l *lesson.Lesson, glob string) []string {
	expanded := expand(glob)
	if len(expanded) > maxBraces {
		c.problem(l, "paths: %q stands for more than %d globs", glob, maxBraces)
		return nil
	}
	var out []string
	for _, g := range expanded {
		if rooted := strings.HasPrefix(g, "/"); !rooted {
			g = strings.TrimPrefix(path.Clean(g), "./")
		}
		if g == "" || g == "." || strings.HasPrefix(g, "../") {
			c.problem(l, "paths: %q lies outside of the repository", glob)
			continue
		}
		out = append(out, g)
	}
	return out
}

// MatchesNoFile says whether a glob can match no path relative to the repository.
func MatchesNoFile(glob string) bool {
	return !doublestar.ValidatePattern(glob) || strings.HasPrefix(glob, "~") || strings.HasSuffix(glob, "/") || strings.Contains(glob, "//")
}

// expand replaces the first braces by each of their alternatives, and goes on
// with what that makes.
func expand(glob string) []string {
	done := []string{}
	todo := []string{glob}
	for len(todo) > 0 && len(done)+len(todo) <= 4*maxBraces {
		g := todo[0]
		todo = todo[1:]
		start, end, ok := braces(g)
		if !ok {
			done = append(done, g)
			continue
		}
		todo = append(todo, lists.Map(alternatives(g[start+1:end]), func(alt string) string { return g[:start] + alt + g[end+1:] })...)
	}
	return append(done, todo...)
}

// braces finds the first pair that holds a comma.
func braces(g string) (start, end int, ok bool) {
	depth, start := 0, -1
	for i := 0; i < len(g); i++ {
		switch g[i] {
		case '\\':
			i++
		case '{':
			if depth == 0 {
				start = i
			}
			depth++
		case '}':
			if depth == 0 {
				continue
			}
			if depth--; depth == 0 && strings.Contains(g[start:i], ",") {
				return start, i, true
			}
		}
	}
	return 0, 0, false
}

func alternatives(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// Guard returns what a lesson requires, from the keys require and on_error of its
// front matter; ok says whether it requires anything. For the syntax see
// [inject.Guard].
func Guard(l *lesson.Lesson) (g inject.Guard, ok bool, err error) {
	var require map[string]any
	onError := ""
	for _, key := range l.Unknown {
		switch key.Name {
		case "require":
			var front struct{ Require map[string]any }
			if err := yaml.Unmarshal([]byte(key.YAML), &front); err != nil {
				return g, true, fmt.Errorf("require: expected keys with values: %w", err)
			}
			require, ok = front.Require, true
		case "on_error", "onError":
			var front map[string]string
			if err := yaml.Unmarshal([]byte(key.YAML), &front); err != nil {
				return g, true, fmt.Errorf("%s: expected a word: %w", key.Name, err)
			}
			onError = front[key.Name]
		}
	}
	if !ok {
		return g, false, nil
	}
	g, err = inject.ParseRequire(require, onError)
	return g, true, err
}

// guard returns what a guard needs in the index. One that cannot be read is a
// problem, and its lesson informs: without its gates it would never let go.
func (c *compiler) guard(l *lesson.Lesson) (extra string, guards bool) {
	g, ok, err := Guard(l)
	if err != nil {
		c.problems = append(c.problems, knowledge.Problem{Path: l.Path, Rule: "lesson-guard", Text: strings.ReplaceAll(err.Error(), "\n", "; ")})
	}
	if !ok || err != nil {
		return "", false
	}
	return g.Encode(), true
}
