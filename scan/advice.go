package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// title says what goes wrong, in words of the trigger.
func (s *shaper) title() string {
	t := s.trigger()
	w := s.wrapper()
	switch {
	case s.replaced() && s.cannotRun():
		return "`" + spelt(s.f) + "` cannot be run here: use `" + s.instead() + "`"
	case s.replaced():
		return "`" + t.Commands[0] + "` fails here: use `" + s.instead() + "`"
	case w != nil && w.new != "" && w.old != "":
		return "`" + t.Commands[0] + "` fails here: use `" + launcher(w.new) + " " + s.f.Program + "`"
	case w != nil && w.new != "":
		return "`" + t.Commands[0] + "` needs `" + launcher(w.new) + "`"
	case s.readsText():
		return "`" + s.f.Name() + "` reads a text that begins with a dash as a flag"
	case len(s.apart()) > 1:
		return "`" + strings.Join(append([]string{s.f.Name()}, leadingWords(s.f)...), " ") + "` does not take " + strings.Join(s.apart(), " with ")
	case s.edits[0].kind == placeEdit:
		return "`" + s.f.Name() + "` does not take `" + s.edits[0].old + "` there"
	case s.edits[0].kind == joinEdit:
		return "`" + s.f.Name() + "` reads a text without quotes as several arguments"
	case len(t.CommandPatterns) > 0 && len(t.Commands) > 0:
		return "`" + t.Commands[0] + "` fails with an unquoted `" + s.edits[0].old + "`"
	case len(t.CommandPatterns) > 0:
		return "`NAME=value " + s.edits[0].old + "` fails"
	case slices.ContainsFunc(s.edits, change.lacksUnit):
		return "`" + t.Commands[0] + "` fails without a unit"
	case len(t.Unless) > 0:
		return "`" + t.Commands[0] + "` fails without " + s.lacks()
	}
	return "`" + t.Commands[0] + "` fails"
}

// readsText says whether the program read a text that begins with a dash as a flag.
func (s *shaper) readsText() bool {
	return slices.ContainsFunc(s.edits, func(e change) bool { return e.kind == flagEdit && isText(e.old) })
}

// isText says whether a word that begins with a dash is no flag.
func isText(flag string) bool { return strings.ContainsAny(flag, " |") }

// apart are flags of the command of which the error says that they do not go together.
func (s *shaper) apart() []string {
	if !exclusive.MatchString(s.message.text) {
		return nil
	}
	var flags []string
	for _, name := range s.f.FlagNames() {
		if s.message.names(name) {
			flags = append(flags, "`"+name+"`")
		}
	}
	return flags
}

// mistake says what was run, without the words of one occasion.
func (s *shaper) mistake() string {
	t := s.trigger()
	switch {
	case len(t.Commands) == 0:
		return "A line with an assignment before `" + s.edits[0].old + "`" + observe.FailedBefore
	case s.readsText():
		return "`" + t.Commands[0] + "` with a text that begins with a dash" + observe.FailedBefore
	case s.edits[0].kind == quoteEdit:
		return "`" + t.Commands[0] + "` with an unquoted `" + s.edits[0].old + "`" + observe.FailedBefore
	}
	return "`" + t.Commands[0] + "`" + observe.FailedBefore
}

// lacks names what came in.
func (s *shaper) lacks() string {
	for _, e := range s.edits {
		switch {
		case e.kind == endEdit:
			return "`--`"
		case e.kind == emptyEdit:
			return "an empty argument behind `" + e.flag + "`"
		case e.new != "":
			return "`" + strings.TrimSpace(e.new+" "+assigned(e.newVal)) + "`"
		}
	}
	return "what it needs"
}

// assigned is a value that is a setting by itself.
func assigned(value string) string {
	if strings.Contains(value, "=") {
		return value
	}
	return ""
}

// instead names the program that took the other's place, with the sub-commands
// that the other did not have.
func (s *shaper) instead() string {
	g := slices.Clone(s.g.Sub)
	for n := min(len(g), len(s.f.Sub)); s.cannotRun() && n > 0; n-- {
		if slices.Equal(g[len(g)-n:], s.f.Sub[len(s.f.Sub)-n:]) {
			g = g[:len(g)-n]
			break
		}
	}
	parts := lists.Map(runners(s.g), launcher)
	parts = append(append(parts, s.g.Path), g...)
	if slices.Contains(s.g.Operands, s.f.Path) && s.f.Path != s.f.Program {
		parts = append(parts, s.f.Path)
	}
	return strings.Join(parts, " ")
}

