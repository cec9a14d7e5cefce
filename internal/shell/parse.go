package shell

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Parse takes a command line apart. Commands of functions that the line does not
// call are left out.
func Parse(line string) *Line {
	return (&reader{}).all(line)
}

func (r *reader) all(line string) *Line {
	r.read(line, scope{}, 0)
	all := r.reachable()
	return &Line{All: all, Commands: slices.DeleteFunc(slices.Clone(all), func(c *Command) bool { return c.Wrapper || c.Program == "" })}
}

// reader collects the commands of a line and of the lines inside it.
type reader struct {
	commands  []*Command
	room      []Command           // where the next of them go
	inside    map[*Command]string // the function in whose body a command stands
	functions map[string]bool
	parsing   bool // also what takes no parser
}

// scope is what a subshell inherits and does not give back.
type scope struct {
	dir      string
	exports  []string
	wrappers []string
	function string
}

func (r *reader) read(line string, s scope, depth int) {
	if len(line) > MaxLine {
		line = line[:MaxLine]
	}
	if strings.TrimSpace(line) == "" || depth > maxNesting {
		return
	}
	if !utf8.ValidString(line) {
		line = strings.ToValidUTF8(line, "\uFFFD")
	}
	if plain := (walker{reader: r, line: line, scope: s, depth: depth}); !r.parsing && plain.plain() {
		return
	}
	file := parse(line)
	if file == nil {
		r.readWords(line, s, depth)
		return
	}
	w := &walker{reader: r, line: line, scope: s, depth: depth}
	w.walk(file)
}

// parse returns nil when the line is no shell.
func parse(line string) (file *syntax.File) {
	if opensMany(line) {
		return nil
	}
	defer func() {
		if recover() != nil { // a parser that gives up must not end a hook
			file = nil
		}
	}()
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(line), "")
	parsers.Put(parser) // one that gave up is not used again
	if err != nil {
		return nil
	}
	return file
}

// opensMany says whether a line has more brackets than the parser takes.
func opensMany(line string) bool {
	return len(line) > maxOpenings && strings.Count(line, "(")+strings.Count(line, "[")+strings.Count(line, "{")+strings.Count(line, "`") > maxOpenings
}

var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// add puts a copy of a command behind the others.
func (r *reader) add(c *Command, function string) {
	if len(r.commands) == maxCommands {
		return
	}
	if len(r.room) == cap(r.room) {
		r.room = make([]Command, 0, 1)
	}
	r.room = append(r.room, *c)
	own := &r.room[len(r.room)-1]
	r.commands = append(r.commands, own)
	if function != "" {
		if r.inside == nil {
			r.inside = map[*Command]string{}
		}
		r.inside[own] = function
	}
}

// reachable leaves out calls of the line's own functions, and the bodies of
// functions that nothing calls.
func (r *reader) reachable() []*Command {
	if len(r.functions) == 0 {
		return r.commands
	}
	called := map[string]bool{"": true}
	for grown := true; grown; {
		grown = false
		for _, c := range r.commands {
			if called[r.inside[c]] && r.functions[c.Program] && !called[c.Program] {
				called[c.Program], grown = true, true
			}
		}
	}
	var out []*Command
	for _, c := range r.commands {
		if called[r.inside[c]] && !r.functions[c.Program] {
			out = append(out, c)
		}
	}
	return out
}

// walker goes through one parsed line.
type walker struct {
	*reader
	line   string
	scope  scope
	depth  int
	inside int     // nodes that were entered and not left
	saved  []saved // of those with a scope of their own
}

// saved is the scope to restore behind a node.
type saved struct {
	inside int
	scope  scope
}

func (w *walker) walk(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			w.leave()
			return true
		}
		w.enter(n)
		return true
	})
}

func (w *walker) enter(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
		w.saved = append(w.saved, saved{w.inside, w.scope})
	case *syntax.FuncDecl:
		w.saved = append(w.saved, saved{w.inside, w.scope})
		if n.Name != nil {
			if w.functions == nil {
				w.functions = map[string]bool{}
			}
			w.functions[n.Name.Value] = true
			w.scope.function = n.Name.Value
		}
	case *syntax.Stmt:
		w.statement(n)
	}
	w.inside++
}

func (w *walker) leave() {
	w.inside--
	if last := len(w.saved) - 1; last >= 0 && w.saved[last].inside == w.inside {
		w.scope = w.saved[last].scope
		w.saved = w.saved[:last]
	}
}

