package inject

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Run is one simple command of a command line, as a trace holds it.
type Run struct {
	Name   string   `json:"name"`             // program and sub-command: "go test"
	Words  []string `json:"words,omitempty"`  // keyed hashes of flags and operands
	Masked bool     `json:"masked,omitempty"` // the line's result does not tell this command's
}

const (
	maxRuns     = 8
	maxRunWords = 24
)

// idle are flags with which a test or build command does not do its work.
var idle = []string{"--help", "--version", "--dry-run", "--collect-only", "--co", "--listTests", "--list-tests", "--no-run", "-list", "--setup-plan"}

// Runs takes a command line apart for a trace. Commands that only say something
// about themselves, as with --help, are left out.
//
// A command counts as passed when the line's success proves it: in "a && b" both,
// in "a; b" and "a | b" the last, in "a || b" and "! a" neither.
func (s *Session) Runs(line string) []Run {
	var runs []Run
	for _, part := range proofs(line) {
		commands := shell.Parse(part.text).All
		masked := part.masked || runsSeveral(commands)
		for _, c := range commands {
			if c.Wrapper || c.Program == "" || isIdle(c) || len(runs) == maxRuns {
				continue
			}
			runs = append(runs, Run{Name: plainName(c), Words: s.words(c), Masked: masked})
		}
	}
	return runs
}

// runsSeveral: a wrapper such as bash -c runs more than one command, so its
// result is not that of each.
func runsSeveral(commands []*shell.Command) bool {
	real := 0
	for _, c := range commands {
		if !c.Wrapper && c.Program != "" {
			real++
		}
		if c.Wrapper && slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "eval"}, c.Program) && strings.ContainsAny(c.Source, "|&;!") {
			return true
		}
	}
	return real > 1
}

func isIdle(c *shell.Command) bool {
	return slices.ContainsFunc(c.Flags, func(f shell.Flag) bool { return slices.Contains(idle, f.Name) })
}

// plainName is a command's name where it looks like one; a word that could be
// anything is not stored.
func plainName(c *shell.Command) string {
	for _, r := range c.Program {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-", r) {
			return "?"
		}
	}
	if len(c.Program) > 40 {
		return "?"
	}
	return telling(c.Name())
}

// words are the keyed hashes of a command's flags and operands, each flag also
// without its value.
func (s *Session) words(c *shell.Command) []string {
	var out []string
	add := func(kind, text string) {
		if h := s.word(kind, text); len(out) < maxRunWords && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	for _, f := range c.Flags {
		add("flag", f.Name)
		if f.HasValue {
			add("flag", f.Name+"="+f.Value)
		}
	}
	for _, o := range c.Operands {
		add("operand", o)
	}
	return out
}

func (s *Session) word(kind, text string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(mac.Sum(nil)[:6])
}

// ran says whether a run is what a gate's command asks for: the same program and
// sub-command, with at least its flags and operands.
func (s *Session) ran(r Run, want *shell.Command) bool {
	if r.Name != want.Name() && !strings.HasPrefix(r.Name, want.Name()+" ") {
		return false
	}
	for _, f := range want.Flags {
		text := f.Name
		if f.HasValue {
			text += "=" + f.Value
		}
		if !slices.Contains(r.Words, s.word("flag", text)) {
			return false
		}
	}
	for _, o := range want.Operands {
		if !slices.Contains(r.Words, s.word("operand", o)) {
			return false
		}
	}
	return true
}

// proof is a simple command's text, and whether the line's result hides its.
type proof struct {
	text   string
	masked bool
}

// proofs lists the simple commands of a line in order. A line that is no shell is
// one command whose result is the line's.
func proofs(line string) []proof {
	if len(line) > shell.MaxLine || strings.Count(line, "(")+strings.Count(line, "{")+strings.Count(line, "[") > 200 {
		return nil // too large to be evidence
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return []proof{{text: line, masked: strings.ContainsAny(line, "|;&\n")}}
	}
	p := prover{line: line}
	p.list(file.Stmts, false)
	return p.found
}

type prover struct {
	line     string
	found    []proof
	errexit  bool // set -e
	pipefail bool
}

// list is a sequence of statements: the last decides, under set -e each that is
// no "a && b", because there a failure of a goes on.
func (p *prover) list(stmts []*syntax.Stmt, masked bool) {
	for i, s := range stmts {
		chain, ok := s.Cmd.(*syntax.BinaryCmd)
		ok = ok && chain.Op == syntax.AndStmt
		p.stmt(s, masked || i < len(stmts)-1 && (!p.errexit || ok))
	}
}

func (p *prover) stmt(s *syntax.Stmt, masked bool) {
	masked = masked || s.Negated || s.Background || s.Coprocess
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		p.set(cmd)
		p.add(cmd, masked)
	case *syntax.BinaryCmd:
		switch cmd.Op {
		case syntax.AndStmt:
			p.stmt(cmd.X, masked)
			p.stmt(cmd.Y, masked)
		case syntax.Pipe, syntax.PipeAll:
			p.stmt(cmd.X, masked || !p.pipefail)
			p.stmt(cmd.Y, masked)
		default:
			p.stmt(cmd.X, true)
			p.stmt(cmd.Y, true)
		}
	case *syntax.Block:
		p.list(cmd.Stmts, masked)
	case *syntax.Subshell:
		inner := *p
		inner.found = nil
		inner.list(cmd.Stmts, masked)
		p.found = append(p.found, inner.found...)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			p.stmt(cmd.Stmt, masked)
		}
	case nil:
	default: // loops, conditions and functions decide in ways of their own
		syntax.Walk(cmd, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok {
				p.add(call, true)
			}
			return !substitutes(n)
		})
	}
}

// add notes a command. What a substitution in it runs is nobody's evidence: a
// variable stands for it.
func (p *prover) add(call *syntax.CallExpr, masked bool) {
	if len(call.Args) == 0 {
		return
	}
	var b strings.Builder
	at, end := call.Pos().Offset(), call.End().Offset()
	syntax.Walk(call, func(n syntax.Node) bool {
		if n == nil || !substitutes(n) {
			return true
		}
		b.WriteString(p.line[at:n.Pos().Offset()] + "$_")
		at = n.End().Offset()
		return false
	})
	p.found = append(p.found, proof{b.String() + p.line[at:end], masked})
}

func substitutes(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.CmdSubst, *syntax.ProcSubst:
		return true
	}
	return false
}

// set notes the shell options that change what a result proves.
func (p *prover) set(call *syntax.CallExpr) {
	if len(call.Args) < 2 || call.Args[0].Lit() != "set" {
		return
	}
	for i, a := range call.Args[1:] {
		switch word := a.Lit(); {
		case word == "pipefail" && strings.HasSuffix(call.Args[i].Lit(), "o") && strings.HasPrefix(call.Args[i].Lit(), "-"):
			p.pipefail = true
		case strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, "e"):
			p.errexit = true
		case strings.HasPrefix(word, "+"):
			p.errexit, p.pipefail = false, false
		}
	}
}
