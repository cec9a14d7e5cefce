package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// maxEdits is how many differences a fix may have to its mistake when the error
// points at none; beyond that it is another question.
const maxEdits = 3

// pair is a command line that failed and the one that worked in its place.
type pair struct {
	wrong, right string
	class        class
	message      *errorText // of the one that failed
}

// synthesis is what a pair teaches: when it is the same mistake again, and what
// to do instead. Its words come from the two commands alone, so that agents and
// sessions that meet the mistake in other words say the same.
type synthesis struct {
	trigger  *lesson.Trigger
	compiled inject.Trigger
	examples lesson.Examples
	title    string
	fix      string
	shape    *shaper
}

// align finds out what differs between the command that the error is about and
// its counterpart, nil where that is no fix.
func (p pair) align(f *shell.Command, wrong, right *shell.Line) *shaper {
	message := *p.message
	if f == nil {
		return nil
	}
	g := likeOf(f, right)
	if g == nil {
		return nil
	}
	s := &shaper{f: f, g: g, message: message, class: p.class, edits: align(f, g)}
	if len(s.edits) == 0 { // what runs it may be called in another way
		if s.f, s.g = runnerOf(f, wrong), runnerOf(g, right); s.f == nil || s.g == nil || s.f.Program != s.g.Program {
			return nil
		}
		s.edits = align(s.f, s.g)
	}
	for i, e := range s.edits {
		s.edits[i] = e.letterOf(message).wordOf(message)
	}
	if !s.tells() {
		return nil
	}
	return s
}

// shaped makes a trigger of what differs: the edits that the
// error points at are kept, what was taken out has to be there and what came in has to
// be absent. The other words are variables. It returns nil when the pair does not say
// what was wrong, or when the trigger would not tell the two commands apart.
func (p pair) shaped(s *shaper, wrong, right *shell.Line) *synthesis {
	f, g := s.f, s.g
	t := s.trigger()
	compiled, problems := compile.Trigger(t)
	fires := func(line string, parsed *shell.Line) bool {
		return compiled.FiresOn(inject.Hold(inject.Call{Tool: "Bash", Command: line, Line: parsed}))
	}
	if len(problems) > 0 || !fires(p.wrong, wrong) || f.Source != p.wrong && !fires(f.Source, nil) ||
		fires(p.right, right) || g.Source != p.right && fires(g.Source, nil) {
		return nil
	}
	if s.fix() == "" || s.bare(t) || slices.ContainsFunc(compiled.Commands, func(c inject.Spec) bool { return slices.ContainsFunc(c.Sub, instance) }) {
		return nil
	}
	return &synthesis{
		shape: s, trigger: t, compiled: compiled, title: s.title(), fix: s.fix(),
		examples: lesson.Examples{Match: []string{f.Source}, Miss: []string{g.Source}},
	}
}

// bare says whether a trigger is every use of a program but the one with the word that came
// in: other sub-commands would be stopped too.
func (s *shaper) bare(t *lesson.Trigger) bool {
	return !s.replaced() && len(t.Commands) == 1 && t.Commands[0] == s.f.Program && len(t.CommandPatterns) == 0 &&
		!slices.ContainsFunc(s.edits, func(e change) bool { return e.kind != subEdit && e.kind != operandEdit })
}

// runnerOf is the command of a line that runs another one, nil when none does.
func runnerOf(c *shell.Command, line *shell.Line) *shell.Command {
	var runner *shell.Command
	for _, o := range line.All {
		if o == c {
			return runner
		}
		if o.Wrapper && slices.Contains(c.Wrappers, o.Program) {
			runner = o
		}
	}
	return nil
}

// likeOf returns the command that does what f was meant to do: the same
// program with the nearest sub-command, else another program on the same words.
func likeOf(f *shell.Command, line *shell.Line) *shell.Command {
	var best *shell.Command
	most := -1
	for _, g := range line.All {
		if g.Program == "" || g.Wrapper != f.Wrapper || !sameName(f.Program, g.Program) {
			continue
		}
		if n := 2*commonPrefix(f.Sub, g.Sub) + shared(f, g); n >= most {
			best, most = g, n
		}
	}
	if best != nil {
		return best
	}
	most = 0
	for _, g := range line.All {
		if g.Program == "" || plumbing[g.Program] && !plumbing[f.Program] || tidies[g.Program] || g.Wrapper != f.Wrapper {
			continue
		}
		n := shared(f, g)
		switch {
		case len(f.Program) > 3 && prose.Distance(f.Program, g.Program) <= 2, strings.HasPrefix(f.Program, g.Program+"-"):
			n++
		case 2*n < len(f.Operands):
			continue // it does something else
		}
		if n > most {
			best, most = g, n
		}
	}
	return best
}

// sameName treats versions of one program as it.
func sameName(a, b string) bool { return a == b || trimVersion(a) == trimVersion(b) }

// shared counts the words that two commands have in common.
func shared(f, g *shell.Command) int {
	n := 0
	count := func(word string) {
		if hasWord(g, word) {
			n++
		}
	}
	for _, w := range f.Sub {
		count(w)
	}
	for i := range f.Flags {
		count(f.Flags[i].Name)
	}
	for _, w := range f.Operands {
		count(w)
	}
	count(f.Path)
	return n
}

