package inject

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Call is what an agent is about to do, or did.
type Call struct {
	Tool    string // Bash, Read, Edit, Write, …; empty when there is no tool call
	Command string // of a shell tool: the command line
	// Line is Command taken apart, where that was done before. Nil: it is done.
	Line    *shell.Line
	Paths   []string // of a file tool: absolute, or relative to Dir
	Content string   // what it writes, or the body of a patch
	Agent   string   // type of the sub-agent; empty: the main agent
	Prompt  string   // the person's last prompt
	Recent  []string // the last texts of person and agent, oldest first
	Root    string   // of the work tree, absolute; empty: unknown
	Dir     string   // working directory, absolute; empty: Root
}

// Limits of what a call may bring.
const (
	maxPaths   = 256
	maxPathLen = 4096
)

// target is a path that a call touches.
type target struct {
	path    string // repository-relative, or absolute outside of it
	command *shell.Command
}

// prepared is a call, taken apart once for all lessons.
type prepared struct {
	Call
	touched []target // see targets
	located bool
	content string
	recent  string // keywords' text, folded, made on demand
	folded  bool
	meter   meter
	options Options

	reads      bool // a read finds the lessons about edits too
	explaining bool // test every slot, also behind one that refuses
}

func prepare(c Call, o Options) *prepared {
	p := &prepared{Call: c, content: c.Content, options: o, meter: meter{budget: o.budget()}}
	for _, text := range [...]string{c.Content, c.Command} {
		if paths, added, ok := PatchFiles(text); ok {
			p.Paths = slices.Concat(p.Paths, paths)
			p.content = added
			break
		}
	}
	p.content = strings.ToValidUTF8(headOf(p.content, maxText), "\uFFFD")
	if p.Line == nil {
		p.Line = shell.Parse(c.Command)
	}
	return p
}

// targets returns the paths that the call touches. Few triggers ask for them.
func (p *prepared) targets() []target {
	if p.located {
		return p.touched
	}
	p.located = true
	for _, name := range p.Paths {
		p.target(name, "", nil)
	}
	for _, cmd := range p.Line.All {
		if file, dir := cmd.Script(); file != "" {
			p.target(file, dir, cmd)
		}
		for _, name := range operandPaths(cmd) {
			p.target(name, cmd.Dir, cmd)
		}
	}
	return p.touched
}

// target adds a path; dir is where an earlier cd of the line leads.
func (p *prepared) target(name, dir string, cmd *shell.Command) {
	if name == "" || len(name) > maxPathLen || len(p.touched) >= maxPaths {
		return
	}
	t := target{path: p.relative(name, dir), command: cmd}
	if t.path != "" && !slices.Contains(p.touched, t) {
		p.touched = append(p.touched, t)
	}
}

// relative returns a path as globs see it: relative to the root where it lies
// below, else absolute. It touches no file.
func (p *prepared) relative(name, dir string) string {
	name, dir = filepath.ToSlash(name), filepath.ToSlash(dir)
	root := strings.TrimSuffix(filepath.ToSlash(p.Root), "/")
	base := cmp.Or(filepath.ToSlash(p.Dir), root)
	if strings.HasPrefix(name, "~") {
		return name
	}
	if !isAbs(name) {
		if strings.HasPrefix(dir, "~") {
			return path.Join(dir, name)
		}
		if !isAbs(dir) {
			dir = path.Join(base, dir)
		}
		name = path.Join(dir, name)
	}
	name = path.Clean(name)
	if root == "" {
		return name
	}
	if rest, ok := strings.CutPrefix(name, root+"/"); ok {
		return rest
	}
	return name
}

// isAbs knows absolute paths of both worlds, whatever system this runs on.
func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}

// textPrograms are programs whose operands are text, not files.
var textPrograms = map[string]bool{"echo": true, "printf": true, "alias": true, "export": true, "declare": true, "local": true, "kill": true, "pkill": true, "pgrep": true, "sleep": true, "which": true, "type": true, "man": true, "command": true}

// firstIsPattern are programs whose first operand is an expression.
var firstIsPattern = map[string]bool{"grep": true, "egrep": true, "fgrep": true, "rg": true, "ag": true, "ack": true, "sed": true, "awk": true, "gawk": true, "perl": true, "jq": true, "yq": true}

// textFlags are flags whose value is text.
var textFlags = map[string]bool{"-m": true, "--message": true, "-am": true, "--title": true, "--body": true, "--grep": true, "-S": true, "-G": true, "--author": true, "-e": true, "--regexp": true}

// operandPaths returns the words of a command that can be files.
func operandPaths(c *shell.Command) []string {
	out := slices.Clone(c.Redirects)
	if textPrograms[c.Program] || c.Wrapper {
		return out
	}
	operands := c.Operands
	pattern := firstIsPattern[c.Program]
	for _, f := range c.Flags {
		if f.HasValue && !textFlags[f.Name] && pathLike(f.Value, false) {
			out = append(out, f.Value)
		}
		if textFlags[f.Name] && f.Next != "" {
			if i := slices.Index(operands, f.Next); i >= 0 {
				operands = slices.Delete(slices.Clone(operands), i, i+1)
			}
			pattern = pattern && f.Name != "-e" && f.Name != "--regexp"
		}
	}
	bare := !shell.HasSubcommands(c.Program)
	for i, o := range operands {
		if i == 0 && pattern {
			continue
		}
		if rev, file, ok := strings.Cut(o, ":"); ok && c.Program == "git" && rev != "" && file != "" {
			o = file
		}
		if pathLike(o, bare) {
			out = append(out, o)
		}
	}
	return out
}

// pathLike says whether a word can be a file's path. A bare word counts where
// the program takes files.
func pathLike(w string, bare bool) bool {
	if w == "" || len(w) > maxPathLen || strings.ContainsAny(w, " \t\n\"'`$(){}<>|;") || strings.Contains(w, "://") {
		return false
	}
	return bare || strings.ContainsAny(w, "./")
}

// keywordText returns what keywords are looked for in: the recent messages and
// the prompt, folded.
func (p *prepared) keywordText() string {
	if !p.folded {
		p.folded = true
		p.recent = fold(tail(strings.Join(append(slices.Clone(p.Recent), p.Prompt), "\n"), maxText))
	}
	return p.recent
}
