package transcript

import (
	"path"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// shellEnd is what the form of a command line says about its exit status.
type shellEnd struct {
	masked bool       // a failure inside does not show in the status
	last   [][]string // words of the commands whose status it can be; nil when that cannot be told
}

// maxShell is the longest command line that is parsed, in bytes. Of a longer
// one nothing is known.
const maxShell = 16 << 10

// readShell looks at a command line. What cannot be parsed hides its status if
// it has a pipe or an alternative.
func readShell(line string) shellEnd {
	if strings.TrimSpace(line) == "" {
		return shellEnd{}
	}
	if len(line) > maxShell {
		return shellEnd{masked: true}
	}
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(line), "")
	parsers.Put(parser)
	if err != nil {
		return shellEnd{masked: strings.Contains(line, "|")}
	}
	s := shellState{}
	masked := s.list(file.Stmts)
	if s.unclear {
		s.last = nil
	}
	return shellEnd{masked: masked, last: s.last}
}

var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// shellState is what was learned on the way through a command line.
type shellState struct {
	errexit, pipefail bool
	last              [][]string
	unclear           bool
}

// list reads statements that follow each other: only the last one's status is
// seen, unless "set -e" is on.
func (s *shellState) list(stmts []*syntax.Stmt) (masked bool) {
	for i, st := range stmts {
		s.last, s.unclear = nil, false
		hides := s.stmt(st)
		if i == len(stmts)-1 {
			return masked || hides
		}
		masked = masked || hides || !s.errexit && !s.harmless()
	}
	return masked
}

// harmless says whether the statement just read consists of commands whose
// failure does not matter.
func (s *shellState) harmless() bool {
	return !s.unclear && !slices.ContainsFunc(s.last, func(words []string) bool { return !harmless[words[0]] })
}

// harmless are commands that prepare or print.
var harmless = map[string]bool{
	"cd": true, "pushd": true, "popd": true, "export": true, "set": true, "unset": true, "source": true, ".": true, "echo": true, "printf": true,
	"true": true, ":": true, "sleep": true, "mkdir": true, "rm": true, "touch": true, "pwd": true, "alias": true, "trap": true, "ulimit": true,
	"umask": true, "shopt": true, "date": true, "clear": true, "local": true, "declare": true, "readonly": true, "wait": true, "kill": true, "pkill": true,
}

// stmt reads one statement, adds the commands whose status it can have to
// s.last, and says whether it hides a failure.
func (s *shellState) stmt(st *syntax.Stmt) bool {
	if st.Background || st.Coprocess {
		s.unclear = true
		return true
	}
	if st.Negated {
		s.unclear = true
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		s.call(c)
		return false
	case *syntax.BinaryCmd:
		return s.binary(c)
	case *syntax.Block:
		return s.list(c.Stmts)
	case *syntax.Subshell:
		return s.list(c.Stmts)
	case *syntax.TimeClause:
		return c.Stmt != nil && s.stmt(c.Stmt)
	case *syntax.IfClause:
		return s.conditional(c)
	case *syntax.ForClause:
		return s.loop(c.Do)
	case *syntax.WhileClause:
		return s.loop(c.Do)
	case *syntax.TestClause:
		s.last = append(s.last, []string{"test"})
		return false
	case nil, *syntax.FuncDecl, *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd:
		return false
	}
	s.unclear = true
	return true
}

func (s *shellState) binary(b *syntax.BinaryCmd) bool {
	switch b.Op {
	case syntax.AndStmt:
		left := s.stmt(b.X)
		return s.stmt(b.Y) || left
	case syntax.OrStmt:
		return s.alternative(b)
	}
	producer := shellState{}
	hides := producer.stmt(b.X)
	quiet := producer.harmless() && !hides
	if s.pipefail {
		s.unclear = true
	}
	return s.stmt(b.Y) || !s.pipefail && !quiet
}

// alternative reads "X || Y". Whether X failed can be seen only when Y fails by
// intention.
func (s *shellState) alternative(b *syntax.BinaryCmd) bool {
	other := shellState{}
	other.stmt(b.Y)
	for _, words := range other.last {
		switch words[0] {
		case "exit", "return", "false":
			return s.stmt(b.X)
		}
	}
	s.unclear = true
	return true
}

// conditional reads an if: the status of its condition is always hidden.
func (s *shellState) conditional(c *syntax.IfClause) bool {
	masked := false
	for ; c != nil; c = c.Else {
		cond, then := shellState{}, shellState{}
		hides := cond.list(c.Cond)
		for _, words := range cond.last {
			hides = hides || !harmless[words[0]] && !answers[words[0]]
		}
		masked = masked || hides || cond.unclear || then.list(c.Then)
	}
	s.unclear = true
	return masked
}

// loop reads a loop: the status of all rounds but the last is hidden.
func (s *shellState) loop(body []*syntax.Stmt) bool {
	in := shellState{}
	hides := in.list(body)
	s.unclear = true
	return hides || !in.harmless()
}

// call reads a simple command.
func (s *shellState) call(c *syntax.CallExpr) {
	words := make([]string, 0, len(c.Args))
	for _, w := range c.Args {
		words = append(words, wordText(w))
	}
	words = unwrap(words)
	if len(words) == 0 {
		return // assignments
	}
	words[0] = path.Base(words[0])
	if words[0] == "set" {
		for i, w := range words[1:] {
			short := strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--")
			s.errexit = s.errexit || short && strings.Contains(w, "e")
			s.pipefail = s.pipefail || w == "pipefail" && i > 0
		}
	}
	s.last = append(s.last, words)
}

// wordText returns a word's value as far as it is written down.
func wordText(w *syntax.Word) string {
	var b strings.Builder
	var parts func([]syntax.WordPart)
	parts = func(list []syntax.WordPart) {
		for _, p := range list {
			switch p := p.(type) {
			case *syntax.Lit:
				b.WriteString(p.Value)
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				parts(p.Parts)
			}
		}
	}
	parts(w.Parts)
	if b.Len() == 0 {
		return "?"
	}
	return b.String()
}

// unwrap takes programs off the front that run another one.
func unwrap(words []string) []string {
	for len(words) > 1 {
		if words[0] == "command" && strings.HasPrefix(words[1], "-") {
			return words // asks where a program is
		}
		switch path.Base(words[0]) {
		case "sudo", "command", "nohup", "time", "nice", "env", "exec", "stdbuf", "builtin":
			words = words[1:]
			for len(words) > 1 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
				words = words[1:]
			}
		case "timeout":
			words = words[1:]
			for len(words) > 1 && strings.HasPrefix(words[0], "-") {
				words = words[1:]
			}
			words = words[1:]
		default:
			return words
		}
	}
	return words
}
