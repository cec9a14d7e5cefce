package scan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/automata"
)

// Every expression of a detector, as far as it is written in one place, is asked of an automaton.
func TestNoExpressionIsLeftToRegexp(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, raw, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || strings.HasSuffix(name, "_test.go") {
				return true
			}
			to, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || to.Sel.Name != "New" {
				return true
			}
			if of, ok := to.X.(*ast.Ident); !ok || of.Name != "automata" {
				return true
			}
			if expr, ok := written(call.Args[0]); ok {
				if known++; !automata.New(expr).Fast() {
					t.Errorf("%s: %s", name, expr)
				}
			}
			return true
		})
	}
	if known < 50 {
		t.Errorf("only %d expressions", known)
	}
}

// written is the text of a constant that names no other.
func written(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		left, known := written(e.X)
		right, ok := written(e.Y)
		return left + right, known && ok
	}
	return "", false
}
