// Package jsonedit changes a JSON document in place: what is not touched keeps
// its bytes, whatever its formatting, key order or unknown fields.
package jsonedit

import (
	"bytes"
	"encoding/json"
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
	if json.Valid(doc) {
		return scanValid(doc), nil
	}
	return parseTokens(doc)
}

// parseTokens is the slower way, which can say where a document goes wrong.
func parseTokens(doc []byte) (Node, error) {
	p := parser{doc: doc, dec: json.NewDecoder(bytes.NewReader(doc))}
	p.dec.UseNumber()
	node, err := p.value()
	if err == nil && len(bytes.TrimSpace(doc[p.end():])) > 0 {
		err = p.fail("text behind the end of the document")
	}
	return node, err
}

type parser struct {
	doc []byte
	dec *json.Decoder
}

func (p *parser) end() int { return int(p.dec.InputOffset()) }

func (p *parser) fail(text string) error {
	return &SyntaxError{Line: 1 + bytes.Count(p.doc[:min(p.end(), len(p.doc))], []byte("\n")), Text: text}
}

// token reads one token and returns the offset at which it starts.
func (p *parser) token() (json.Token, int, error) {
	start := p.end()
	for start < len(p.doc) && bytes.IndexByte([]byte(" \t\r\n,:"), p.doc[start]) >= 0 {
		start++
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, start, p.fail(err.Error())
	}
	return tok, start, nil
}

func (p *parser) value() (Node, error) {
	tok, start, err := p.token()
	if err != nil {
		return Node{}, err
	}
	node := Node{Start: start, End: p.end(), kind: 'v'}
	switch tok {
	case json.Delim('{'):
		node.kind = '{'
		err = p.members(&node)
	case json.Delim('['):
		node.kind = '['
		err = p.elems(&node)
	}
	return node, err
}

func (p *parser) members(node *Node) error {
	for p.dec.More() {
		tok, start, err := p.token()
		if err != nil {
			return err
		}
		value, err := p.value()
		if err != nil {
			return err
		}
		node.Members = append(node.Members, Member{Key: tok.(string), KeyStart: start, Value: value})
	}
	return p.closing(node)
}

func (p *parser) elems(node *Node) error {
	for p.dec.More() {
		value, err := p.value()
		if err != nil {
			return err
		}
		node.Elems = append(node.Elems, value)
	}
	return p.closing(node)
}

func (p *parser) closing(node *Node) error {
	_, _, err := p.token()
	node.End = p.end()
	return err
}
