package main

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/alecthomas/kong"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"mvdan.cc/sh/v3/syntax"

	"github.com/lessons-cli/lessons/internal/plain"
)

const repositoryRoot = "../.."

// docPages are the pages that people read, by their path from the root.
func docPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md", "plugins/*/*.md", "npm/*.md"} {
		names, err := fs.Glob(os.DirFS(repositoryRoot), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(repositoryRoot, name))
			if err != nil {
				t.Fatal(err)
			}
			pages[name] = string(data)
		}
	}
	return pages
}

func newGrammar(t *testing.T) *kong.Kong {
	t.Helper()
	parser, err := newParser(&grammar{}, &system{stdout: plain.NewPrinter(io.Discard), stderr: plain.NewPrinter(io.Discard)}, new(bool))
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// The reference in docs is what the program prints.
func TestReferenceIsTheProgramsOwn(t *testing.T) {
	app := newGrammar(t).Model
	commands, rest := &markdownManual{}, &markdownManual{}
	if err := commandsPage(commands, app); err != nil {
		t.Fatal(err)
	}
	if err := topicsPage(rest); err != nil {
		t.Fatal(err)
	}
	pages := docPages(t)
	for name, want := range map[string]string{"docs/commands.md": commands.text(), "docs/reference.md": rest.text()} {
		if pages[name] != want {
			t.Errorf("%s is not what the program says of itself; make docs", name)
		}
	}
}

// Every link of the docs leads to a file that is there, and to a heading that it has.
func TestLinksOfDocs(t *testing.T) {
	pages := docPages(t)
	for name, page := range pages {
		walkMarkdown(page, func(n ast.Node) {
			var to string
			switch n := n.(type) {
			case *ast.Link:
				to = string(n.Destination)
			case *ast.Image:
				to = string(n.Destination)
			default:
				return
			}
			if strings.Contains(to, "://") {
				return
			}
			file, anchor, _ := strings.Cut(to, "#")
			target := name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := os.Stat(filepath.Join(repositoryRoot, target)); err != nil {
				t.Errorf("%s: no file for the link %s", name, to)
			}
			if anchor != "" && !slices.Contains(anchorsOf(pages[target]), anchor) {
				t.Errorf("%s: no heading for the link %s", name, to)
			}
		})
	}
}

// Every lessons command of the docs and of help is one that the program takes.
func TestCommandsInDocs(t *testing.T) {
	parser, n := newGrammar(t), 0
	for name, page := range docPages(t) {
		if name == "CHANGELOG.md" { // tells of the past
			continue
		}
		walkMarkdown(page, func(node ast.Node) {
			script := ""
			switch node := node.(type) {
			case *ast.FencedCodeBlock:
				if lang := string(node.Language([]byte(page))); lang == "sh" || lang == "" {
					script = linesOf(node, page)
				}
			case *ast.CodeSpan:
				script = commandSpan(spanOf(node, page))
			}
			for _, args := range lessonsCalls(script) {
				n++
				if _, err := parser.Parse(dashValues(parser.Model, args)); err != nil {
					t.Errorf("%s: lessons %s: %v", name, strings.Join(args, " "), err)
				}
			}
		})
	}
	if n < 100 {
		t.Errorf("only %d commands were found", n)
	}
}

func TestEveryCommandHasAnExample(t *testing.T) {
	parser := newGrammar(t)
	for _, cmd := range parser.Model.Children {
		if len(examplesOf(cmd)) == 0 && cmd.Name != "mcp" { // which a client starts, as its help shows
			t.Errorf("lessons help %s has no example", cmd.Name)
		}
	}
}

// Every environment variable that the program reads is in help environment.
func TestEnvironmentIsDocumented(t *testing.T) {
	page, err := helpTexts.ReadFile("help/topics/environment.txt")
	if err != nil {
		t.Fatal(err)
	}
	read := regexp.MustCompile(`(?:[eE]nv\(|env: |Variable = |Learning = )"([A-Z_]+)"`)
	err = filepath.WalkDir(repositoryRoot, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.Contains(name, "/test/") || strings.Contains(name, "/tools/") || strings.Contains(name, "/testdata/") {
			return err
		}
		source, err := os.ReadFile(name)
		for _, m := range read.FindAllStringSubmatch(string(source), -1) {
			if !slices.Contains([]string{"HOME", "USER", "PATH"}, m[1]) && !strings.HasPrefix(m[1], "GIT_") && !strings.Contains(string(page), "`"+m[1]+"`") {
				t.Errorf("%s reads %s, which help environment does not name", name, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Topics are read in terminals as they are.
func TestTopicsFitATerminal(t *testing.T) {
	for _, topic := range topics {
		page, err := topic.text()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(page) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > topicWidth {
				t.Errorf("%s: %d columns: %s", topic.name, n, line)
			}
		}
		m := &markdownManual{}
		if err := writeTopic(m, 2, topic); err != nil || !strings.HasPrefix(m.text(), "## ") {
			t.Errorf("%s: %v %.40s", topic.name, err, m.text())
		}
	}
}

// The man page has every command, and groff, where it is, has nothing to say against it.
func TestManPage(t *testing.T) {
	parser, m := newGrammar(t), newRoff()
	if err := manPage(m, parser.Model); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range parser.Model.Children {
		if !strings.Contains(m.text(), "\n.SS "+quoteRoff("lessons "+cmd.Name)+"\n") {
			t.Errorf("no section on %s", cmd.Name)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff here")
	}
	check := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8", "-K", "utf8")
	check.Stdin = strings.NewReader(m.text())
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// examplesOf are the commands in a command's help, as a shell would give them.
func examplesOf(cmd *kong.Node) [][]string {
	m := &markdownManual{}
	writeText(m, 3, cmd.Detail)
	var all [][]string
	page := m.text()
	walkMarkdown(page, func(n ast.Node) {
		if block, ok := n.(*ast.FencedCodeBlock); ok {
			all = append(all, lessonsCalls(linesOf(block, page))...)
		}
	})
	return all
}

// lessonsCalls are the arguments of each lessons command in a shell script.
func lessonsCalls(script string) (calls [][]string) {
	file, err := syntax.NewParser().Parse(strings.NewReader(script), "")
	if err != nil {
		return nil // no shell script
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "lessons" {
			return true
		}
		var args []string
		for _, word := range call.Args[1:] {
			args = append(args, unquoted(word))
		}
		if !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "…") }) {
			calls = append(calls, args)
		}
		return true
	})
	return calls
}

func unquoted(word *syntax.Word) string {
	var b strings.Builder
	for _, part := range word.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					b.WriteString(lit.Value)
				}
			}
		}
	}
	return b.String()
}

func walkMarkdown(page string, visit func(ast.Node)) {
	_ = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader([]byte(page))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}

func linesOf(n ast.Node, page string) string {
	return string(n.Lines().Value([]byte(page)))
}

func spanOf(n ast.Node, page string) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value([]byte(page)))
		}
	}
	return b.String()
}

// commandSpan is a code span that is a whole command: one that only names a command, or has
// brackets for what may be left out, is not.
func commandSpan(span string) string {
	if rest, ok := strings.CutPrefix(span, "lessons "); ok && strings.Contains(rest, " ") && !strings.HasPrefix(rest, "-C ") && !strings.Contains(rest, "[") {
		return span
	}
	return ""
}

// anchorsOf are the names by which GitHub links to a page's headings.
func anchorsOf(page string) (names []string) {
	walkMarkdown(page, func(n ast.Node) {
		heading, ok := n.(*ast.Heading)
		if !ok {
			return
		}
		title := strings.NewReplacer("`", "", "*", "").Replace(strings.TrimSpace(linesOf(heading, page)))
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, title))
	})
	return names
}
