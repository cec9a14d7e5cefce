package frontmatter

import (
	"bytes"
	"cmp"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Edit sets one top-level key of a document's front matter to a text,
// and leaves every other byte as it is: comments, order, spelling, line ends,
// body. A key that is there in the other spelling (snake_case or camelCase) is
// the one that is set; a key that is not there is added as the last one. It
// refuses a document whose front matter cannot be read.
func Edit(data []byte, key, value string) ([]byte, error) {
	m, err := Parse(data)
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

// Has says whether a document's front matter has a key, in either spelling.
func Has(data []byte, key string) bool {
	m, err := Parse(data)
	return err == nil && m.find(key) >= 0
}

// find returns the index of the key's node in the mapping, or -1.
func (m Matter) find(key string) int {
	if m.Root == nil {
		return -1
	}
	for i := 0; i+1 < len(m.Root.Content); i += 2 {
		if prose.CamelCase(m.Root.Content[i].Value) == prose.CamelCase(key) {
			return i
		}
	}
	return -1
}

// add puts the key behind the last line of the front matter.
func (m Matter) add(data []byte, key, value string) []byte {
	eol := "\n"
	if m.Start >= 2 && data[m.Start-2] == '\r' {
		eol = "\r\n"
	}
	line := Scalar(key) + ": " + Scalar(value) + eol
	return bytes.Join([][]byte{data[:m.End], []byte(line), data[m.End:]}, nil)
}

// replace exchanges the value of the key at index i.
func (m Matter) replace(data []byte, i int, value string) ([]byte, error) {
	key := m.Root.Content[i]
	if m.Root.Style&yaml.FlowStyle != 0 {
		return nil, &knowledge.ParseError{Line: m.LineOf(key), Text: "front matter in braces cannot be edited in place"}
	}
	start := m.behindColon(data, key)
	if start == 0 {
		return nil, &knowledge.ParseError{Line: m.LineOf(key), Text: fmt.Sprintf("key %q cannot be edited in place", key.Value)}
	}
	end := m.valueEnd(data, i, start)
	return bytes.Join([][]byte{data[:start], []byte(" " + Scalar(value)), data[end:]}, nil), nil
}

// behindColon returns the offset behind the colon of a key; 0 where the key is
// written with escapes.
func (m Matter) behindColon(data []byte, key *yaml.Node) int {
	at := m.offset(data, key) + len(key.Value)
	if key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at += len(`""`)
	}
	line, _ := textfile.LineAt(data, min(at, len(data)))
	gap := bytes.IndexByte(line, ':')
	if gap < 0 || len(bytes.TrimSpace(line[:gap])) > 0 {
		return 0
	}
	return at + gap + 1
}

// valueEnd returns the offset behind the value of the key at index i: before the
// next key with the comments and empty lines in front of it and, where the value
// stands on one line, before the comment behind it.
func (m Matter) valueEnd(data []byte, i, start int) int {
	key, value := m.Root.Content[i], m.Root.Content[i+1]
	end := m.trimComments(data, start, m.nextKey(data, i))
	line, _ := textfile.LineAt(data, start)
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
func (m Matter) nextKey(data []byte, i int) int {
	if i+2 < len(m.Root.Content) {
		return m.lineStart(data, m.Root.Content[i+2].Line)
	}
	return m.End
}

// trimComments gives back the empty lines and comments at the end of a region,
// and its last line end.
func (m Matter) trimComments(data []byte, start, end int) int {
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

func (m Matter) lineStart(data []byte, line int) int {
	at := m.Start
	for ; line > 1 && at < m.End; line-- {
		_, at = textfile.LineAt(data, at)
	}
	return at
}

// offset returns the place of a node. Columns count characters.
func (m Matter) offset(data []byte, n *yaml.Node) int {
	at := m.lineStart(data, n.Line)
	line, _ := textfile.LineAt(data, at)
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
func (m Matter) verify(edited []byte, key, value string) error {
	after, err := Parse(edited)
	if err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	i := after.find(key)
	if i < 0 || after.Root.Content[i+1].Value != value || len(after.Root.Content) < m.size() {
		return &knowledge.ParseError{Line: 1, Text: fmt.Sprintf("key %q cannot be edited in place", key)}
	}
	for j := 0; j < m.size(); j += 2 {
		k := m.Root.Content[j]
		if k.Value != after.Root.Content[j].Value || (j != i && !sameNode(m.Root.Content[j+1], after.Root.Content[j+1])) {
			return &knowledge.ParseError{Line: m.LineOf(k), Text: fmt.Sprintf("setting %q would change %q", key, k.Value)}
		}
	}
	return nil
}

func (m Matter) size() int {
	if m.Root == nil {
		return 0
	}
	return len(m.Root.Content)
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
