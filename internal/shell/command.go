// Package shell reads a command line as the simple commands that a shell
// would run: wrappers such as sudo and timeout are taken off, what is quoted or
// in a heredoc stays data.
//
// Nothing is expanded and nothing is run. Input that is no shell is read as
// words, so that every text has an answer.
//
// A line goes through three steps: it is read as statements (parse.go, and
// fallback.go where it is no shell), the statements are walked for their commands
// (walk.go), and the words of each are sorted (wrap.go, classify.go).
package shell

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Line is a command line, taken apart.
type Line struct {
	All      []*Command // in the order of the text
	Commands []*Command // those that do more than run another one
	Masked   bool       // a failure inside may not show in the line's exit status
	Last     []*Command // whose exit status the line's can be; nil when that cannot be told
}

// Command is one simple command. A wrapper (sudo, timeout, npx, bash -c) is a
// command of its own, marked as such, before the command that it runs.
type Command struct {
	Env       []string // NAME=value in force: before the command, by env, by an earlier export
	Wrappers  []string // what runs it, outermost first: sudo, timeout, python
	Wrapper   bool     // it runs the next command
	Program   string   // base name without .exe; empty when only a redirection is known
	Path      string   // the program as written
	Sub       []string // what it is asked to do: sub-commands, and the script, package script or goal that it runs
	Flags     []Flag   // in the order of the text
	Operands  []string // the other words whose value is known
	Redirects []string // the files that redirections name
	Dir       string   // where an earlier cd of the same line leads, as written
	Source    string   // as written, with wrappers and environment
	Dynamic   bool     // some word has a value that only the shell knows
	Place     Place
	Masked    bool   // the line's success does not prove this command's
	Function  string // of the line, in whose body it stands
}

// Place says where in a line a command stands.
type Place uint8

// The places; a command can be in several.
const (
	Piped       Place = 1 << iota // its output goes into the next command
	Conditional                   // an if, a loop or a case decides whether and how often it runs
	Negated                       // behind !
	Background                    // before &
	Substituted                   // in $(…) or <(…): its output becomes a word
)

// Declares says whether a command only declares variables.
func (c *Command) Declares() bool {
	switch c.Program {
	case "export", "declare", "local", "readonly", "typeset", "nameref":
		return true
	}
	return false
}

// In says whether the command stands in a place.
func (c *Command) In(p Place) bool { return c.Place&p != 0 }

// Flag is a word that starts with a dash.
type Flag struct {
	Name     string // with its dashes
	Value    string // behind "=", or a number that hangs on a letter
	HasValue bool
	Glued    bool   // there is no "=" before the value
	Passed   bool   // it is given to what the program runs: npm test -- --watch
	Next     string // the word behind it when that is no flag: perhaps its value
}

// Limits of what is read.
const (
	MaxLine     = 64 << 10 // bytes of a command line; what is behind is not read
	maxCommands = 512      // simple commands of one line
	maxNesting  = 6        // bash -c inside bash -c
	maxDepth    = 500      // statements inside statements
	// maxOpenings bounds the brackets of a line that goes to the parser: it
	// takes quadratic time to find that thousands of them do not close.
	maxOpenings = 1000
)

// String is the flag as written.
func (f Flag) String() string {
	switch {
	case f.Glued:
		return f.Name + f.Value
	case f.HasValue:
		return f.Name + "=" + f.Value
	}
	return f.Name
}

// FlagNames are the names of the flags in the order of the text.
func (c *Command) FlagNames() []string {
	return lists.Map(c.Flags, func(f Flag) string { return f.Name })
}

// Name is what the command does: program and target, as they could be written.
func (c *Command) Name() string {
	if len(c.Sub) == 0 {
		return c.Program
	}
	return c.Program + " " + c.Target()
}

// Subcommand is what of its program the command asks for, without the target that
// this runs: "run" of "npm run build".
func (c *Command) Subcommand() []string { return c.Sub[:len(c.Sub)-targets(c.Program, c.Sub)] }

// Script is the file that an interpreter or a runner runs, and the folder as seen
// from which it is named; empty where there is none.
func (c *Command) Script() (file, dir string) {
	r := programOf(c.Program).runs
	if r == nil || c.Wrapper || len(c.Sub) == 0 || !strings.ContainsAny(c.Sub[len(c.Sub)-1], "./") {
		return "", ""
	}
	if file = c.Sub[len(c.Sub)-1]; r.file && !isElsewhere(c.Dir) {
		return file, ""
	}
	return file, c.Dir
}

// Target is what of its program the command runs: "commit", "run build",
// "scripts/deploy.py", "run --bin server". It is empty when the program is all.
func (c *Command) Target() string { return strings.Join(c.Sub, " ") }