// fix says what to do instead, without the words of the one occasion.
func (s *shaper) fix() string {
	w := s.wrapper()
	switch {
	case s.replaced() && s.cannotRun():
		return "Use `" + s.instead() + "` instead of `" + spelt(s.f) + "`"
	case s.replaced():
		return "Use `" + s.instead() + "` instead of `" + s.trigger().Commands[0] + "`"
	case w != nil && w.new != "" && w.old != "":
		return "Use `" + launcher(w.new) + " " + s.f.Program + "` instead of `" + s.trigger().Commands[0] + "`"
	case w != nil && w.new != "":
		return "Use `" + launcher(w.new) + " " + s.trigger().Commands[0] + "`"
	case w != nil && strings.Contains(s.g.Path, "/"):
		return "Use `" + s.g.Path + "`"
	case w != nil:
		return "Use `" + s.f.Program + "` without `" + launcher(w.old) + "`"
	}
	if flags := s.apart(); len(flags) > 1 && !s.readsText() {
		return "Use " + strings.Join(flags, " or ") + ", never together"
	}
	kept := s.named()
	if len(kept) == 0 {
		kept = slices.Clone(s.edits)
		if slices.ContainsFunc(kept, func(e change) bool { return e.kind != operandEdit }) { // what came in beside is of this occasion
			kept = slices.DeleteFunc(kept, func(e change) bool { return e.kind == operandEdit && e.old == "" })
		}
	}
	if i := slices.IndexFunc(kept, func(e change) bool { return e.kind == subEdit }); i >= 0 {
		kept = kept[i : i+1] // the flags are those of the other sub-command
	}
	if all := s.addsFlags(kept); all != "" {
		return all
	}
	return strings.Join(lists.With(nil, lists.MapSome(kept, s.tell)...), "; ")
}

// addsFlags tells of several flags that only came in, "" where that is not all.
func (s *shaper) addsFlags(edits []change) string {
	only := func(e change) bool { return e.kind == flagEdit && e.old == "" && e.passed == edits[0].passed }
	if len(edits) < 2 || len(lists.Filter(edits, only)) < len(edits) {
		return ""
	}
	return "Use `" + spelt(s.f) + " " + strings.Join(s.writeFlags(edits[0].new, lists.Map(edits, s.written)...), " ") + "`"
}

// tell says one edit as an instruction.
func (s *shaper) tell(e change) string {
	name := strings.Join(slices.Concat([]string{spelt(s.f)}, s.f.Sub, s.subject()), " ")
	if e.lacksUnit() {
		return "Give the number a unit: `" + name + " " + e.flag + "=" + e.new + "`"
	}
	switch e.kind {
	case subEdit:
		if (s.class == notRunnable || s.class == missingDep) && slices.Contains(installing, strings.Join(s.g.Sub, " ")) {
			return "Run `" + s.g.Name() + "` first"
		}
		parts := slices.Concat([]string{spelt(s.g)}, s.g.Sub, s.cameFlags(), s.keptFlags())
		return "Use `" + strings.Join(parts, " ") + "` instead of `" + name + "`"
	case flagEdit:
		return s.tellFlag(e, name)
	case valueEdit:
		return "Use `" + name + " " + e.flag + " " + e.new + "` instead of `" + e.old + "`"
	case operandEdit:
		return s.tellOperand(e)
	case envEdit:
		if e.new == "" {
			return "Leave out `" + e.old + "`"
		}
		return "Use `" + e.new + " " + s.trigger().Commands[0] + "`"
	case endEdit:
		return "Put `--` before what the command is to run"
	case emptyEdit:
		return "Give `" + e.flag + "` an empty argument: `" + name + " " + e.flag + " ''`"
	case quoteEdit:
		return "Put quotes around words with `" + e.old + "`"
	case placeEdit:
		if slices.Contains(s.f.Sub, e.new) {
			return "Put `" + e.old + "` before `" + e.new + "`"
		}
		return "Put `" + e.old + "` before the other arguments of `" + name + "`"
	case joinEdit:
		return "Put quotes around the text behind `" + e.flag + "`: `" + e.flag + " \"" + e.new + "\"`"
	case orderEdit:
		return "Put `" + e.old + "` before the assignment"
	}
	return ""
}

