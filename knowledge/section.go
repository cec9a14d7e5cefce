package knowledge

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Section is a heading of a Markdown document with what stands below it, up to
// the next heading of any level. The text before the first heading has level 0
// and no title. A heading inside of a code block, a quote or a list is none.
type Section struct {
	Level int
	Title string
	Line  int // 1-based line of the heading
	Text  string
}

// ReadSections takes a Markdown document apart. Line says in which line of its
// file the document begins; line ends in texts are LF.
func ReadSections(data []byte, line int) []Section {
	heads := readMarkdown(data).headings()
	end := len(data)
	if len(heads) > 0 {
		end = heads[0].start
	}
	all := []Section{{Line: line, Text: string(NormaliseLines(data[:end]))}}
	at, counted := line, 0
	for i, h := range heads {
		end := len(data)
		if i+1 < len(heads) {
			end = heads[i+1].start
		}
		at += bytes.Count(data[counted:h.start], []byte("\n"))
		counted = h.start
		title := strings.Join(strings.Fields(h.text), " ")
		all = append(all, Section{h.level, title, at, string(NormaliseLines(data[h.end:max(end, h.end)]))})
	}
	return all
}

// Matter is the front matter of any Markdown file, read behind the same gate as
// that of lessons.
type Matter struct {
	Values map[string]any // texts, numbers, lists and mappings, as YAML has them
	Lines  map[string]int // 1-based line of each key
	Body   int            // first byte behind it; 0: there is none
	Line   int            // 1-based line of that byte
}

// ReadMatter reads front matter; a document without any is no error. Errors are
// *[ParseError] with path and line.
func ReadMatter(path string, data []byte) (Matter, error) {
	read := Matter{Values: map[string]any{}, Lines: map[string]int{}, Line: 1}
	m, err := parseMatter(data)
	if err == errNoFrontMatter {
		return read, nil
	}
	if err != nil {
		if parse, ok := err.(*ParseError); ok {
			parse.Path = path
		}
		return read, err
	}
	read.Body, read.Line = m.body, 1+bytes.Count(data[:m.body], []byte("\n"))
	if m.root == nil {
		return read, nil
	}
	for i := 0; i+1 < len(m.root.Content); i += 2 {
		key, node := m.root.Content[i], m.root.Content[i+1]
		read.Lines[key.Value] = m.lineOf(key)
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
		for _, item := range n.Content {
			list = append(list, plainValue(item))
		}
		return list
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
func (m Matter) Text(keys ...string) string { return strings.Join(m.List(keys...), ", ") }

// List returns the texts of the first of the keys that has any.
func (m Matter) List(keys ...string) []string {
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