func hasWord(c *shell.Command, word string) bool {
	return c.Path == word || slices.Contains(c.Sub, word) || slices.Contains(c.Operands, word) ||
		slices.ContainsFunc(c.Flags, func(f shell.Flag) bool { return f.Name == word })
}

// shaper makes trigger and words of a pair's edits.
type shaper struct {
	f, g    *shell.Command
	message errorText
	class   class
	edits   []change
	made    *lesson.Trigger // once somebody asked
}

// tells says whether the edits are a fix: few, or one that the error names, and
// not only another guess at a file to look at.
func (s *shaper) tells() bool {
	if len(s.edits) == 0 || s.f.Program == "cd" {
		return false
	}
	if s.class == shellSyntax { // the shell did not understand the line: only its signs matter
		return s.edits[0].kind == quoteEdit || s.edits[0].kind == orderEdit
	}
	if s.replaced() || len(s.named()) > 0 {
		return !s.guesses()
	}
	words := float64(len(wordsOf(s.f)) + len(wordsOf(s.g)))
	return len(s.edits) <= maxEdits && !s.guesses() && 2*float64(1+shared(s.f, s.g))/words >= 0.34
}

// guesses says whether only a path to read was mistaken.
func (s *shaper) guesses() bool {
	if s.class != missingPath && s.class != shellSyntax || !plumbing[s.f.Program] && !looks[s.f.Program] || s.f.Program == "source" || s.f.Program == "." {
		return false
	}
	return !slices.ContainsFunc(s.edits, func(e change) bool {
		return e.kind != operandEdit || s.f.Program == "git" && !strings.ContainsAny(e.old, "./")
	})
}

var looks = map[string]bool{"ls": true, "find": true, "fd": true, "less": true, "stat": true, "wc": true, "file": true, "tree": true, "cp": true, "mv": true, "rm": true, "diff": true, "git": true}

// replaced says whether another program took the place of the one that failed.
func (s *shaper) replaced() bool { return s.f.Program != s.g.Program }

// cannotRun says whether the program that failed is not there, or not for us.
func (s *shaper) cannotRun() bool {
	return slices.ContainsFunc(s.message.gone, func(name string) bool {
		return name == "" || name == s.f.Program || name == s.f.Path
	})
}

// named returns the edits that took out what the error speaks of.
func (s *shaper) named() []change {
	return lists.Filter(s.edits, s.speaksOf)
}

// pointed says whether the error speaks of what was changed: a word that left, the
// program that took over, or that the one that failed cannot be run.
func (s *shaper) pointed() bool {
	if s.replaced() {
		return s.cannotRun() || s.message.names(s.g.Program) || !s.context().empty()
	}
	return s.cannotRun() || len(s.named()) > 0 || slices.ContainsFunc(s.edits, func(e change) bool {
		return e.kind == emptyEdit || e.kind == endEdit && strings.Contains(s.message.text, " -- ") || e.old == "" && e.new != "" && s.message.names(e.new)
	})
}

// literal says whether the error names a word that was changed within the command: one
// that left, or one that came in. A path that is not there is no word of the program's.
func (s *shaper) literal() bool {
	if s.replaced() {
		return s.respelt()
	}
	if s.class == missingPath && !slices.ContainsFunc(s.edits, func(e change) bool { return e.kind == joinEdit }) {
		return false
	}
	return (len(s.named()) > 0 || slices.ContainsFunc(s.edits, func(e change) bool {
		return e.kind != envEdit && e.old == "" && e.new != "" && s.message.names(e.new)
	}))
}

// respelt says whether the error says that the program is not there, and the fix spells its
// name in another way: docker-compose, docker compose.
func (s *shaper) respelt() bool {
	return slices.Contains(s.message.gone, s.f.Program) && (sameName(s.f.Program, s.g.Program) ||
		strings.HasPrefix(s.f.Program, s.g.Program+"-") && len(s.g.Sub) > 0 && s.f.Program == s.g.Program+"-"+s.g.Sub[0])
}

// speaksOf says whether the error speaks of the word that an edit took out.
func (s *shaper) speaksOf(e change) bool {
	switch e.kind {
	case subEdit:
		return e.old != "" && slices.ContainsFunc(strings.Fields(e.old), s.message.names)
	case flagEdit:
		if strings.Contains(s.message.text, "TTY") && (e.old == "-it" || e.old == "-ti" || e.old == "-t" || e.old == "--tty") {
			return true
		}
		return e.old != "" && s.message.names(e.old) || e.oldVal != "" && s.message.says(e.old+"="+e.oldVal)
	case valueEdit:
		return s.message.names(e.old) || s.message.says(e.flag+"="+e.old)
	case operandEdit:
		return e.old != "" && !instance(e.old) && s.message.names(e.old)
	case placeEdit:
		return s.message.names(e.old)
	case quoteEdit, orderEdit, joinEdit:
		return true
	}
	return false
}

// wrapper returns the edit of what runs the program, nil when there is none, or when
// the error speaks of another one.
func (s *shaper) wrapper() *change {
	if len(s.named()) > 0 {
		return nil
	}
	for i := range s.edits {
		if s.edits[i].kind == wrapperEdit {
			return &s.edits[i]
		}
	}
	return nil
}
