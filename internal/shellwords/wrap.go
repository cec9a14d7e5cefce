package shellwords

import (
	"path"
	"strings"
)

// wrapper says how a program that runs another one takes its own words.
type wrapper struct {
	operands int    // words of its own before the command
	values   string // its flags that take the next word, separated by spaces
	env      bool   // takes NAME=value
}

var wrappers = map[string]wrapper{
	"sudo":     {values: "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir", env: true},
	"doas":     {values: "-u -C"},
	"env":      {values: "-u -C --unset --chdir", env: true},
	"nice":     {values: "-n --adjustment"},
	"ionice":   {values: "-c -n -p --class --classdata"},
	"nohup":    {},
	"setsid":   {},
	"time":     {values: "-f -o --format --output"},
	"gtime":    {values: "-f -o"},
	"command":  {},
	"exec":     {values: "-a"},
	"builtin":  {},
	"timeout":  {operands: 1, values: "-k -s --kill-after --signal"},
	"gtimeout": {operands: 1, values: "-k -s --kill-after --signal"},
	"xargs":    {values: "-I -n -P -L -d -E -a -s --max-args --max-procs --max-lines --delimiter --arg-file --replace"},
	"stdbuf":   {values: "-i -o -e --input --output --error"},
	"arch":     {values: "-e -d"},
	"unbuffer": {},
	"strace":   {values: "-e -o -p -s"},
	"ltrace":   {values: "-e -o -p -s"},
	"watch":    {values: "-n --interval"},
	"flock":    {operands: 1, values: "-w -E --timeout"},
	"taskset":  {operands: 1},
	"chrt":     {operands: 1},
	"chroot":   {operands: 1},
	"caffeinate": {
		values: "-t -w",
	},
	"parallel": {values: "-j --jobs"},
	"rtk":      {},
}

// call adds a simple command: its wrappers, then what they run.
func (w *walker) call(base Command, ws []word, stdin string) {
	before := len(w.commands)
	w.run(base, ws, stdin, w.scope, w.depth)
	if len(w.commands) > before {
		w.moved(w.commands[len(w.commands)-1])
	}
}

// moved follows a cd, so that later operands can be found.
func (w *walker) moved(c *Command) {
	if c.Program != "cd" && c.Program != "pushd" || c.Dynamic || len(c.Operands) != 1 || c.Operands[0] == "-" {
		return
	}
	if to := c.Operands[0]; path.IsAbs(to) || strings.HasPrefix(to, "~") {
		w.scope.dir = to
	} else {
		w.scope.dir = path.Join(w.scope.dir, to)
	}
}

// run adds the command that the words are.
func (r *reader) run(base Command, ws []word, stdin string, s scope, depth int) {
	for len(ws) > 0 && !ws[0].dynamic && isAssignment(ws[0].text) { // of env and sudo
		base.Env = append(base.Env, ws[0].text)
		ws = ws[1:]
	}
	if len(ws) == 0 || ws[0].text == "" {
		return
	}
	if ws[0].dynamic {
		if len(base.Redirects) > 0 {
			r.add(base, s.function)
		}
		return
	}
	ws, skip := inner(ws)
	if line, ok := script(ws, stdin); ok {
		r.wrapper(base, ws, s)
		s.exports, s.wrappers, s.dir = base.Env, append(base.Wrappers, programName(ws[0].text)), base.Dir
		r.read(line, s, depth+1)
		return
	}
	if skip > 0 && skip < len(ws) {
		r.wrapper(base, ws[:skip], s)
		name := programName(ws[0].text)
		base.Wrappers = append(base.Wrappers, name)
		rest := ws[skip:]
		if name == "npm" && len(rest) > 1 && rest[1].text == "--" { // npm exec tsc -- -p .
			rest = append([]word{rest[0]}, rest[2:]...)
		}
		r.run(base, rest, stdin, s, depth)
		return
	}
	c := base
	c.classify(ws)
	r.add(c, s.function)
}

func (r *reader) wrapper(base Command, own []word, s scope) {
	c := base
	c.Redirects = nil
	c.Wrapper = true
	c.classify(own)
	r.add(c, s.function)
}

// inner returns the words without what ends a command of find, and where the
// command starts that they run, 0 for none.
func inner(ws []word) (own []word, skip int) {
	name := programName(ws[0].text)
	if w, ok := wrappers[name]; ok {
		return ws, w.skip(ws)
	}
	if name == "find" || name == "fd" {
		return exec(ws)
	}
	return ws, launched(name, ws)
}

// skip returns the index of the first word behind the wrapper's own.
func (w wrapper) skip(ws []word) int {
	operands := w.operands
	i := 1
	for ; i < len(ws); i++ {
		text := ws[i].text
		switch {
		case text == "--":
			return i + 1
		case strings.HasPrefix(text, "-") && len(text) > 1:
			if takesNext(w.values, text) {
				i++
			}
			if programName(ws[0].text) == "command" && (text == "-v" || text == "-V") {
				return 0
			}
		case w.env && isAssignment(text):
			return i // the assignments go to the command's environment
		case operands > 0:
			operands--
		default:
			return i
		}
	}
	return 0
}

func takesNext(values, flag string) bool {
	for v := range strings.FieldsSeq(values) {
		if v == flag {
			return true
		}
	}
	return false
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

// launched knows the programs of package managers that run another one.
func launched(name string, ws []word) int {
	at := func(i int) string {
		if i < len(ws) && !ws[i].dynamic {
			return ws[i].text
		}
		return ""
	}
	skip := 0
	switch {
	case name == "npx" || name == "bunx" || name == "uvx" || name == "pnpx":
		skip = 1
	case name == "pipx" && at(1) == "run", name == "pnpm" && at(1) == "dlx", name == "yarn" && at(1) == "dlx",
		name == "bun" && at(1) == "x", name == "rye" && at(1) == "run", name == "hatch" && at(1) == "run",
		at(1) == "exec" && (name == "pnpm" || name == "yarn" || name == "npm" || name == "bundle" || name == "mise" || name == "rbenv" || name == "direnv"),
		at(1) == "run" && (name == "uv" || name == "poetry" || name == "pdm" || name == "pipenv"):
		skip = 2
	case isPython(name):
		return pythonModule(ws)
	default:
		return 0
	}
	for skip < len(ws) && strings.HasPrefix(ws[skip].text, "-") {
		if takesNext("-p --package --with --from --python --extra --group --directory --project", ws[skip].text) {
			skip++
		}
		skip++
	}
	if name == "direnv" {
		skip++
	}
	return skip
}

func isPython(name string) bool {
	return name == "python" || name == "py" || name == "pypy" || name == "pypy3" || strings.HasPrefix(name, "python3") || name == "python2"
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
func script(ws []word, stdin string) (string, bool) {
	switch programName(ws[0].text) {
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
		case text == "-o" || text == "-O":
			i++
		case !strings.HasPrefix(text, "-") && text != "-s":
			plain = false
		}
	}
	return stdin, plain && stdin != ""
}