func (s *shaper) tellFlag(e change, name string) string {
	fresh := s.written(e)
	whole := spelt(s.f) + " " + strings.Join(s.writeFlags(e.new, fresh), " ")
	if words := slices.Concat(s.g.Sub, s.shownOperands()); len(words) > 0 && s.leads(e.new, words[0]) {
		whole = strings.Join(slices.Concat([]string{spelt(s.g), fresh}, words), " ")
	}
	switch {
	case e.moved:
		behind := "--"
		if written := s.writeFlags(e.old, e.old); !slices.Contains(written, behind) && len(written) > 1 && slices.Contains(flagsOf(s.g, true), e.old) {
			behind = written[len(written)-2]
		}
		return "Put `" + e.old + "` behind `" + behind + "`"
	case isText(e.old):
		return "Put `--` before words that begin with a dash and are no flag"
	case s.bareValue(e) != "":
		return "Use `" + s.bareValue(e) + "` instead of `" + e.old + "`"
	case e.new == "" && protects.MatchString(e.old):
		return "`" + name + "` has no `" + e.old + "`, and acts without it"
	case e.old == "":
		return "Use `" + whole + "`"
	case !meant(e) && !s.alone(e) && e.oldVal != "":
		return "Do not use `" + e.old + "`; " + s.example(name)
	case !meant(e) && !s.alone(e):
		return "Leave out `" + e.old + "`; " + s.example(name)
	case e.new == "" && len(s.flagsIn()) > 0:
		return "Use `" + name + " " + strings.Join(s.flagsIn(), " ") + "` instead of `" + e.old + "`"
	case e.new == "":
		return "Leave out `" + e.old + "`"
	}
	return "Use `" + whole + "` instead of `" + e.old + "`"
}

// leads says whether a flag of the program stands before a word of it in the call that worked.
func (s *shaper) leads(flag, word string) bool {
	words := strings.Fields(s.g.Source)
	at := flagAt(words, flag)
	return at >= 0 && slices.Index(words, word) > at
}

// written is the flag that came in, with its value where others may need the same.
func (s *shaper) written(e change) string {
	joint := " "
	if strings.Contains(s.g.Source, e.new+"=") {
		joint = "="
	}
	plain := plainWord.MatchString(e.newVal) && !strings.Contains(e.newVal, "*") && !instance(e.newVal)
	switch {
	case strings.Contains(e.newVal, "="), e.newVal != e.oldVal && plain:
		return e.new + joint + e.newVal
	case strings.HasPrefix(e.newVal, "{"):
		return e.new + ` '{"key": "value"}'`
	case e.newVal != "" && e.oldVal == "" && joint == "=":
		return e.new + "=…" // it takes a value
	case strings.Contains(e.newVal, " "):
		return e.new + joint + placeFor(e.new) // a text of its occasion
	}
	return e.new
}

// bareValue writes the command in which the value of a flag that left stands by itself, and
// what stood so is the value of another flag; "" where it does not.
func (s *shaper) bareValue(e change) string {
	bare := func(c *shell.Command, word string) bool {
		return slices.Contains(c.Operands, word) && !slices.ContainsFunc(c.Flags, func(f shell.Flag) bool { return f.Next == word })
	}
	at := slices.IndexFunc(s.f.Flags, func(f shell.Flag) bool { return f.Name == e.old })
	if at < 0 || !bare(s.g, s.f.Flags[at].Next) {
		return ""
	}
	words := slices.Concat([]string{spelt(s.g)}, s.g.Sub, s.subject(), []string{placeFor(e.old)})
	n := len(words)
	for _, f := range s.g.Flags {
		if bare(s.f, f.Next) && !slices.Contains(s.f.FlagNames(), f.Name) {
			words = append(words, f.Name, placeFor(f.Name))
		}
	}
	if len(words) == n {
		return "" // the flag may have taken no value
	}
	return strings.Join(words, " ")
}

// placeFor is a word that stands for the value of a flag, as manuals write it.
func placeFor(flag string) string {
	return strings.ToUpper(strings.ReplaceAll(strings.TrimLeft(flag, "-"), "-", "_"))
}

// maxWorked is how long a call is that is shown as one that worked, in bytes.
const maxWorked = 80

// example points at the call that worked, with PATH for its paths, where it is a short one of the
// same command, and else at the help.
func (s *shaper) example(name string) string {
	worked := oneCommand(s.g.Source)
	for _, o := range s.g.Operands {
		if inject.IsPath(o) {
			worked = strings.Replace(worked, " "+o, " PATH", 1)
		}
	}
	bare := strings.TrimPrefix(worked, strings.Join(s.g.Env, " ")+" ")
	if asksHelp(s.g) || !slices.Equal(s.f.Sub, s.g.Sub) || !strings.HasPrefix(bare, name) || len(worked) > maxWorked || strings.Contains(worked, "`") {
		return "`" + name + " --help` lists the flags"
	}
	return "`" + worked + "` worked"
}

