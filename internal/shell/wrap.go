package shell

import (
	"path"
	"slices"
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
func (w *walker) call(base *Command, ws []word, stdin string) {
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

// run adds the command that the words are. Base is what it has of the line before
// it, and nothing any more.
func (r *reader) run(base *Command, ws []word, stdin string, s scope, depth int) {
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
	name := programName(ws[0].text)
	ws, skip := inner(name, ws)
	if line, ok := script(name, ws, stdin); ok {
		r.wrapper(base, name, ws, s)
		s.exports, s.wrappers, s.dir = base.Env, append(base.Wrappers, name), base.Dir
		r.read(line, s, depth+1)
		return
	}
	if skip > 0 && skip < len(ws) {
		r.wrapper(base, name, ws[:skip], s)
		base.Wrappers = append(base.Wrappers, name)
		rest := ws[skip:]
		if name == "npm" && len(rest) > 1 && rest[1].text == "--" { // npm exec tsc -- -p .
			rest = append([]word{rest[0]}, rest[2:]...)
		}
		r.run(base, rest, stdin, s, depth)
		return
	}
	base.classify(name, ws)
	r.add(base, s.function)
}

func (r *reader) wrapper(base *Command, name string, own []word, s scope) {
	c := *base
	c.Redirects = nil
	c.Wrapper = true
	c.classify(name, own)
	r.add(&c, s.function)
}

// inner returns the words without what ends a command of find, and where the
// command starts that they run, 0 for none.
func inner(name string, ws []word) (own []word, skip int) {
	if w, ok := wrappers[name]; ok {
		return ws, w.skip(name, ws)
	}
	if name == "find" || name == "fd" {
		return exec(ws)
	}
	return ws, launched(name, ws)
}

// skip returns the index of the first word behind the wrapper's own.
func (w wrapper) skip(name string, ws []word) int {
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
			if name == "command" && (text == "-v" || text == "-V") {
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
	runs := func(words ...string) bool { return len(ws) > 1 && !ws[1].dynamic && slices.Contains(words, ws[1].text) }
	skip := 2
	switch name {
	case "npx", "bunx", "uvx", "pnpx":
		skip = 1
	case "pipx", "rye", "hatch", "uv", "poetry", "pdm", "pipenv":
		if !runs("run") {
			return 0
		}
	case "pnpm", "yarn":
		if !runs("dlx", "exec") {
			return 0
		}
	case "npm", "bundle", "mise", "rbenv", "direnv":
		if !runs("exec") {
			return 0
		}
	case "bun":
		if !runs("x") {
			return 0
		}
	default:
		if isPython(name) {
			return pythonModule(ws)
		}
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
	switch name {
	case "python", "py", "pypy", "pypy3", "python2":
		return true
	}
	return strings.HasPrefix(name, "python3")
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
		case text == "-o" || text == "-O":
			i++
		case !strings.HasPrefix(text, "-") && text != "-s":
			plain = false
		}
	}
	return stdin, plain && stdin != ""
}
