package shell

import (
	"slices"
	"strings"
)

// run adds the command that the words are: its wrappers, then what they run. Base
// is what it has of the line before it, and nothing any more.
func (w *walker) run(base *Command, ws []word, stdin string, st *state) status {
	for len(ws) > 0 && !ws[0].dynamic && isAssignment(ws[0].text) { // of env and sudo
		base.Env = append(slices.Clip(base.Env), ws[0].text)
		ws = ws[1:]
	}
	if len(ws) == 0 || ws[0].text == "" {
		return status{}
	}
	if len(w.commands) == maxCommands {
		return status{hides: true, unclear: true}
	}
	if ws[0].dynamic {
		if len(base.Redirects) > 0 {
			w.add(base)
		}
		return status{last: []*Command{base}}
	}
	name := programName(ws[0].text)
	ws, skip := inner(name, ws)
	if line, ok := script(name, ws, stdin); ok {
		w.wrapper(base, name, ws)
		own := state{dir: base.Dir, exports: base.Env}
		return w.line(line, &own, context{base.Place, base.Masked, base.Wrappers, base.Function})
	}
	if skip > 0 && skip < len(ws) {
		c := w.wrapper(base, name, ws[:skip])
		base.Masked = base.Masked || isFinder(name)
		rest := ws[skip:]
		if name == "npm" && len(rest) > 1 && rest[1].text == "--" { // npm exec tsc -- -p .
			rest = append([]word{rest[0]}, rest[2:]...)
		}
		s := w.run(base, rest, stdin, st)
		if isFinder(name) || wrappers[name].own {
			s.last = []*Command{c}
		}
		return s
	}
	base.classify(name, ws)
	st.changes(base)
	w.add(base)
	return status{last: []*Command{base}}
}

// wrapper adds what runs the next command, which stands behind words of its own.
func (w *walker) wrapper(base *Command, name string, own []word) *Command {
	c := *base
	c.Redirects = nil
	c.Wrapper = true
	c.classify(name, own)
	w.add(&c)
	base.Wrappers = append(slices.Clip(base.Wrappers), name)
	return &c
}

// inner returns the words without what ends a command of find, and where the
// command starts that they run, 0 for none.
func inner(name string, ws []word) (own []word, skip int) {
	if w, ok := wrappers[name]; ok {
		return ws, w.skip(name, ws)
	}
	switch {
	case isFinder(name):
		return exec(ws)
	case isPython(name):
		return ws, pythonModule(ws)
	}
	return ws, 0
}

// exec finds the command of find -exec, which ends with ";" or "+".
func exec(ws []word) ([]word, int) {
	start := 0
	for i, w := range ws {
		switch w.text {
		case "-exec", "-execdir", "-ok", "-x", "--exec":
			if i > 0 && start == 0 {
				start = i + 1
			}
		case ";", "+":
			if start > 0 {
				return ws[:i], start
			}
		}
	}
	return ws, start
}

// pythonModule finds the module of python -m, which is run like a program.
func pythonModule(ws []word) int {
	for i := 1; i < len(ws); i++ {
		text := ws[i].text
		switch {
		case text == "-m":
			return i + 1
		case text == "-W" || text == "-X":
			i++
		case !strings.HasPrefix(text, "-") || text == "-c" || text == "-":
			return 0
		}
	}
	return 0
}

// script returns the command line that a shell is asked to run: behind -c, or
// on its standard input.
func script(name string, ws []word, stdin string) (string, bool) {
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh", "ash":
	case "eval":
		var parts []string
		for _, w := range ws[1:] {
			if w.dynamic {
				return "", false
			}
			parts = append(parts, w.text)
		}
		return strings.Join(parts, " "), len(parts) > 0
	case "su", "script":
	default:
		return "", false
	}
	plain := true
	for i := 1; i < len(ws); i++ {
		text := ws[i].text
		switch {
		case strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.Contains(text, "c") || text == "--command":
			for i++; i < len(ws) && strings.HasPrefix(ws[i].text, "-"); i++ { // bash -c -e 'line'
			}
			if i >= len(ws) {
				return "", false
			}
			return ws[i].text, !ws[i].dynamic
		case bash.takesNext(text):
			i++
		case !strings.HasPrefix(text, "-"):
			if plain = false; name != "su" && name != "script" {
				return "", false // a script, and what it is given
			}
		}
	}
	return stdin, plain && stdin != ""
}
