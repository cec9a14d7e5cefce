package scan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// trigger is what fires on the failed command and its like.
func (s *shaper) trigger() *lesson.Trigger {
	if s.made == nil {
		s.made = s.newTrigger()
	}
	return s.made
}

func (s *shaper) newTrigger() *lesson.Trigger {
	t := &lesson.Trigger{Tools: []string{"Bash"}}
	w := s.wrapper()
	switch {
	case s.replaced() && s.cannotRun():
		t.Commands = []string{spelt(s.f)}
		if !s.message.names(s.f.Program) && !s.message.says(s.f.Path) { // the error does not say which program: the same use of it
			t.Commands = []string{s.command(words{operands: s.kindOfFile()})}
		}
		t.Unless = ecosystem(s.f.Program)
		if !strings.Contains(s.f.Path, "/") && len(t.Unless) > 0 {
			t.Unless = append(t.Unless, "bin/"+s.f.Program)
		}
	case s.replaced():
		has := s.context()
		if slices.Contains(s.f.Operands, s.g.Program) { // a launcher that nobody told us of
			has.join(words{operands: []string{s.g.Program}})
		}
		t.Commands = []string{s.command(has)}
	case w != nil && w.old == "":
		t.Commands = []string{s.f.Name()}
		if s.cannotRun() || strings.Contains(s.message.text, "daemon") || len(s.f.Sub) == 0 {
			t.Commands = []string{s.f.Program}
		}
		t.Unless = family(w.new)
	case w != nil:
		t.Commands = []string{launcher(w.old) + " " + s.command(s.context())}
		if s.message.names(s.f.Program) || s.cannotRun() {
			t.Commands = []string{launcher(w.old) + " " + s.f.Program}
		}
		if w.new != "" {
			t.Unless = slices.DeleteFunc(slices.Clone(family(w.new)), func(way string) bool { return way == launcher(w.old) })
		}
	default:
		s.words(t)
	}
	return t
}

