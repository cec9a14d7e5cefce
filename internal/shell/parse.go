package shell

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/lists"
	"mvdan.cc/sh/v3/syntax"
)

// read returns the statements of a line; ok is false when it is no shell, and the
// statements are but a guess.
func read(line string) (all []statement, ok bool) {
	file := parse(line)
	if file == nil {
		return readWords(line), false
	}
	c := converter{line: line}
	return c.list(file.Stmts), true
}

// valid is the part of a line that is read, and whether that is all of it.
func valid(line string) (string, bool) {
	whole := len(line) <= MaxLine
	if !whole {
		line = line[:MaxLine]
	}
	if !utf8.ValidString(line) {
		line = strings.ToValidUTF8(line, "\uFFFD")
	}
	return line, whole
}

// parse returns nil when the line is no shell.
func parse(line string) (file *syntax.File) {
	if opensMany(line) {
		return nil
	}
	defer func() {
		if recover() != nil { // a parser that gives up must not end a hook
			file = nil
		}
	}()
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(line), "")
	parsers.Put(parser) // one that gave up is not used again
	if err != nil {
		return nil
	}
	return file
}

// opensMany says whether a line has more brackets than the parser takes.
func opensMany(line string) bool {
	return len(line) > maxOpenings && strings.Count(line, "(")+strings.Count(line, "[")+strings.Count(line, "{")+strings.Count(line, "`") > maxOpenings
}

var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// converter takes what is wanted of a syntax tree.
type converter struct {
	line  string
	depth int
}

func (c *converter) list(stmts []*syntax.Stmt) []statement {
	out := make([]statement, 0, len(stmts))
	return append(out, lists.Map(stmts, c.statement)...)
}

func (c *converter) statement(s *syntax.Stmt) statement {
	if c.depth == maxDepth {
		return statement{kind: other}
	}
	c.depth++
	defer func() { c.depth-- }()
	out := c.command(s.Cmd)
	out.negated, out.background = s.Negated, s.Background || s.Coprocess || out.background
	if out.kind == simple || out.kind == declaration || len(s.Redirs) > 0 {
		out.source = written(c.line, s)
		c.redirects(&out, s.Redirs)
	}
	return out
}

// command takes what is wanted of a statement but its redirections.
func (c *converter) command(cmd syntax.Command) statement {
	switch cmd := cmd.(type) {
	case *syntax.CallExpr:
		out := statement{words: words(c.line, cmd.Args)}
		for _, a := range cmd.Assigns {
			if text, ok := assignment(a); ok {
				out.assigns = append(out.assigns, text)
			}
			out.inside = c.inside(out.inside, a)
		}
		for i, w := range cmd.Args {
			if out.words[i].dynamic {
				out.inside = c.inside(out.inside, w)
			}
		}
		return out
	case *syntax.DeclClause:
		out := statement{kind: declaration, name: cmd.Variant.Value}
		for _, a := range cmd.Args {
			text, ok := assignment(a)
			out.words = append(out.words, word{text, !ok})
			out.inside = c.inside(out.inside, a)
		}
		return out
	case *syntax.BinaryCmd:
		return c.binary(cmd)
	case *syntax.Block:
		return statement{kind: list, parts: c.list(cmd.Stmts)}
	case *syntax.Subshell:
		return statement{kind: subshell, parts: c.list(cmd.Stmts)}
	case *syntax.IfClause:
		return c.condition(cmd)
	case *syntax.WhileClause:
		return statement{kind: loop, parts: []statement{{kind: list, parts: c.list(cmd.Cond)}, {kind: list, parts: c.list(cmd.Do)}}}
	case *syntax.ForClause:
		out := statement{kind: loop}
		out.parts = c.inside(nil, cmd.Loop)
		out.parts = append(out.parts, statement{kind: list, parts: c.list(cmd.Do)})
		return out
	case *syntax.TimeClause:
		out := statement{kind: list}
		if cmd.Stmt != nil {
			out.parts = c.list([]*syntax.Stmt{cmd.Stmt})
		}
		return out
	case *syntax.FuncDecl:
		out := statement{kind: function, parts: c.list([]*syntax.Stmt{cmd.Body})}
		if cmd.Name != nil {
			out.name = cmd.Name.Value
		}
		return out
	case nil:
		return statement{kind: quiet}
	}
	out := statement{kind: other}
	switch cmd.(type) {
	case *syntax.TestClause:
		out.kind = test
	case *syntax.LetClause, *syntax.ArithmCmd:
		out.kind = quiet
	case *syntax.CoprocClause:
		out.background = true
	}
	out.parts = c.inside(nil, cmd)
	return out
}

