package knowledge

import (
	"bytes"
	"cmp"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// EditFrontMatter sets one top-level key of a document's front matter to a text,
// and leaves every other byte as it is: comments, order, spelling, line ends,
// body. A key that is there in the other spelling (snake_case or camelCase) is
// the one that is set; a key that is not there is added as the last one. It
// refuses a document whose front matter cannot be read.
func EditFrontMatter(data []byte, key, value string) ([]byte, error) {
	m, err := parseMatter(data)
	if err != nil {
		return nil, err
	}
	var edited []byte
	if i := m.find(key); i >= 0 {
		edited, err = m.replace(data, i, value)
	} else {
		edited, err = m.add(data, key, value), nil
	}
	if err != nil {
		return nil, err
	}
	return edited, m.verify(edited, key, value)
}

// find returns the index of the key's node in the mapping, or -1.
func (m matter) find(key string) int {
	if m.root == nil {
		return -1
	}
	for i := 0; i+1 < len(m.root.Content); i += 2 {
		if camelCase(m.root.Content[i].Value) == camelCase(key) {
			return i
		}
	}
	return -1
}

// add puts the key behind the last line of the front matter.
func (m matter) add(data []byte, key, value string) []byte {
	eol := "\n"
	if m.start >= 2 && data[m.start-2] == '\r' {
		eol = "\r\n"
	}
	line := yamlScalar(key) + ": " + yamlScalar(value) + eol
	return bytes.Join([][]byte{data[:m.end], []byte(line), data[m.end:]}, nil)
}

// replace exchanges the value of the key at index i.
func (m matter) replace(data []byte, i int, value string) ([]byte, error) {
	key := m.root.Content[i]
	if m.root.Style&yaml.FlowStyle != 0 {
		return nil, &ParseError{Line: m.lineOf(key), Text: "front matter in braces cannot be edited in place"}
	}
	start := m.behindColon(data, key)
	if start == 0 {
		return nil, &ParseError{Line: m.lineOf(key), Text: fmt.Sprintf("key %q cannot be edited in place", key.Value)}
	}
	end := m.valueEnd(data, i, start)
	return bytes.Join([][]byte{data[:start], []byte(" " + yamlScalar(value)), data[end:]}, nil), nil
}

// behindColon returns the offset behind the colon of a key; 0 where the key is
// written with escapes.
func (m matter) behindColon(data []byte, key *yaml.Node) int {
	at := m.offset(data, key) + len(key.Value)
	if key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at += len(`""`)
	}
	line, _ := lineAt(data, min(at, len(data)))
	gap := bytes.IndexByte(line, ':')
	if gap < 0 || len(bytes.TrimSpace(line[:gap])) > 0 {
		return 0
	}
	return at + gap + 1
}

// valueEnd returns the offset behind the value of the key at index i: before the
// next key with the comments and empty lines in front of it and, where the value
// stands on one line, before the comment behind it.
func (m matter) valueEnd(data []byte, i, start int) int {
	key, value := m.root.Content[i], m.root.Content[i+1]
	end := m.trimComments(data, start, m.nextKey(data, i))
	line, _ := lineAt(data, start)
	if end > start+len(line) {
		return end
	}
	if value.Kind == yaml.ScalarNode && value.Value == "" && value.Style == 0 {
		line, _, _ = bytes.Cut(line, []byte("#"))
	} else if at := bytes.LastIndex(line, []byte(cmp.Or(value.LineComment, key.LineComment))); at >= 0 {
		line = line[:at]
	}
	return start + len(bytes.TrimRight(line, " \t"))
}

// nextKey returns where the line of the key behind the one at index i begins, or
// the front matter ends.
func (m matter) nextKey(data []byte, i int) int {
	if i+2 < len(m.root.Content) {
		return m.lineStart(data, m.root.Content[i+2].Line)
	}
	return m.end
}

// trimComments gives back the empty lines and comments at the end of a region,
// and its last line end.
func (m matter) trimComments(data []byte, start, end int) int {
	for end > start {
		before := bytes.LastIndexByte(data[:end-1], '\n') + 1
		text := bytes.TrimSpace(data[max(before, start):end])
		if before <= start || (len(text) > 0 && text[0] != '#') {
			return start + len(bytes.TrimRight(data[start:end], "\r\n"))
		}
		end = before
	}
	return end
}

func (m matter) lineStart(data []byte, line int) int {
	at := m.start
	for ; line > 1 && at < m.end; line-- {
		_, at = lineAt(data, at)
	}
	return at
}

// offset returns the place of a node. Columns count characters.
func (m matter) offset(data []byte, n *yaml.Node) int {
	at := m.lineStart(data, n.Line)
	line, _ := lineAt(data, at)
	column := 1
	for i := range string(line) {
		if column == n.Column {
			return at + i
		}
		column++
	}
	return at + len(line)
}

// verify makes sure that an edit did what it should and nothing else.
func (m matter) verify(edited []byte, key, value string) error {
	after, err := parseMatter(edited)
	if err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	i := after.find(key)
	if i < 0 || after.root.Content[i+1].Value != value || len(after.root.Content) < m.size() {
		return &ParseError{Line: 1, Text: fmt.Sprintf("key %q cannot be edited in place", key)}
	}
	for j := 0; j < m.size(); j += 2 {
		k := m.root.Content[j]
		if k.Value != after.root.Content[j].Value || (j != i && !sameNode(m.root.Content[j+1], after.root.Content[j+1])) {
			return &ParseError{Line: m.lineOf(k), Text: fmt.Sprintf("setting %q would change %q", key, k.Value)}
		}
	}
	return nil
}

func (m matter) size() int {
	if m.root == nil {
		return 0
	}
	return len(m.root.Content)
}

func sameNode(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameNode(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
