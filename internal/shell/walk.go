package shell

import (
	"path"
	"slices"
	"strings"
)

// Parse takes a command line apart. Commands of functions that the line does not
// call are left out.
func Parse(line string) *Line {
	w := &walker{commands: make([]*Command, 0, 8)}
	s := w.line(line, &state{}, context{})
	l := &Line{All: w.reachable(), Masked: s.hides}
	if !s.unclear {
		l.Last = s.last
	}
	l.Commands = slices.DeleteFunc(slices.Clone(l.All), func(c *Command) bool { return c.Wrapper || c.Program == "" })
	return l
}

// walker collects the commands of a line and of the lines inside it.
type walker struct {
	commands  []*Command
	functions map[string]bool // that the line declares
	nested    int             // lines inside lines
}

// context is what holds for a statement and for all inside it.
type context struct {
	place    Place
	masked   bool
	wrappers []string
	function string
}

func (in context) at(p Place, masked bool) context {
	in.place |= p
	in.masked = in.masked || masked
	return in
}

// state is what a command can change for those behind it.
type state struct {
	dir               string
	exports           []string
	errexit, pipefail bool // set -e, set -o pipefail
}

// line walks a line, or one inside it.
func (w *walker) line(line string, st *state, in context) status {
	if strings.TrimSpace(line) == "" || w.nested > maxNesting {
		return status{}
	}
	w.nested++
	defer func() { w.nested-- }()
	text, whole := valid(line)
	all, ok := read(text)
	if whole && ok {
		return w.list(all, st, in)
	}
	w.list(all, st, in.at(0, !whole || strings.ContainsAny(text, "|;&\n")))
	return status{hides: !whole || strings.Contains(text, "|"), unclear: true}
}

// statement walks one statement. Its own status is what is left to see of those
// inside it.
func (w *walker) statement(s *statement, st *state, in context) status {
	if s.negated {
		in = in.at(Negated, true)
	}
	if s.background {
		in = in.at(Background, true)
	}
	var out status
	if s.kind == simple || s.kind == declaration {
		out = w.command(s, st, in)
	} else {
		if len(s.redirects) > 0 {
			w.add(w.base(s, st, in))
		}
		out = w.compound(s, st, in)
	}
	for i := range s.inside {
		w.statement(&s.inside[i], st, in)
	}
	out.unclear = out.unclear || s.negated
	if s.background {
		return status{hides: true, unclear: true}
	}
	return out
}

// compound walks the parts of a statement.
func (w *walker) compound(s *statement, st *state, in context) status {
	switch s.kind {
	case list:
		return w.list(s.parts, st, in)
	case subshell:
		own := *st
		return w.list(s.parts, &own, in)
	case substitution:
		own := *st
		w.list(s.parts, &own, in.at(Substituted, true))
		return status{}
	case chain:
		return w.chain(s.parts, st, in)
	case pipeline:
		return w.pipeline(s.parts, st, in)
	case condition:
		return w.condition(s.parts, st, in)
	case function:
		own := *st
		if w.functions == nil {
			w.functions = map[string]bool{}
		}
		w.functions[s.name] = true
		in.function = s.name
		w.list(s.parts, &own, in.at(0, true))
		return status{}
	case loop:
		return w.loop(s.parts, st, in)
	}
	for i := range s.parts {
		w.statement(&s.parts[i], st, in.at(Conditional, true))
	}
	switch s.kind {
	case test:
		return status{last: []*Command{{Program: "[["}}}
	case quiet:
		return status{}
	}
	return status{hides: true, unclear: true}
}

// base is what a command has of its statement and of the line before it.
func (w *walker) base(s *statement, st *state, in context) *Command {
	return &Command{
		Redirects: s.redirects, Dir: st.dir, Source: s.source, Env: slices.Concat(st.exports, s.assigns), Wrappers: in.wrappers,
		Place: in.place, Masked: in.masked, Function: in.function,
	}
}

// command walks a simple command, and follows what it changes.
func (w *walker) command(s *statement, st *state, in context) status {
	base := w.base(s, st, in)
	switch {
	case s.kind == declaration:
		w.declare(base, s, st)
		return status{}
	case len(s.words) == 0:
		if len(s.redirects) > 0 {
			w.add(base)
		}
		return status{}
	}
	return w.run(base, s.words, s.stdin, st)
}

// declare handles export and its like: what is exported holds for the rest of
// the line.
func (w *walker) declare(c *Command, s *statement, st *state) {
	c.Program, c.Path = s.name, s.name
	for _, word := range s.words {
		if word.dynamic {
			c.Dynamic = true
			continue
		}
		c.Operands = append(c.Operands, word.text)
		if s.name == "export" && strings.Contains(word.text, "=") {
			st.exports = append(slices.Clip(st.exports), word.text)
		}
	}
	w.add(c)
}

// changes follows a cd, so that later operands can be found, and the options that
// change what a status tells.
func (st *state) changes(c *Command) {
	switch c.Program {
	case "cd", "pushd":
		if c.Dynamic || len(c.Operands) != 1 || c.Operands[0] == "-" {
			return
		}
		if to := c.Operands[0]; path.IsAbs(to) || strings.HasPrefix(to, "~") {
			st.dir = to
		} else {
			st.dir = path.Join(st.dir, to)
		}
	case "set":
		for _, f := range c.Flags {
			short := !strings.HasPrefix(f.Name, "--")
			st.errexit = st.errexit || short && strings.Contains(f.Name, "e")
			st.pipefail = st.pipefail || short && strings.HasSuffix(f.Name, "o") && f.Next == "pipefail"
		}
		for _, o := range c.Operands {
			if strings.HasPrefix(o, "+") {
				st.errexit, st.pipefail = false, false
			}
		}
	}
}

// add puts a command behind the others.
func (w *walker) add(c *Command) {
	if len(w.commands) < maxCommands {
		w.commands = append(w.commands, c)
	}
}

// reachable leaves out calls of the line's own functions, and the bodies of
// functions that nothing calls.
func (w *walker) reachable() []*Command {
	if len(w.functions) == 0 {
		return w.commands
	}
	called := map[string]bool{"": true}
	for grown := true; grown; {
		grown = false
		for _, c := range w.commands {
			if called[c.Function] && w.functions[c.Program] && !called[c.Program] {
				called[c.Program], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(w.commands, func(c *Command) bool { return !called[c.Function] || w.functions[c.Program] })
}
