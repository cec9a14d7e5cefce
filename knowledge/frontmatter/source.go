package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/knowledge"
)

// Source returns the YAML that declares the key at index i, with LF line ends:
// the lines of the file where they mean the same on their own, else the same
// value laid out anew.
func (m Matter) Source(data []byte, i int) (string, error) {
	start := m.lineStart(data, m.Root.Content[i].Line)
	end := max(start, m.trimComments(data, start, m.nextKey(data, i)))
	lines := strings.Split(strings.TrimRight(string(knowledge.NormaliseLines(data[start:end])), "\n"), "\n")
	margin := strings.Repeat(" ", m.Root.Column-1) // the whole mapping may be indented
	for n := range lines {
		lines[n] = strings.TrimPrefix(lines[n], margin)
	}
	pair := &yaml.Node{Kind: yaml.MappingNode, Content: m.Root.Content[i : i+2]}
	text := strings.Join(lines, "\n")
	if alone, err := Parse([]byte("---\nfirst: 1\n" + text + "\nlast: 1\n---\n")); err == nil && alone.size() == 6 &&
		sameNode(pair, &yaml.Node{Kind: yaml.MappingNode, Content: alone.Root.Content[2:4]}) {
		return text, nil
	}
	dropComments(pair)
	anew, err := yaml.Marshal(pair)
	return strings.TrimRight(string(anew), "\n"), err
}

func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		dropComments(child)
	}
}
