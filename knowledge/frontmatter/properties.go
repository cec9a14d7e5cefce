package frontmatter

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
)

// Properties is the front matter of any Markdown file, read behind the same gate as
// that of lessons.
type Properties struct {
	Values map[string]any // texts, numbers, lists and mappings, as YAML has them
	Lines  map[string]int // 1-based line of each key
	Body   int            // first byte behind it; 0: there is none
	Line   int            // 1-based line of that byte
}

// ReadProperties reads front matter; a document without any is no error. Errors are
// *[knowledge.ParseError] with path and line.
func ReadProperties(path string, data []byte) (Properties, error) {
	read := Properties{Values: map[string]any{}, Lines: map[string]int{}, Line: 1}
	m, err := Parse(data)
	if err == ErrNone {
		return read, nil
	}
	if err != nil {
		if parse, ok := err.(*knowledge.ParseError); ok {
			parse.Path = path
		}
		return read, err
	}
	read.Body, read.Line = m.Body, knowledge.LineAt(data, m.Body)
	if m.Root == nil {
		return read, nil
	}
	for i := 0; i+1 < len(m.Root.Content); i += 2 {
		key, node := m.Root.Content[i], m.Root.Content[i+1]
		read.Lines[key.Value] = m.LineOf(key)
		read.Values[key.Value] = plainValue(node)
	}
	return read, nil
}

// plainValue is a node as texts, lists and mappings: what only looks like a
// number or a date stays the text that it is.
func plainValue(n *yaml.Node) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		return append(list, lists.Map(n.Content, plainValue)...)
	case yaml.MappingNode:
		values := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			values[n.Content[i].Value] = plainValue(n.Content[i+1])
		}
		return values
	}
	if n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// Text returns the value of the first of the keys that has one, a list joined by
// commas.
func (m Properties) Text(keys ...string) string { return strings.Join(m.List(keys...), ", ") }

// List returns the texts of the first of the keys that has any.
func (m Properties) List(keys ...string) []string {
	for _, key := range keys {
		var list []string
		switch v := m.Values[key].(type) {
		case string:
			list = []string{v}
		case []any:
			for _, item := range v {
				if text, ok := item.(string); ok {
					list = append(list, text)
				}
			}
		}
		if list = slices.DeleteFunc(list, func(s string) bool { return strings.TrimSpace(s) == "" }); len(list) > 0 {
			return list
		}
	}
	return nil
}