// words is the trigger of edits within the command's own words.
func (s *shaper) words(t *lesson.Trigger) {
	kept := s.named()
	pointed := len(kept) > 0
	if !pointed {
		kept = s.edits
	}
	var has words
	for _, e := range kept {
		switch e = s.general(e); e.kind {
		case quoteEdit:
			t.CommandPatterns = append(t.CommandPatterns, `^(?:[^'"]|'[^']*'|"[^"]*")*\`+e.old)
			has.flags = append(has.flags, s.flagOf(e.old)...)
		case orderEdit:
			t.CommandPatterns = append(t.CommandPatterns, `\b[A-Za-z_]\w*=\S*\s+`+e.old+`\s`)
			return
		case placeEdit:
			t.CommandPatterns = append(t.CommandPatterns, s.behind(e))
			has.flags = append(has.flags, e.old)
		case joinEdit:
			has.operands = append(has.operands, strings.Fields(e.new)[1:]...)
			has.flags = append(has.flags, e.flag)
		default:
			if e.kind == flagEdit && isText(e.old) {
				t.CommandPatterns, t.Unless = append(t.CommandPatterns, dashedText), []string{"-e", "--regexp"} // a pattern behind it is no flag
				continue
			}
			s.takeWord(&has, e, pointed)
		}
	}
	removes := !has.empty() || slices.ContainsFunc(kept, func(e change) bool { return e.kind == subEdit && e.old != "" })
	if !pointed || has.empty() && len(t.CommandPatterns) == 0 || exclusive.MatchString(s.message.text) {
		has.join(s.context())
	}
	for _, flags := range []*[]string{&has.flags, &has.passed} {
		*flags = slices.DeleteFunc(*flags, func(f string) bool { // named with its value too
			return slices.ContainsFunc(*flags, func(o string) bool { return strings.HasPrefix(o, f+"=") })
		})
	}
	if !removes && has.empty() {
		if has.operands = s.sharedWords(); len(s.f.Sub) == 0 && len(has.operands) == 0 {
			has = s.sharedUse()
		}
	}
	has.operands = unique(s.subject(), has.operands)
	t.Commands = []string{s.command(has)}
	t.Unless = slices.Concat(t.Unless, zeros(has.flags), zeros(has.passed))
	if !removes && len(t.CommandPatterns) == 0 {
		t.Unless = s.missing()
	}
}

// takeWord adds what an edit took out to the words of the trigger.
func (s *shaper) takeWord(has *words, e change, pointed bool) {
	if s.refusesValue(e) {
		e.old += "=" + e.oldVal
	}
	has.take(e, pointed)
	if e.old == "<path>" && slices.ContainsFunc(operandsOf(s.f), inject.IsNumber) {
		has.operands = append([]string{"<number>"}, has.operands...) // one argument too many beside it
	}
}

// dashedText finds a text in quotes that begins with a dash, before a "--".
const dashedText = `^(?:[^-]|-[^-]|--\S)*\s(?:'-[^']*[ |][^']*'|"-[^"]*[ |][^"]*")`

// exclusive are words of an error about flags that do not go together: what stays in
// the command belongs to the mistake too.
var exclusive = automata.New(`(?i)none of the others|mutually exclusive|cannot be (?:used|combined|mixed)`)

// sharedWords are the words behind a program of which nobody told us that both commands
// have: they may be sub-commands. Other calls of the program, as for its version, are no
// mistakes.
func (s *shaper) sharedWords() []string {
	var shared []string
	for _, w := range leadingWords(s.f) {
		if !slices.Contains(operandsOf(s.g), w) {
			break
		}
		shared = append(shared, w)
	}
	return shared
}

// subject are such words where the program does not know a flag: another sub-command may
// know it.
func (s *shaper) subject() []string {
	kept := s.named()
	if plumbing[s.f.Program] || looks[s.f.Program] || len(kept) == 0 || slices.ContainsFunc(kept, func(e change) bool { return e.kind != flagEdit || e.old == "" }) {
		return nil
	}
	return leadingWords(s.f)
}

// sharedUse is how both commands use a program that has no sub-commands: by the flags, and by
// the address without its last word. Where the fix only adds a flag, the program alone says
// too little of what was wrong.
func (s *shaper) sharedUse() (w words) {
	if !slices.ContainsFunc(s.edits, func(e change) bool { return e.kind == flagEdit && e.old == "" }) {
		return w
	}
	for _, f := range s.f.Flags {
		if slices.Contains(flagsOf(s.g, f.Passed), f.Name) {
			w.flag(f.Name, f.Passed)
		}
	}
	for _, o := range operandsOf(s.f) {
		if scheme, _, ok := strings.Cut(o, "://"); ok && simpleWord.MatchString(scheme) && slices.Contains(operandsOf(s.g), o) {
			w.operands = append(w.operands, o[:strings.LastIndexByte(o, '/')+1]+"*")
		}
	}
	return w
}

// refusesValue says whether the error is about the value of a flag that left.
func (s *shaper) refusesValue(e change) bool {
	return e.kind == flagEdit && e.oldVal != "" && s.message.says(e.oldVal) && refusesValue.MatchString(s.message.text)
}

var refusesValue = automata.New(`(?i)invalid (?:choice|value)|not a valid|must be one of|not supported|unknown value`)

// behind is a pattern of the command in which a flag stands behind a word that it belongs
// before: a sub-command, or any operand, which is a word behind a word.
func (s *shaper) behind(e change) string {
	flag := `\s` + regexp.QuoteMeta(e.old) + `(?:[\s=]|$)`
	name := regexp.QuoteMeta(s.f.Path)
	if slices.Contains(s.f.Sub, e.new) {
		return name + `\s(?:\S+\s+)*` + regexp.QuoteMeta(e.new) + `(?:\s+\S+)*` + flag
	}
	for _, w := range s.f.Sub {
		name += `\s+` + regexp.QuoteMeta(w)
	}
	return name + `(?:(?:\s+\S+)*\s+[^-\s]\S*)?\s+[^-\s]\S*` + flag
}

// missing returns what the fix brought in, and the other flags by which the
// error says that it can be mended.
func (s *shaper) missing() []string {
	var unless []string
	add := func(text string) {
		if text != "" && !slices.Contains(unless, text) {
			unless = append(unless, text)
		}
	}
	for _, e := range s.edits {
		switch e.kind {
		case flagEdit:
			switch {
			case strings.Contains(e.newVal, "="):
				add(e.new + " " + e.newVal)
			default:
				add(e.new)
				if len(e.new) == 2 { // its long name begins with the same letter: -n, --namespace
					add(` --` + e.new[1:] + `\w`)
				}
				if len(s.f.Operands) == 0 && slices.Contains(s.g.Operands, e.newVal) && !s.isValue(e) {
					add(e.newVal) // the command had no operand at all: git push
				}
			}
		case envEdit:
			add(e.new)
			name, _, _ := strings.Cut(e.new, "=")
			add(`\b` + name + `=`) // with any other value it is another call
		case operandEdit:
			switch name, _, _ := strings.Cut(e.new, "="); {
			case s.sets(e):
				add(`\b` + name + `=`)
			case !instance(e.new):
				add(e.new)
			}
		case endEdit:
			add(`( --( |$))`)
		case emptyEdit:
			add(regexp.QuoteMeta(e.flag) + ` (''|"")`)
		}
	}
	for _, m := range remedy.FindAllStringSubmatch(s.message.text, 8) {
		if flag := strings.TrimRight(m[1], "-."); len(unless) < maxUnless && !slices.ContainsFunc(s.f.Flags, func(f shell.Flag) bool { return f.Name == flag }) {
			add(flag)
		}
	}
	return unless
}

// maxUnless is how many exceptions a trigger gets.
const maxUnless = 8

// isValue says whether the word behind a flag that came in is its value, as far as that shows:
// it is the only one behind a long name.
func (s *shaper) isValue(e change) bool {
	_, behind, _ := strings.Cut(s.g.Source, e.new+" ")
	_, behind, _ = strings.Cut(behind, e.newVal)
	behind = strings.TrimLeft(behind, `'" `)
	return strings.HasPrefix(e.new, "--") && (behind == "" || behind[0] == '-')
}

var remedy = automata.New("(?:^|[\\s'\"`(])(--[a-z][\\w-]+|-[a-zA-Z]\\b)")

// words are what a command of a trigger needs besides program and sub-command.
type words struct {
	flags, passed []string // of the program, and those given to its target
	operands, env []string
}

func (w words) empty() bool { return len(w.flags)+len(w.passed)+len(w.operands)+len(w.env) == 0 }

// flag adds a flag of the program, or of its target.
func (w *words) flag(text string, passed bool) {
	if passed {
		w.passed = append(w.passed, text)
	} else {
		w.flags = append(w.flags, text)
	}
}

func (w *words) join(o words) {
	w.flags, w.passed = unique(w.flags, o.flags), unique(w.passed, o.passed)
	w.operands = unique(w.operands, o.operands)
	w.env = unique(w.env, o.env)
}

func unique(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// take adds what an edit took out. Where the error does not point at a path, its
// kind is what matters.
func (w *words) take(e change, pointed bool) {
	switch e.kind {
	case flagEdit:
		if e.old != "" {
			w.flag(e.old, e.passed)
		}
	case valueEdit:
		w.flag(e.flag+"="+e.old, e.passed)
	case envEdit:
		if e.old != "" {
			w.env = append(w.env, e.old)
		}
	case operandEdit:
		if o := operandShape(e, pointed); o != "" {
			w.operands = append(w.operands, o)
		}
	}
}

// command writes a command of a trigger.
func (s *shaper) command(has words) string {
	parts := slices.Clone(has.env)
	parts = append(parts, spelt(s.f))
	if r := runners(s.f); s.replaced() && len(r) > 0 {
		parts = append(parts[:len(parts)-1], launcher(r[len(r)-1]), spelt(s.f))
	}
	sub := s.asked()
	if kind := kindOfScript(s.f); kind != "" && slices.Contains(has.operands, kind) { // any script of the kind
		sub, has.operands = append(slices.Clip(s.f.Subcommand()), kind), without(has.operands, kind)
	}
	for _, w := range shell.Write(s.f.Program, sub, has.operands, has.flags, has.passed) {
		parts = append(parts, quoted(w))
	}
	return strings.Join(parts, " ")
}

// asked returns the sub-command that a trigger names, and the target, unless the
// program itself is at fault: a flag that it does not know, or that it asks for, it
// does for all targets.
func (s *shaper) asked() []string {
	spoken := slices.DeleteFunc(slices.Clone(s.edits), func(e change) bool {
		return !s.speaksOf(e) && (e.old != "" || e.new == "" || !s.message.names(e.new))
	})
	ofTarget := func(e change) bool { return e.kind != flagEdit || e.passed || e.moved }
	if s.replaced() && s.cannotRun() || len(spoken) > 0 && !slices.ContainsFunc(spoken, ofTarget) {
		return s.f.Subcommand()
	}
	return s.f.Sub
}

// spelt is the program's name; a script in a folder of the repository keeps its
// place.
func spelt(c *shell.Command) string {
	if strings.HasPrefix(c.Path, "./") || strings.HasPrefix(c.Path, "../") {
		return c.Path
	}
	return c.Program
}

var plainWord = automata.New(`^(?:[\w./:=@%+,~*^-]|<(?:number|path)>)+$`)

func quoted(w string) string {
	if plainWord.MatchString(w) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
