// Package jsonedit changes a JSON document in place: what is not touched keeps
// its bytes, whatever its formatting, key order or unknown fields.
package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

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
	var whole json.RawMessage
	if err := json.Unmarshal(doc, &whole); err != nil {
		at := len(doc)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = int(syntax.Offset)
		}
		return Node{}, &SyntaxError{Line: 1 + bytes.Count(doc[:max(at-1, 0)], []byte("\n")), Text: err.Error()}
	}
	s := &scanner{doc: doc}
	return s.value(), nil
}
