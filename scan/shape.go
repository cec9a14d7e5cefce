package scan

import (
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
)

// context returns words that both commands have and that belong to the mistake
// all the same: what the error names, and what an edit hangs on.
func (s *shaper) context() words {
	var w words
	onlySub := !slices.ContainsFunc(s.edits, func(e change) bool { return e.kind != subEdit }) && !unknownCommand.MatchString(s.message.text)
	for _, f := range s.f.Flags {
		if !slices.ContainsFunc(s.g.Flags, func(g shell.Flag) bool { return g.Name == f.Name }) {
			continue
		}
		value := f.Value
		if !f.HasValue && slices.Contains(s.f.Operands, f.Next) {
			value = f.Next
		}
		switch {
		case s.message.names(f.Name), value != "" && !isNumber(value) && s.message.names(value) && !s.editsValue(f.Name):
			w.flag(f.Name, f.Passed)
		case s.class == timedOut || strings.Contains(s.message.text, "editor"):
			if f.Name == "-i" || f.Name == "--interactive" {
				w.flag(f.Name, f.Passed)
			}
		}
	}
	for _, e := range s.edits {
		if e.kind == emptyEdit {
			w.flags = append(w.flags, e.flag)
		}
		if e.kind == flagEdit {
			s.hanging(e, &w)
		}
	}
	for _, o := range operandsOf(s.f) {
		if !slices.Contains(operandsOf(s.g), o) || instance(o) {
			continue
		}
		ext := path.Ext(o)
		switch {
		case onlySub && s.message.names(o):
			w.operands = append(w.operands, o)
		case len(ext) > 1 && (strings.Contains(s.message.text, `"`+ext+`"`) || strings.Contains(s.message.text, "'"+ext+"'")):
			w.operands = append(w.operands, "*"+ext)
		}
	}
	if kind := s.fileKind(); kind != "" && len(w.operands) == 0 {
		w.operands = []string{kind}
	}
	return w
}

var unknownCommand = automata.New(`(?i)(?:unknown|unrecogni[sz]ed|invalid|no such) (?:sub-?)?command|is not a \S+ command`)

func (s *shaper) editsValue(flag string) bool {
	return slices.ContainsFunc(s.edits, func(e change) bool { return e.kind == valueEdit && e.flag == flag })
}

// hanging adds the word behind a flag that was changed or came in, when the
// error names it: -p 2222, -r requirements.txt.
func (s *shaper) hanging(e change, w *words) {
	for _, f := range s.f.Flags {
		if f.Name == e.old && f.Next != "" && e.oldVal == "" && s.message.names(f.Next) {
			w.flags = append(slices.DeleteFunc(w.flags, func(x string) bool { return x == e.old }), e.old+"="+f.Next)
		}
	}
	for _, g := range s.g.Flags {
		if e.old == "" && g.Name == e.new && g.Next != "" && slices.Contains(s.f.Operands, g.Next) && s.message.names(g.Next) {
			w.operands = append(w.operands, g.Next)
		}
	}
}

// fileKind is the kind of the only file of both commands, when letters of a
// bundle of flags were changed and the error points at none: then the kind of
// file is part of the mistake.
func (s *shaper) fileKind() string {
	bundle := slices.ContainsFunc(s.edits, func(e change) bool {
		return e.kind == flagEdit && letters.MatchString(e.old) && letters.MatchString(e.new)
	})
	if !bundle {
		return ""
	}
	if kind := s.kindOfFile(); len(kind) == 1 {
		return kind[0]
	}
	return ""
}

// kindOfFile returns the ending of the command's file as a glob, if there is one
// file.
func (s *shaper) kindOfFile() []string {
	var kinds []string
	for _, o := range operandsOf(s.f) {
		if ext := path.Ext(o); len(ext) > 1 && !isNumber(ext) {
			kinds = append(kinds, "*"+ext)
		}
	}
	if len(kinds) != 1 {
		return nil
	}
	return kinds
}

var letters = automata.New(`^-[A-Za-z]{2,5}$`)

// flagOf returns the flag whose value holds a sign.
func (s *shaper) flagOf(sign string) []string {
	for _, f := range s.f.Flags {
		if !f.HasValue && strings.Contains(f.Next, sign) && slices.Contains(s.f.Operands, f.Next) {
			return []string{f.Name}
		}
	}
	return nil
}

