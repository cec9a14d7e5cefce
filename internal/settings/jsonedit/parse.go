// Package jsonedit changes a JSON document in place: what is not touched keeps
// its bytes, whatever its formatting, key order or unknown fields.
package jsonedit

import "fmt"

// Node is one value with its place in the document. Bytes [Start,End) are the
// value without surrounding white space.
type Node struct {
	Start, End int
	Members    []Member // of objects, in order
	Elems      []Node   // of arrays
	kind       byte     // '{', '[', or 'v'
}

// Member is one key with its value; KeyStart is the offset of the key's quote.
type Member struct {
	Key      string
	KeyStart int
	Value    Node
}

// IsObject says whether the node is an object.
func (n Node) IsObject() bool { return n.kind == '{' }

// IsArray says whether the node is an array.
func (n Node) IsArray() bool { return n.kind == '[' }

// Member returns the value of the key. Of equal keys the last one counts, as
// it does for JSON.parse.
func (n Node) Member(key string) (Node, bool) {
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == key {
			return n.Members[i].Value, true
		}
	}
	return Node{}, false
}

// SyntaxError says where a document is not JSON.
type SyntaxError struct {
	Line int // 1-based
	Text string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// Parse reads one JSON document. A document with anything but white space
// behind its value is refused.
func Parse(doc []byte) (Node, error) {
	s := Scan(string(doc))
	node := s.node()
	if err := s.End(); err != nil {
		return Node{}, err
	}
	return node, nil
}

// node reads the next value with its places.
func (s *Scanner) node() Node {
	kind := s.Next()
	node := Node{Start: s.at, kind: 'v'}
	switch kind {
	case '{':
		node.kind = kind
		for key, at := range s.Members {
			node.Members = append(node.Members, Member{Key: key, KeyStart: at, Value: s.node()})
		}
	case '[':
		node.kind = kind
		for range s.Elems {
			node.Elems = append(node.Elems, s.node())
		}
	default:
		s.Value()
	}
	node.End = s.at
	return node
}
