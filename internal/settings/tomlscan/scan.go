// Package tomlscan finds the statements of a TOML document and where they stand,
// so that a program can add its own and take them out again without touching a
// byte of the rest. Values are delimited, not interpreted.
package tomlscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Statement is a table header or a key with its value.
type Statement struct {
	Line  int // 1-based
	Table []string
	Key   []string // below Table; nil: the statement is the header of Table
	Array bool     // of a header: [[table]]
	Value []byte   // as written
}

// Path is the whole path of the key or table.
func (s Statement) Path() []string { return append(append([]string(nil), s.Table...), s.Key...) }

// SyntaxError says where a document is not TOML.
type SyntaxError struct {
	Line int
	Text string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

type scanner struct {
	doc []byte
	at  int
}

// Scan lists the statements of a document.
func Scan(doc []byte) ([]Statement, error) {
	s := &scanner{doc: doc}
	var found []Statement
	var table []string
	for s.skipBlank(); s.at < len(doc); s.skipBlank() {
		st := Statement{Line: s.line(), Table: table}
		if err := s.statement(&st); err != nil {
			return nil, err
		}
		if err := s.endOfLine(); err != nil {
			return nil, err
		}
		table = st.Table
		found = append(found, st)
	}
	return found, nil
}

func (s *scanner) line() int { return 1 + bytes.Count(s.doc[:min(s.at, len(s.doc))], []byte("\n")) }

func (s *scanner) fail(text string) error { return &SyntaxError{s.line(), text} }

func (s *scanner) peek(text string) bool { return bytes.HasPrefix(s.doc[s.at:], []byte(text)) }

func (s *scanner) skip(chars string) {
	for s.at < len(s.doc) && strings.IndexByte(chars, s.doc[s.at]) >= 0 {
		s.at++
	}
}

// skipBlank skips white space, line ends and comments.
func (s *scanner) skipBlank() {
	for s.skip(" \t\r\n"); s.peek("#"); s.skip(" \t\r\n") {
		s.skipComment()
	}
}

func (s *scanner) skipComment() {
	if end := bytes.IndexByte(s.doc[s.at:], '\n'); end >= 0 {
		s.at += end
	} else {
		s.at = len(s.doc)
	}
}

func (s *scanner) endOfLine() error {
	if s.skip(" \t"); s.peek("#") {
		s.skipComment()
	}
	if s.skip("\r"); s.at < len(s.doc) && !s.peek("\n") {
		return s.fail("text behind a value")
	}
	s.at = min(s.at+1, len(s.doc))
	return nil
}

func (s *scanner) statement(st *Statement) (err error) {
	if s.peek("[") {
		st.Array = s.peek("[[")
		s.skip("[")
		if st.Table, err = s.key(); err != nil {
			return err
		}
		closing := "]"
		if st.Array {
			closing = "]]"
		}
		if !s.peek(closing) {
			return s.fail("a table's name is not closed")
		}
		s.at += len(closing)
		return nil
	}
	if st.Key, err = s.key(); err != nil {
		return err
	}
	if !s.peek("=") {
		return s.fail("a key without a value")
	}
	s.at++
	s.skip(" \t")
	start := s.at
	if err := s.value(); err != nil {
		return err
	}
	st.Value = bytes.TrimSpace(s.doc[start:s.at])
	if len(st.Value) == 0 {
		return s.fail("a key without a value")
	}
	return nil
}

// key reads a dotted key.
func (s *scanner) key() ([]string, error) {
	var parts []string
	for {
		s.skip(" \t")
		start := s.at
		switch {
		case s.peek(`"`), s.peek("'"):
			if err := s.text(); err != nil {
				return nil, err
			}
			part, ok := Text(s.doc[start:s.at])
			if !ok {
				return nil, s.fail("a key that cannot be read")
			}
			parts = append(parts, part)
		default:
			for s.at < len(s.doc) && strings.IndexByte(" \t\r\n.=[]\"'#", s.doc[s.at]) < 0 {
				s.at++
			}
			if s.at == start {
				return nil, s.fail("a key is missing")
			}
			parts = append(parts, string(s.doc[start:s.at]))
		}
		if s.skip(" \t"); !s.peek(".") {
			return parts, nil
		}
		s.at++
	}
}

// value skips a value: to the end of its line, or of its brackets.
func (s *scanner) value() error {
	for depth := 0; s.at < len(s.doc); {
		switch c := s.doc[s.at]; {
		case c == '"' || c == '\'':
			if err := s.text(); err != nil {
				return err
			}
			continue
		case c == '#' && depth == 0, c == '\n' && depth == 0:
			return nil
		case c == '#':
			s.skipComment()
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		s.at++
		if s.at == len(s.doc) && depth > 0 {
			return s.fail("brackets are not closed")
		}
	}
	return nil
}

// text skips a string of any of the four kinds.
func (s *scanner) text() error {
	quote := string(s.doc[s.at])
	long := s.peek(strings.Repeat(quote, 3))
	if long {
		quote = strings.Repeat(quote, 3)
	}
	for s.at += len(quote); s.at < len(s.doc); s.at++ {
		switch {
		case s.doc[s.at] == '\\' && quote[0] == '"':
			s.at++
		case s.peek(quote):
			s.at += len(quote)
			for long && s.at < len(s.doc) && s.doc[s.at] == quote[0] { // up to two quotes may end the text itself
				s.at++
			}
			return nil
		case s.doc[s.at] == '\n' && !long:
			return s.fail("a string is not closed")
		}
	}
	s.at = len(s.doc)
	return s.fail("a string is not closed")
}

// Text reads a string of one line; ok is false for any other value.
func Text(value []byte) (text string, ok bool) {
	v := string(value)
	if len(v) < 2 || v[0] != v[len(v)-1] || strings.HasPrefix(v, `"""`) || strings.HasPrefix(v, "'''") {
		return "", false
	}
	switch v[0] {
	case '\'':
		return v[1 : len(v)-1], true
	case '"': // the escapes are JSON's, but for \U and \e
		ok = json.Unmarshal(value, &text) == nil
		return text, ok
	}
	return "", false
}