// plain adds the commands of a line that takes no parser. It returns false when
// the line does.
func (w *walker) plain() bool {
	p := plainReaders.Get().(*plainReader)
	defer plainReaders.Put(p)
	if !p.read(w.line) {
		return false
	}
	w.commands, w.room = slices.Grow(w.commands, len(p.commands)), make([]Command, 0, min(len(p.commands), maxCommands))
	w.plainCommands(p.commands)
	return true
}

// plainCommands adds commands, and behind each those whose output it takes.
func (w *walker) plainCommands(commands []plainCommand) {
	for i := range commands {
		c := &commands[i]
		base := w.base(c.files(), c.source(w.line))
		for _, a := range c.assigns {
			if !a.dynamic {
				base.Env = append(base.Env, a.text)
			}
		}
		if len(c.words) > 0 {
			w.call(&base, c.words, c.stdin)
		} else if len(base.Redirects) > 0 {
			w.add(&base, w.scope.function)
		}
		for _, inner := range c.inner {
			outside := w.scope
			w.plainCommands(inner)
			w.scope = outside
		}
	}
}

// base is what a command has of the line before it.
func (w *walker) base(redirects []Redirect, source string) Command {
	return Command{
		Redirects: redirects, Dir: w.scope.dir, Source: source,
		Env: w.scope.exports[:len(w.scope.exports):len(w.scope.exports)], Wrappers: w.scope.wrappers[:len(w.scope.wrappers):len(w.scope.wrappers)],
	}
}

func (w *walker) statement(s *syntax.Stmt) {
	redirects, stdin := w.redirects(s.Redirs)
	base := w.base(redirects, written(w.line, s))
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		for _, a := range c.Assigns {
			if text, ok := assignment(a); ok {
				base.Env = append(base.Env, text)
			}
		}
		if len(c.Args) == 0 {
			break
		}
		w.call(&base, words(w.line, c.Args), stdin)
		return
	case *syntax.DeclClause:
		w.declare(&base, c)
		return
	}
	if len(redirects) > 0 {
		w.add(&base, w.scope.function)
	}
}

// declare handles export and its like: what is exported holds for the rest of
// the line.
func (w *walker) declare(base *Command, d *syntax.DeclClause) {
	base.Program, base.Path = d.Variant.Value, d.Variant.Value
	for _, a := range d.Args {
		text, ok := assignment(a)
		if !ok {
			base.Dynamic = true
			continue
		}
		base.Operands = append(base.Operands, text)
		if d.Variant.Value == "export" && strings.Contains(text, "=") {
			w.scope.exports = append(w.scope.exports[:len(w.scope.exports):len(w.scope.exports)], text)
		}
	}
	w.add(base, w.scope.function)
}

// redirects returns the files of redirections, and the text that comes in by a
// heredoc or a here-string.
func (w *walker) redirects(list []*syntax.Redirect) (files []Redirect, stdin string) {
	for _, r := range list {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil {
				stdin = heredoc(w.line, r.Hdoc)
			}
		case syntax.WordHdoc:
			stdin, _ = literal(r.Word)
		case syntax.DplIn, syntax.DplOut:
		default:
			if target, ok := literal(r.Word); ok && target != "" {
				files = append(files, Redirect{Op: r.Op.String(), Target: target})
			}
		}
	}
	return files, stdin
}

// heredoc returns the text of a heredoc's body.
func heredoc(line string, body *syntax.Word) string {
	var b strings.Builder
	for _, part := range body.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			b.WriteString(lit.Value)
		} else {
			b.WriteString(source(line, part))
		}
	}
	return b.String()
}

// written is a statement as it stands in the line, without the bodies of
// heredocs: they are data.
func written(line string, s *syntax.Stmt) string {
	var parts []string
	if s.Cmd != nil {
		parts = append(parts, source(line, s.Cmd))
	}
	for _, r := range s.Redirs {
		if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc {
			parts = append(parts, source(line, r))
		}
	}
	return strings.Join(parts, " ")
}

func source(line string, n syntax.Node) string {
	return part(line, int(n.Pos().Offset()), int(n.End().Offset()))
}

// part is a piece of a line without a separator behind it.
func part(line string, from, to int) string {
	if from < 0 || to > len(line) || from > to {
		return ""
	}
	return strings.TrimRight(line[from:to], "; \n")
}
