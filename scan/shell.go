package scan

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shellScript is a command line as a list of simple commands in the order of
// their text (algorithms section 3). Heredoc bodies and quoted text stay data.
type shellScript struct {
	commands []*shellCommand
}

// shellCommand is one simple command after its wrappers (sudo, env, timeout…)
// were taken off.
type shellCommand struct {
	env      []string // NAME=value, also those given to a wrapper "env"
	launcher string   // "npx", "python -m", … when it runs another program
	program  string   // base name
	path     string   // the program as written
	sub      []string // sub-command words of programs that have them
	flags    []string // as written, --name=value split to --name
	values   []string // --name=value of the flags that are written so
	operands []string // other words; a dynamic word is dropped
	dynamic  bool     // some word has a value that only the shell knows
	source   string   // as written
}

// maxOpenings bounds the brackets of a command line that is parsed: the parser
// takes quadratic time to find that thousands of them do not close.
const maxOpenings = 1000

// parseShell reads a command line. It returns nil when the text is no shell.
func parseShell(line string) *shellScript {
	if strings.TrimSpace(line) == "" || strings.Count(line, "(")+strings.Count(line, "[") > maxOpenings {
		return nil
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	script := &shellScript{}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if ok && len(call.Args) > 0 {
			script.add(line, call)
		}
		return true
	})
	return script
}

// add appends a call, or the commands of the string that it hands to a shell.
func (s *shellScript) add(line string, call *syntax.CallExpr) {
	c := &shellCommand{source: source(line, call)}
	for _, a := range call.Assigns {
		c.env = append(c.env, source(line, a))
	}
	var words []string
	for _, w := range call.Args {
		lit, ok := literal(w)
		if !ok {
			c.dynamic = true
			lit = ""
		}
		words = append(words, lit)
	}
	words = c.unwrap(words)
	if len(words) == 0 || words[0] == "" {
		return
	}
	if inner := shellString(words); inner != "" {
		if nested := parseShell(inner); nested != nil {
			s.commands = append(s.commands, nested.commands...)
			return
		}
	}
	c.classify(words)
	s.commands = append(s.commands, c)
}

func source(line string, n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(line) || from > to {
		return ""
	}
	return line[from:to]
}

