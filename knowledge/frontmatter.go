package knowledge

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"
)

// Limits of front matter. They hold before any parser sees it.
const (
	maxFrontMatter = 16 << 10 // bytes
	maxKeys        = 64       // in all mappings together
	maxDepth       = 6        // nested collections
)

// ParseError says why a file cannot be read. Line is 1-based; 0 means the whole
// file.
type ParseError struct {
	Path string
	Line int
	Text string
}

func (e *ParseError) Error() string {
	switch {
	case e.Path == "" && e.Line == 0:
		return e.Text
	case e.Path == "":
		return fmt.Sprintf("line %d: %s", e.Line, e.Text)
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.Path, e.Text)
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Text)
}

// Problem returns the error as a problem of the given rule.
func (e *ParseError) Problem(rule string) Problem {
	return Problem{Path: e.Path, Line: e.Line, Rule: rule, Text: e.Text}
}

// errNoFrontMatter says that a document does not start with front matter.
var errNoFrontMatter = errors.New("no front matter: the first line is not ---")

// matter is a document taken apart. Offsets are into the document's bytes.
type matter struct {
	start, end int        // the YAML between the two --- lines
	body       int        // first byte behind the closing line
	root       *yaml.Node // the mapping; nil when it is empty
}

// lineOf returns the document's line of a node: line 1 is the opening ---.
func (m matter) lineOf(n *yaml.Node) int { return n.Line + 1 }

// parseMatter reads front matter behind the gate. Errors are *ParseError
// without a path, or errNoFrontMatter.
func parseMatter(data []byte) (matter, error) {
	m, err := findMatter(data)
	if err != nil {
		return m, err
	}
	head := data[m.start:m.end]
	if err := gateBytes(head); err != nil {
		return m, err
	}
	decode := func(text []byte, into any) error {
		var doc yaml.Node
		if err := yaml.Unmarshal(text, &doc); err != nil {
			return yamlError(err)
		}
		if len(doc.Content) == 0 {
			return nil
		}
		*into.(**yaml.Node) = doc.Content[0]
		return nil
	}
	// Only the gated part goes to the library, in its plainest form, so that the
	// lines that it takes for delimiters are those found above.
	plain := append([]byte("---\n"), NormaliseLines(head)...)
	if len(head) > 0 && head[len(head)-1] != '\n' {
		plain = append(plain, '\n')
	}
	plain = append(plain, "---\n"...)
	if _, err := frontmatter.MustParse(bytes.NewReader(plain), &m.root, frontmatter.NewFormat("---", "---", decode)); err != nil {
		var parse *ParseError
		if errors.As(err, &parse) {
			return m, err
		}
		return m, &ParseError{Line: 1, Text: err.Error()}
	}
	if m.root == nil {
		return m, nil
	}
	if m.root.Kind != yaml.MappingNode {
		return m, &ParseError{Line: m.lineOf(m.root), Text: "front matter is not a list of keys with values"}
	}
	keys := 0
	return m, gateNode(m, m.root, 1, &keys)
}

// findMatter finds the lines --- that enclose front matter.
func findMatter(data []byte) (matter, error) {
	at := len(data) - len(bytes.TrimPrefix(data, byteOrderMark))
	first, next := lineAt(data, at)
	if string(bytes.TrimRight(first, " \t")) != "---" {
		return matter{}, errNoFrontMatter
	}
	m := matter{start: next}
	for pos := next; pos < len(data); {
		line, after := lineAt(data, pos)
		if text := string(bytes.TrimSpace(line)); text == "---" || (text == "..." && line[0] == '.') {
			m.end, m.body = pos, after
			if text != "---" {
				return m, &ParseError{Line: 1 + bytes.Count(data[:pos], []byte("\n")), Text: "front matter must end with ---"}
			}
			return m, nil
		}
		if after-m.start > maxFrontMatter {
			return m, &ParseError{Line: 1, Text: fmt.Sprintf("front matter is longer than %d bytes", maxFrontMatter)}
		}
		pos = after
	}
	return m, &ParseError{Line: 1, Text: "front matter is not closed by a line ---"}
}

// lineAt returns the line at the offset without its end, and the offset of the
// next line.
func lineAt(data []byte, at int) ([]byte, int) {
	i := bytes.IndexByte(data[at:], '\n')
	if i < 0 {
		return data[at:], len(data)
	}
	return bytes.TrimSuffix(data[at:at+i], []byte("\r")), at + i + 1
}

// gateBytes refuses what no honest front matter contains, line by line, before
// the YAML parser runs.
func gateBytes(head []byte) error {
	if len(head) > maxFrontMatter {
		return &ParseError{Line: 1, Text: fmt.Sprintf("front matter is longer than %d bytes", maxFrontMatter)}
	}
	line := 2
	for text := range bytes.Lines(head) {
		switch {
		case !utf8.Valid(text):
			return &ParseError{Line: line, Text: "front matter is not UTF-8"}
		case bytes.HasPrefix(text, []byte("<<<<<<< ")):
			return &ParseError{Line: line, Text: "a merge conflict was left here"}
		case bytes.IndexByte(text, 0) >= 0:
			return &ParseError{Line: line, Text: "front matter contains a NUL character"}
		case bytes.IndexByte(bytes.TrimSuffix(text, []byte("\r\n")), '\r') >= 0 || bytes.ContainsAny(text, "\u0085\u2028\u2029"):
			return &ParseError{Line: line, Text: "front matter contains a line break that editors do not show as one"}
		case bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxKeys:
			return &ParseError{Line: line, Text: "front matter is nested too deeply"}
		}
		line++
	}
	return nil
}

// gateNode refuses aliases, anchors, tags, deep nesting, too many and double
// keys. The node tree does not expand aliases, so its size is that of the text.
func gateNode(m matter, n *yaml.Node, depth int, keys *int) error {
	fail := func(at *yaml.Node, text string) error { return &ParseError{Line: m.lineOf(at), Text: text} }
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return fail(n, "anchors and aliases are not allowed in front matter")
	case n.Style&yaml.TaggedStyle != 0:
		return fail(n, "tags such as "+n.Tag+" are not allowed in front matter")
	case depth > maxDepth:
		return fail(n, "front matter is nested too deeply")
	}
	if n.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if *keys++; *keys > maxKeys {
				return fail(key, fmt.Sprintf("front matter has more than %d keys", maxKeys))
			}
			if key.Kind != yaml.ScalarNode {
				return fail(key, "a key of front matter is not a word")
			}
			name := camelCase(key.Value)
			if seen[name] || key.Value == "<<" {
				return fail(key, fmt.Sprintf("key %q stands twice", key.Value))
			}
			seen[name] = true
		}
	}
	for _, child := range n.Content {
		if err := gateNode(m, child, depth+1, keys); err != nil {
			return err
		}
	}
	return nil
}

// yamlError turns the parser's message into ours.
func yamlError(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &ParseError{Line: 1, Text: text}
	var line int
	if n, _ := fmt.Sscanf(text, "line %d:", &line); n == 1 {
		e.Line = line + 1
		_, e.Text, _ = strings.Cut(text, ": ")
	}
	return e
}

// camelCase turns snake_case into camelCase; other keys stay as they are.
func camelCase(key string) string {
	if !strings.Contains(key, "_") {
		return key
	}
	parts := strings.Split(key, "_")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" && parts[0] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}
