package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/shell"
)

// shellScript is a command line as a list of simple commands in the order of
// their text, read with the eyes of the hooks ([shell]): what a scan learns
// of a command is what a hook will see of it.
type shellScript struct {
	commands []*shellCommand // without what only runs another command
	all      []*shell.Command
	about    *shellCommand // see main
}

// shellCommand is one simple command after its wrappers (sudo, env, timeout,
// npx…) were taken off.
type shellCommand struct {
	*shell.Command
	env      []string // NAME=value, also those given to a wrapper "env"
	program  string   // base name
	path     string   // the program as written
	sub      []string // sub-command words of programs that have them
	flags    []string // as written, --name=value split to --name
	values   []string // --name=value of the flags that are written so
	operands []string // other words; a dynamic word is dropped
	source   string   // as written
	named    string   // its name, once somebody asked
}

// parseShell reads a command line. It returns nil when there is none.
func parseShell(line string) *shellScript { return scriptOf(shell.Parse(line)) }

func scriptOf(commands []*shell.Command) *shellScript {
	n := 0
	for _, c := range commands {
		if isCommand(c) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	script := &shellScript{all: commands, commands: make([]*shellCommand, 0, n)}
	views, flags := make([]shellCommand, 0, n), 0
	for _, c := range commands {
		flags += len(c.Flags)
	}
	names := make([]string, 0, flags)
	for _, c := range commands {
		if isCommand(c) {
			views = append(views, viewOf(c, &names))
			script.commands = append(script.commands, &views[len(views)-1])
		}
	}
	return script
}

// isCommand says whether a command does more than run another one.
func isCommand(c *shell.Command) bool { return c.Program != "" && !c.Wrapper }

// viewOf puts the names of the flags behind those of the commands before it.
func viewOf(c *shell.Command, names *[]string) shellCommand {
	v := shellCommand{Command: c, env: c.Env, program: c.Program, path: c.Path, sub: c.Sub, operands: c.Operands, source: c.Source}
	for _, f := range c.Flags {
		*names = append(*names, f.Name)
		if f.HasValue && f.Value != "" {
			v.values = append(v.values, f.Name+"="+f.Value)
		}
	}
	if n := len(c.Flags); n > 0 {
		v.flags = (*names)[len(*names)-n : len(*names) : len(*names)]
	}
	return v
}

func isPython(base string) bool {
	return base == "python" || strings.HasPrefix(base, "python3") || base == "python2"
}

// name is what the command does: program and sub-command.
func (c *shellCommand) name() string {
	if c.named == "" {
		c.named = c.Name()
	}
	return c.named
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
	if s.about == nil {
		s.about = s.commands[0]
		for _, c := range slices.Backward(s.commands) {
			if !plumbing[c.program] {
				s.about = c
				break
			}
		}
	}
	return s.about
}

// parsedLine is the command line of a step, once somebody asked.
type parsedLine struct {
	commands []*shell.Command
	script   *shellScript
	held     *inject.Held // once a trigger was held against it
}

func (s *Step) parsed() *parsedLine {
	if s.line == nil {
		commands := shell.Parse(s.Command)
		s.line = &parsedLine{commands: commands, script: scriptOf(commands)}
	}
	return s.line
}

// script returns the step's parsed command line, nil when there is none.
func (s *Step) script() *shellScript {
	if s.Command == "" {
		return nil
	}
	return s.parsed().script
}

// every returns all commands of the call's line, also the wrappers. They are
// parsed once for all detectors and must not be changed.
func (s *Step) every() []*shell.Command {
	return s.parsed().commands
}

// fires says whether a trigger of a shell tool would have fired on the call.
func (s *Step) fires(t *inject.Trigger) bool {
	line := s.parsed()
	if line.held == nil {
		line.held = inject.Hold(inject.Call{Tool: "Bash", Command: s.Command, Commands: line.commands})
	}
	return t.FiresOn(line.held)
}

// canRun says whether a command line can run a program, however its name is quoted
// and escaped: its letters stand there in this order, with nothing but signs between
// them. It saves parsing the line, and says yes of names of which that does not hold.
func canRun(line, program string) bool {
	for i := range len(program) {
		if c := program[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return true
		}
	}
	if program == "" {
		return true
	}
	for i := range len(line) {
		if line[i]|0x20 == program[0] && beginsSpread(line[i:], program) {
			return true
		}
	}
	return false
}

func beginsSpread(text, word string) bool {
	n := 0
	for i := 0; i < len(text) && n < len(word); i++ {
		switch c := text[i] | 0x20; {
		case c == word[n]:
			n++
		case 'a' <= c && c <= 'z', '0' <= text[i] && text[i] <= '9':
			return false
		}
	}
	return n == len(word)
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