// alone says whether a flag is all that left, and the rest asks for the same.
func (s *shaper) alone(e change) bool {
	same := e.newVal == e.oldVal || e.newVal == "" && e.oldVal == "" || e.new != "" && e.newVal != ""
	return same && commonPrefix(s.f.Sub, s.g.Sub) == len(s.f.Sub) && slices.Equal(wordsWithout(s.f, e.oldVal), wordsWithout(s.g, e.newVal)) &&
		!slices.ContainsFunc(s.edits, func(o change) bool { return o.kind == envEdit || o.kind == flagEdit && o.old != "" && o != e })
}

// wordsWithout are the operands of a command and the values of its flags, but for one
// value, in the order of their bytes.
func wordsWithout(c *shell.Command, value string) []string {
	words := slices.Clone(operandsOf(c))
	for _, f := range c.Flags {
		if f.HasValue && f.Value != "" {
			words = append(words, f.Value)
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == value })
	slices.Sort(words)
	return words
}

// protects are flags that keep a call from acting: nobody leaves one out without a thought.
var protects = automata.New(`^--?(?:dry-?run|check|diff|preview|plan|what-?if|simulate|noop|pretend|read-?only)$`)

// writeFlags writes the command with flags of its counterpart, which stand where the one with
// the name belongs: before a script, or behind "--".
func (s *shaper) writeFlags(name string, texts ...string) []string {
	if slices.Contains(flagsOf(s.g, true), name) {
		return shell.Write(s.g.Program, s.f.Sub, nil, nil, texts)
	}
	return shell.Write(s.g.Program, s.asked(), s.shownOperands(), texts, nil)
}

// shownOperands are the operands that a fix repeats: without sub-commands and a word of the
// error, what both calls share is all that tells the call.
func (s *shaper) shownOperands() []string {
	if len(s.named()) == 0 && len(s.f.Sub) == 0 {
		return s.sharedWords()
	}
	return s.subject()
}

var simpleWord = automata.New(`^[a-z][\w-]*$`)

// installing are sub-commands that bring what a project depends on.
var installing = []string{"install", "ci", "sync", "restore"}

func (s *shaper) tellOperand(e change) string {
	old := operandShape(s.general(e), len(s.named()) > 0)
	switch {
	case len(s.f.Operands) > 0 && e.old == s.f.Operands[0] && unknownCommand.MatchString(s.message.text):
		return s.tellCommand(e.old)
	case e.new == "" && inject.IsPath(e.old) && tooMany().MatchString(s.message.text):
		return "Leave out the path"
	case e.new == "":
		return "Leave out `" + old + "`"
	case e.old == "" && !instance(e.new):
		return "Use `" + s.f.Name() + "` with `" + e.new + "`"
	case e.old == "":
		return ""
	case !strings.Contains(e.old, "/") || !strings.Contains(e.new, "/"):
		return "Use `" + e.new + "` instead of `" + e.old + "`"
	}
	shape, fresh := pathShapes(e.old, e.new)
	if fresh == "" {
		return "Leave `" + strings.TrimPrefix(shape, "**/") + "` out of the path"
	}
	return "Use `" + fresh + "` instead of `" + old + "`"
}

// tellCommand says what to use in place of a command that a program does not have.
func (s *shaper) tellCommand(unknown string) string {
	wrong := "`" + s.f.Name() + " " + unknown + "`"
	var fresh []string
	for _, o := range s.g.Operands {
		if !simpleWord.MatchString(o) || slices.Contains(s.f.Operands, o) {
			break
		}
		fresh = append(fresh, o)
	}
	if len(fresh) == 0 || s.f.Name() != s.g.Name() {
		return "" // the program says itself what commands it has
	}
	return "Use `" + s.g.Name() + " " + strings.Join(fresh, " ") + "` instead of " + wrong
}

// keptFlags are the flags that the error speaks of and the other sub-command knows.
func (s *shaper) keptFlags() []string {
	return slices.DeleteFunc(s.f.FlagNames(), func(name string) bool {
		return !s.message.names(name) || !slices.Contains(s.g.FlagNames(), name)
	})
}

// cameFlags are the flags that came in, in the place of another or not.
func (s *shaper) cameFlags() []string {
	var came []string
	for _, e := range s.edits {
		if e.kind == flagEdit && e.new != "" {
			came = append(came, e.new)
		}
	}
	return came
}

// flagsIn are the flags that only came in.
func (s *shaper) flagsIn() []string {
	var in []string
	for _, e := range s.edits {
		if e.kind == flagEdit && e.old == "" {
			in = append(in, e.new)
		}
	}
	return in
}
