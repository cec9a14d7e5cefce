// frontmatter Package frontmatter reads the front matter of Markdown files within limits, and
// changes single values of it.
package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Limits of front matter. They hold before any parser sees it.
const (
	maxFrontMatter = 16 << 10 // bytes
	maxKeys        = 64       // in all mappings together
	maxDepth       = 6        // nested collections
)

// ErrNone says that a document does not start with front matter.
var ErrNone = errors.New("no front matter: the first line is not ---")

// Matter is a document taken apart. Offsets are into the document's bytes.
type Matter struct {
	Start, End int        // the YAML between the two --- lines
	Body       int        // first byte behind the closing line
	Root       *yaml.Node // the mapping; nil when it is empty
}

// LineOf returns the document's line of a node: line 1 is the opening ---.
func (m Matter) LineOf(n *yaml.Node) int { return n.Line + 1 }

// Parse reads front matter within the limits. Errors are *ParseError
// without a path, or errNoFrontMatter.
func Parse(data []byte) (Matter, error) {
	return readMatter(data, func(head []byte, m any) error { return m.(*Matter).decode(head) })
}

// Find finds front matter, whatever it holds. Of one that is not closed
// it returns the beginning, with the error.
func Find(data []byte) (Matter, error) {
	return readMatter(data, func([]byte, any) error { return nil })
}

func readMatter(data []byte, decode frontmatter.UnmarshalFunc) (Matter, error) {
	at := len(data) - len(bytes.TrimPrefix(data, textfile.ByteOrderMark))
	first, start := textfile.LineAt(data, at)
	if string(bytes.TrimRight(first, " \t")) != "---" {
		return Matter{}, ErrNone
	}
	m := Matter{Start: start, End: min(start+maxFrontMatter, len(data))}
	format := frontmatter.NewFormat("---", "---", func(head []byte, into any) error {
		if len(head) > maxFrontMatter {
			return &knowledge.ParseError{Line: 1, Text: fmt.Sprintf("front matter is longer than %d bytes", maxFrontMatter)}
		}
		m.End = start + len(head)
		return decode(head, into)
	})
	body, err := frontmatter.MustParse(bytes.NewReader(data[at:]), &m, format)
	if err == frontmatter.ErrNotFound {
		err = &knowledge.ParseError{Line: 1, Text: "front matter is not closed by a line ---"}
	}
	m.Body = len(data) - len(body)
	return m, err
}

// decode reads the YAML of front matter.
func (m *Matter) decode(head []byte) error {
	if err := checkBytes(head); err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(head, &doc); err != nil {
		return yamlError(err)
	}
	if len(doc.Content) == 0 {
		return nil
	}
	if m.Root = doc.Content[0]; m.Root.Kind != yaml.MappingNode {
		return &knowledge.ParseError{Line: m.LineOf(m.Root), Text: "front matter is not a list of keys with values"}
	}
	keys := 0
	return m.check(m.Root, 1, &keys)
}

// checkBytes refuses what no honest front matter contains, line by line, before
// the YAML parser runs.
func checkBytes(head []byte) error {
	line := 2
	for text := range bytes.Lines(head) {
		switch {
		case !utf8.Valid(text):
			return &knowledge.ParseError{Line: line, Text: "front matter is not UTF-8"}
		case bytes.HasPrefix(text, []byte("<<<<<<<")):
			return &knowledge.ParseError{Line: line, Text: "a merge conflict was left here"}
		case bytes.HasPrefix(text, []byte("...")) && len(bytes.TrimSpace(text)) == len("..."):
			return &knowledge.ParseError{Line: line, Text: "front matter must end with ---"}
		case bytes.IndexByte(text, 0) >= 0:
			return &knowledge.ParseError{Line: line, Text: "front matter contains a NUL character"}
		case bytes.IndexByte(bytes.TrimSuffix(text, []byte("\r\n")), '\r') >= 0 || bytes.ContainsAny(text, "\u0085\u2028\u2029"):
			return &knowledge.ParseError{Line: line, Text: "front matter contains a line break that editors do not show as one"}
		case bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxKeys:
			return &knowledge.ParseError{Line: line, Text: "front matter is nested too deeply"}
		}
		line++
	}
	return nil
}

// check refuses aliases, anchors, tags, deep nesting, too many and double keys.
// The node tree does not expand aliases, so its size is that of the text.
func (m Matter) check(n *yaml.Node, depth int, keys *int) error {
	fail := func(at *yaml.Node, text string) error { return &knowledge.ParseError{Line: m.LineOf(at), Text: text} }
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
			name := prose.CamelCase(key.Value)
			if seen[name] || key.Value == "<<" {
				return fail(key, fmt.Sprintf("key %q stands twice", key.Value))
			}
			seen[name] = true
		}
	}
	for _, child := range n.Content {
		if err := m.check(child, depth+1, keys); err != nil {
			return err
		}
	}
	return nil
}

// yamlError turns the parser's message into ours.
func yamlError(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &knowledge.ParseError{Line: 1, Text: text}
	var line int
	if n, _ := fmt.Sscanf(text, "line %d:", &line); n == 1 {
		e.Line = line + 1
		_, e.Text, _ = strings.Cut(text, ": ")
	}
	return e
}
