package knowledge

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// source returns the YAML that declares the key at index i, with LF line ends:
// the lines of the file where they mean the same on their own, else the same
// value laid out anew.
func (m matter) source(data []byte, i int) (string, error) {
	start := m.lineStart(data, m.root.Content[i].Line)
	end := max(start, m.trimComments(data, start, m.nextKey(data, i)))
	lines := strings.Split(strings.TrimRight(string(NormaliseLines(data[start:end])), "\n"), "\n")
	margin := strings.Repeat(" ", m.root.Column-1) // the whole mapping may be indented
	for n := range lines {
		lines[n] = strings.TrimPrefix(lines[n], margin)
	}
	pair := &yaml.Node{Kind: yaml.MappingNode, Content: m.root.Content[i : i+2]}
	text := strings.Join(lines, "\n")
	if alone, err := parseMatter([]byte("---\nfirst: 1\n" + text + "\nlast: 1\n---\n")); err == nil && alone.size() == 6 &&
		sameNode(pair, &yaml.Node{Kind: yaml.MappingNode, Content: alone.root.Content[2:4]}) {
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
