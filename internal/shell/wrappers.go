package shell

import (
	"slices"
	"strings"
)

// wrapper says how a program that runs another one takes its own words.
type wrapper struct {
	behind   string // the sub-commands that run another program, separated by "|"; none: it always does
	operands int    // words of its own before the command
	values   string // its flags that take the next word, separated by spaces
	env      bool   // takes NAME=value
	marks    string // words behind one of which the command stands, separated by spaces
	own      bool   // its status is not that of what it runs
}

// Flags of package managers and of containers that take the next word.
const (
	packageValues   = "-p --package --with --from --python --extra --group --directory --project"
	containerValues = "-e -w -u -v -p -l --env --env-file --workdir --user --volume --publish --label --name --index --entrypoint --detach-keys"
)

var (
	packageRun  = wrapper{behind: "run", values: packageValues}
	packageExec = wrapper{behind: "exec", values: packageValues}
	packageOnce = wrapper{values: packageValues}
	container   = wrapper{behind: "exec|compose exec|compose run", operands: 1, values: containerValues}
)

var wrappers = map[string]wrapper{
	"sudo":       {values: "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir", env: true},
	"doas":       {values: "-u -C"},
	"env":        {values: "-u -C --unset --chdir", env: true},
	"nice":       {values: "-n --adjustment"},
	"ionice":     {values: "-c -n -p --class --classdata"},
	"nohup":      {},
	"setsid":     {},
	"time":       {values: "-f -o --format --output"},
	"gtime":      {values: "-f -o"},
	"command":    {},
	"exec":       {values: "-a"},
	"builtin":    {},
	"timeout":    {operands: 1, values: "-k -s --kill-after --signal"},
	"gtimeout":   {operands: 1, values: "-k -s --kill-after --signal"},
	"xargs":      {own: true, values: "-I -n -P -L -d -E -a -s --max-args --max-procs --max-lines --delimiter --arg-file --replace"},
	"stdbuf":     {values: "-i -o -e --input --output --error"},
	"arch":       {values: "-e -d"},
	"unbuffer":   {},
	"strace":     {values: "-e -o -p -s"},
	"ltrace":     {values: "-e -o -p -s"},
	"watch":      {own: true, values: "-n --interval"},
	"flock":      {operands: 1, values: "-w -E --timeout"},
	"taskset":    {operands: 1},
	"chrt":       {operands: 1},
	"chroot":     {operands: 1},
	"parallel":   {own: true, values: "-j --jobs"},
	"rtk":        {},
	"caffeinate": {values: "-t -w"},

	"npx": packageOnce, "bunx": packageOnce, "uvx": packageOnce, "pnpx": packageOnce,
	"uv": packageRun, "poetry": packageRun, "pdm": packageRun, "pipenv": packageRun, "hatch": packageRun, "rye": packageRun, "pipx": packageRun,
	"npm": packageExec, "bundle": packageExec, "rbenv": packageExec,
	"pnpm": {behind: "dlx|exec", values: packageValues}, "yarn": {behind: "dlx|exec", values: packageValues}, "bun": {behind: "x", values: packageValues},
	"mise": {behind: "exec|x", marks: "--"}, "direnv": {behind: "exec", operands: 1}, "nix": {behind: "develop|shell", marks: "-c --command"},
	"pixi": packageRun, "devbox": packageRun, "conda": {behind: "run", values: "-n -p --name --prefix --cwd"}, "micromamba": {behind: "run", values: "-n -p"},
	"docker": container, "podman": container, "docker-compose": {behind: "exec|run", operands: 1, values: containerValues},
}

// skip returns the index of the first word behind the wrapper's own, 0 when it
// runs nothing.
func (w wrapper) skip(name string, ws []word) int {
	i := w.start(ws)
	if i == 0 {
		return 0
	}
	if w.marks != "" {
		marks := strings.Fields(w.marks)
		return slices.IndexFunc(ws, func(w word) bool { return slices.Contains(marks, w.text) && !w.dynamic }) + 1
	}
	for operands := w.operands; i < len(ws); i++ {
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

// start returns the index of the first word behind the sub-command that runs
// another program, 0 when it is another sub-command.
func (w wrapper) start(ws []word) int {
	if w.behind == "" {
		return 1
	}
	for sub := range strings.SplitSeq(w.behind, "|") {
		i := 1
		for want := range strings.FieldsSeq(sub) {
			for ; i < len(ws) && strings.HasPrefix(ws[i].text, "-"); i++ {
				if takesNext(globalValues, ws[i].text) || takesNext(composeValues, ws[i].text) {
					i++
				}
			}
			if i >= len(ws) || ws[i].dynamic || ws[i].text != want {
				i = -1
				break
			}
			i++
		}
		if i > 0 {
			return i
		}
	}
	return 0
}

// isFinder says whether a program runs commands by -exec.
func isFinder(name string) bool { return name == "find" || name == "fd" }