// binary reads "a && b || c" as one chain, and "a | b | c" as one pipeline.
func (c *converter) binary(b *syntax.BinaryCmd) statement {
	out := statement{kind: chain}
	isPipe := b.Op == syntax.Pipe || b.Op == syntax.PipeAll
	if isPipe {
		out.kind = pipeline
	}
	for {
		last := c.statement(b.Y)
		last.joined = b.Op.String()
		out.parts = append(out.parts, last)
		left, ok := b.X.Cmd.(*syntax.BinaryCmd)
		if !ok || (left.Op == syntax.Pipe || left.Op == syntax.PipeAll) != isPipe || b.X.Negated {
			break
		}
		b = left
	}
	out.parts = append(out.parts, c.statement(b.X))
	slices.Reverse(out.parts)
	return out
}

func (c *converter) condition(cmd *syntax.IfClause) statement {
	out := statement{kind: condition}
	for ; cmd != nil; cmd = cmd.Else {
		if len(cmd.Cond) > 0 {
			out.parts = append(out.parts, statement{kind: list, parts: c.list(cmd.Cond)})
		}
		out.parts = append(out.parts, statement{kind: list, parts: c.list(cmd.Then)})
	}
	return out
}

// inside appends the statements that stand inside of words and of what else is no
// statement itself.
func (c *converter) inside(parts []statement, n syntax.Node) []statement {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			parts = append(parts, statement{kind: substitution, parts: c.list(n.Stmts)})
		case *syntax.ProcSubst:
			parts = append(parts, statement{kind: substitution, parts: c.list(n.Stmts)})
		case *syntax.Stmt:
			parts = append(parts, c.statement(n))
		default:
			return true
		}
		return false
	})
	return parts
}

// redirects adds the files of redirections, and the text that comes in by a
// heredoc or a here-string.
func (c *converter) redirects(out *statement, all []*syntax.Redirect) {
	for _, r := range all {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil {
				out.stdin = heredoc(c.line, r.Hdoc)
			}
		case syntax.WordHdoc:
			out.stdin, _ = literal(r.Word)
		case syntax.DplIn, syntax.DplOut:
		default:
			if target, ok := literal(r.Word); ok && target != "" {
				out.redirects = append(out.redirects, target)
			}
		}
		out.inside = c.inside(out.inside, r)
	}
}

// heredoc returns the text of a heredoc's body.
func heredoc(line string, body *syntax.Word) string {
	var b strings.Builder
	for _, part := range body.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			b.WriteString(lit.Value)
		} else {
			b.WriteString(source(line, part))
		}
	}
	return b.String()
}

// written is a statement as it stands in the line, without the bodies of
// heredocs: they are data.
func written(line string, s *syntax.Stmt) string {
	var parts []string
	if s.Cmd != nil {
		parts = append(parts, source(line, s.Cmd))
	}
	for _, r := range s.Redirs {
		if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc {
			parts = append(parts, source(line, r))
		}
	}
	return strings.Join(parts, " ")
}

func source(line string, n syntax.Node) string {
	return part(line, int(n.Pos().Offset()), int(n.End().Offset()))
}

// part is a piece of a line without a separator behind it.
func part(line string, from, to int) string {
	if from < 0 || to > len(line) || from > to {
		return ""
	}
	return strings.TrimRight(line[from:to], "; \n")
}
