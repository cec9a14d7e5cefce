package jsonedit

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// scanner finds the places of values in a document that is known to be valid
// JSON, by its structure alone.
type scanner struct {
	doc []byte
	at  int
}

func (s *scanner) skip(chars string) {
	for s.at < len(s.doc) && strings.IndexByte(chars, s.doc[s.at]) >= 0 {
		s.at++
	}
}

const blank = " \t\r\n"

func (s *scanner) value() Node {
	s.skip(blank)
	node := Node{Start: s.at, kind: 'v'}
	switch s.doc[s.at] {
	case '{':
		node.kind = '{'
		s.members(&node)
	case '[':
		node.kind = '['
		s.elems(&node)
	case '"':
		s.text()
	default:
		for s.at < len(s.doc) && strings.IndexByte(",]}"+blank, s.doc[s.at]) < 0 {
			s.at++
		}
	}
	node.End = s.at
	return node
}

func (s *scanner) members(node *Node) {
	s.at++
	for s.skip(blank + ","); s.doc[s.at] != '}'; s.skip(blank + ",") {
		start := s.at
		s.text()
		key := keyText(s.doc[start:s.at])
		s.skip(blank + ":")
		node.Members = append(node.Members, Member{Key: key, KeyStart: start, Value: s.value()})
	}
	s.at++
}

func (s *scanner) elems(node *Node) {
	s.at++
	for s.skip(blank + ","); s.doc[s.at] != ']'; s.skip(blank + ",") {
		node.Elems = append(node.Elems, s.value())
	}
	s.at++
}

// text skips a string with its quotes.
func (s *scanner) text() {
	for s.at++; s.doc[s.at] != '"'; s.at++ {
		if s.doc[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
}

func keyText(quoted []byte) string {
	plain := string(quoted[1 : len(quoted)-1])
	if strings.IndexByte(plain, '\\') < 0 && utf8.ValidString(plain) {
		return plain
	}
	var key string
	_ = json.Unmarshal(quoted, &key) // part of a valid document
	return key
}