// literal returns the value of a word that the shell would not change.
func literal(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(unescape(lit.Value))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescape removes the shell's backslashes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// wrappers run the rest of their words as a command. The value says how many
// operands of their own come before it.
var wrappers = map[string]int{
	"sudo": 0, "env": 0, "nice": 0, "nohup": 0, "time": 0, "command": 0, "exec": 0,
	"builtin": 0, "timeout": 1, "gtimeout": 1, "xargs": 0, "stdbuf": 0,
}

// valueFlags are flags of wrappers that take the next word.
var valueFlags = map[string]bool{
	"-u": true, "-g": true, "-n": true, "-k": true, "-s": true, "-I": true, "-P": true, "-L": true,
}

// unwrap takes wrappers and launchers off the words.
func (c *shellCommand) unwrap(words []string) []string {
	for len(words) > 1 {
		own, ok := wrappers[path.Base(words[0])]
		if !ok {
			break
		}
		rest := words[1:]
		for len(rest) > 0 {
			if name, _, isEnv := strings.Cut(rest[0], "="); isEnv && isName(name) {
				c.env = append(c.env, rest[0])
				rest = rest[1:]
				continue
			}
			if strings.HasPrefix(rest[0], "-") {
				if valueFlags[rest[0]] && len(rest) > 1 {
					rest = rest[1:]
				}
				rest = rest[1:]
				continue
			}
			if own == 0 {
				break
			}
			own--
			rest = rest[1:]
		}
		if len(rest) == 0 || rest[0] == "" {
			break
		}
		words = rest
	}
	return c.launch(words)
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// launch recognises programs that run another one, such as "npx jest" and
// "python -m pytest".
func (c *shellCommand) launch(words []string) []string {
	skip := 0
	if len(words) < 2 {
		return words
	}
	switch base := path.Base(words[0]); {
	case base == "npx" || base == "bunx" || base == "uvx" || base == "pipx" && len(words) > 1 && words[1] == "run":
		skip = 1
		if base == "pipx" {
			skip = 2
		}
		for skip < len(words) && strings.HasPrefix(words[skip], "-") {
			skip++
		}
	case len(words) > 2 && words[1] == "exec" && (base == "pnpm" || base == "yarn" || base == "npm" || base == "bundle" || base == "mise"):
		skip = 2
		if words[2] == "--" {
			skip = 3
		}
	case len(words) > 2 && words[1] == "run" && (base == "uv" || base == "poetry" || base == "pdm"):
		skip = 2
	case len(words) > 2 && words[1] == "-m" && isPython(base):
		skip = 2
	case subDepth[base] == 0 && !plumbing[base] && !asksAbout[base] && programs[words[1]]:
		skip = 1 // a wrapper that nobody told us of, such as "proxy git status"
	}
	if skip == 0 || skip >= len(words) || words[skip] == "" {
		return words
	}
	c.launcher = strings.Join(append([]string{path.Base(words[0])}, words[1:skip]...), " ")
	return words[skip:]
}

func isPython(base string) bool {
	return base == "python" || strings.HasPrefix(base, "python3") || base == "python2"
}

// asksAbout are programs whose operands are programs' names.
var asksAbout = map[string]bool{"which": true, "type": true, "man": true, "whereis": true, "hash": true, "pgrep": true, "pkill": true, "killall": true, "ls": true, "rm": true, "cp": true, "mv": true, "ln": true}

// programs are names that, as the first word behind an unknown program, are the
// command that it runs.
var programs = map[string]bool{
	"git": true, "gh": true, "npm": true, "pnpm": true, "yarn": true, "bun": true, "cargo": true, "docker": true, "kubectl": true,
	"pytest": true, "jest": true, "vitest": true, "tsc": true, "eslint": true, "python": true, "python3": true, "pip": true, "terraform": true,
}

// shellString returns the command line that a shell is asked to run with -c.
func shellString(words []string) string {
	switch path.Base(words[0]) {
	case "bash", "sh", "zsh", "dash":
	default:
		return ""
	}
	for i, w := range words[1:] {
		if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "c") && i+2 < len(words) {
			return words[i+2]
		}
	}
	return ""
}

// subDepth says how many of a program's first words choose what it does.
var subDepth = map[string]int{
	"git": 1, "gh": 2, "go": 1, "npm": 1, "pnpm": 1, "yarn": 1, "bun": 1, "cargo": 1, "docker": 1,
	"docker-compose": 1, "podman": 1, "kubectl": 1, "helm": 1, "pip": 1, "pip3": 1, "uv": 1, "poetry": 1,
	"brew": 1, "apt": 1, "apt-get": 1, "systemctl": 1, "terraform": 1, "aws": 2, "gcloud": 2, "az": 2,
	"make": 1, "mise": 1, "just": 1, "bundle": 1, "rails": 1, "mix": 1, "dotnet": 1, "golangci-lint": 1,
	"deno": 1, "nx": 1, "turbo": 1, "claude": 1, "wrangler": 1, "jj": 1, "hg": 1, "swift": 1, "flutter": 1,
}

// deeper are sub-commands whose next word chooses too.
var deeper = map[string]bool{
	"npm run": true, "pnpm run": true, "yarn run": true, "bun run": true, "mise run": true, "go mod": true,
	"go tool": true, "docker compose": true, "git remote": true, "git stash": true, "git worktree": true,
	"git submodule": true, "uv pip": true,
}

// globalValueFlags are flags before the sub-command that take the next word.
var globalValueFlags = map[string]bool{"-C": true, "-c": true, "--git-dir": true, "--work-tree": true, "-R": true, "--repo": true}

// classify sorts the words into program, sub-command, flags and operands.
func (c *shellCommand) classify(words []string) {
	c.path = words[0]
	c.program = strings.TrimSuffix(path.Base(words[0]), ".exe")
	depth := subDepth[c.program]
	literalOnly := false
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "":
		case w == "--":
			literalOnly = true
		case !literalOnly && len(w) > 1 && w[0] == '-':
			name, _, hasValue := strings.Cut(w, "=")
			c.flags = append(c.flags, name)
			if hasValue {
				c.values = append(c.values, w)
			}
			if len(c.sub) < depth && globalValueFlags[w] && i+1 < len(words) {
				i++
			}
		case !literalOnly && len(c.sub) < depth && len(c.operands) == 0 && isBareWord(w):
			c.sub = append(c.sub, w)
			if deeper[c.program+" "+strings.Join(c.sub, " ")] {
				depth = len(c.sub) + 1
			}
		default:
			c.operands = append(c.operands, w)
		}
	}
}

// isBareWord says whether a word can be a sub-command's name.
func isBareWord(w string) bool {
	if w == "" || len(w) > 40 || w[0] < 'a' || w[0] > 'z' {
		return false
	}
	for _, r := range w {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != ':' {
			return false
		}
	}
	return true
}

// name is what the command does: program and sub-command.
func (c *shellCommand) name() string {
	return strings.Join(append([]string{c.program}, c.sub...), " ")
}

// plumbing are programs that only prepare or trim for another one.
var plumbing = map[string]bool{
	"cd": true, "echo": true, "printf": true, "tail": true, "head": true, "grep": true, "rg": true, "cat": true,
	"tee": true, "sed": true, "awk": true, "wc": true, "sort": true, "uniq": true, "tr": true, "cut": true,
	"true": true, "false": true, "sleep": true, "export": true, "set": true, "source": true, ".": true,
	"pwd": true, "test": true, "[": true, "mkdir": true, "xargs": true, "unset": true, "exit": true, "pushd": true, "popd": true,
}

// main returns the command that the line is about: the last one that is not
// plumbing, else the first.
func (s *shellScript) main() *shellCommand {
	if s == nil || len(s.commands) == 0 {
		return nil
	}
	for i := len(s.commands) - 1; i >= 0; i-- {
		if !plumbing[s.commands[i].program] {
			return s.commands[i]
		}
	}
	return s.commands[0]
}

// script returns the step's parsed command line, nil when there is none.
func (s *Step) script() *shellScript {
	if !s.parsed {
		s.parsed = true
		s.shell = parseShell(s.Command)
	}
	return s.shell
}