var instancePattern = automata.New(`^(?:\d[\d.:-]*|[0-9a-f]{7,64}|[0-9a-f-]{32,36}|#\d+)$|://|\s|^/(?:tmp|home|Users|private|var|root)/|^~|^\$`)

// instance says whether a word belongs to one occasion: a number, a hash, an
// address, a text, a place of one machine.
func instance(w string) bool { return len(w) > 80 || instancePattern.MatchString(w) }

// operandShape is what a mistaken operand has in common with its like. A path
// is compared segment by segment: what differs stays, what leads there is any
// folder.
func operandShape(e change, pointed bool) string {
	switch {
	case e.old == "" || instance(e.old):
		return ""
	case e.new != "" && strings.Contains(e.old, "/") && strings.Contains(e.new, "/"):
		if shape, _ := pathShapes(e.old, e.new); shape != "" {
			return shape
		}
	case !pointed && path.Ext(e.old) != "" && len(path.Ext(e.old)) > 1 && !strings.HasPrefix(e.old, "."):
		return "*" + path.Ext(e.old)
	}
	return e.old
}

// pathShapes keep of two paths what is not the same, from there to the end, and
// behind a gap the segment before it. Numbers and hashes are any segment, what
// leads there is any folder. The second is empty when the path only ends earlier.
func pathShapes(old, fresh string) (wrong, right string) {
	a, b := strings.Split(strings.TrimPrefix(old, "./"), "/"), strings.Split(strings.TrimPrefix(fresh, "./"), "/")
	n := commonPrefix(a, b)
	tail := 0
	for tail < len(a)-n && tail < len(b)-n && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from := n
	if n == len(a)-tail { // nothing was taken out
		from = max(0, n-1)
	}
	return pathTail(a, from), pathTail(b, from)
}

func pathTail(segments []string, from int) string {
	if from >= len(segments) {
		return ""
	}
	kept := slices.Clone(segments[from:])
	for i, s := range kept {
		if instance(s) {
			kept[i] = "*"
		}
	}
	shape := strings.Join(kept, "/")
	if from > 0 {
		shape = "**/" + shape
	}
	return shape
}

// givesCode says whether an interpreter is given code of the occasion in place of a script.
func givesCode(c *shell.Command) bool {
	return !runsScript(c) && slices.ContainsFunc(c.Flags, func(f shell.Flag) bool { return codeFlags[f.Name] })
}

// codeFlags are flags behind which interpreters take code.
var codeFlags = map[string]bool{"-c": true, "-e": true, "-E": true, "--eval": true}

// launcher is how a program is run by another one, in words.
func launcher(name string) string {
	switch name {
	case "python", "python3", "python2", "py", "pypy", "pypy3":
		return name + " -m"
	case "uv", "poetry", "pdm", "pipenv", "hatch", "rye", "pipx":
		return name + " run"
	case "npm", "pnpm", "yarn", "bundle", "mise", "rbenv", "direnv":
		return name + " exec"
	case "docker", "podman", "docker-compose":
		return name + " exec CONTAINER"
	case "nix":
		return name + " develop -c"
	}
	return name
}

var (
	pythonRunners = []string{"python -m", "python3 -m", "uv run", "poetry run", "pdm run", "pipenv run", "hatch run"}
	nodeRunners   = []string{"npx", "pnpm exec", "pnpm dlx", "yarn", "bunx", "npm exec"}
)

// family returns the ways to run a program that are as good as one of them.
func family(runner string) []string {
	switch text := launcher(runner); {
	case slices.Contains(pythonRunners, text) || runner == "uvx" || runner == "pipx":
		return pythonRunners
	case slices.Contains(nodeRunners, text) || strings.HasPrefix(text, "yarn") || runner == "pnpx" || runner == "bun":
		return nodeRunners
	default:
		return []string{text}
	}
}

// ecosystem returns the ways by which a program that is not there by itself may
// be there all the same.
func ecosystem(program string) []string {
	switch trimVersion(program) {
	case "python", "pip", "pytest", "mypy", "ruff", "black", "flake8", "alembic", "tox":
		return slices.DeleteFunc(slices.Clone(pythonRunners), func(r string) bool { return strings.HasPrefix(r, program+" ") })
	}
	return nil
}
