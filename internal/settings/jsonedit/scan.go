package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Scanner reads a JSON document value by value, in one pass and without a tree. At the
// first thing that is not JSON every walk ends, and [Scanner.End] says what it is.
type Scanner struct {
	doc   string
	at    int
	depth int
	bad   bool
}

// Scan returns a scanner that stands before the document's value.
func Scan(doc string) *Scanner { return &Scanner{doc: doc} }

// maxDepth is that of encoding/json.
const maxDepth = 10000

// Next is the first byte of the next value, 0 where there is none.
func (s *Scanner) Next() byte {
	for s.at < len(s.doc) {
		switch c := s.doc[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// Offset is where the scanner stands: behind [Scanner.Next] at the start of the next value.
func (s *Scanner) Offset() int { return s.at }

// Members walks through the object that comes next: its keys, and their offsets. A body
// that does not read the member's value skips it.
func (s *Scanner) Members(yield func(key string, at int) bool) {
	for more := s.open('{'); more; more = s.more('}') {
		s.Next()
		at := s.at
		key, plain := s.text()
		if !plain && !s.bad {
			_ = json.Unmarshal([]byte(s.doc[at:s.at]), &key) // it is a string
		}
		if s.Next() != ':' {
			s.bad = true
			return
		}
		s.at++
		s.Next()
		before := s.at
		if s.bad || !yield(key, at) {
			return
		}
		if s.at == before {
			s.Value()
		}
	}
}

// Elems walks through the array that comes next. A body that does not read the element
// skips it.
func (s *Scanner) Elems(yield func() bool) {
	for more := s.open('['); more; more = s.more(']') {
		s.Next()
		before := s.at
		if !yield() {
			return
		}
		if s.at == before {
			s.Value()
		}
	}
}

// open enters an object or an array, and says whether something is in it.
func (s *Scanner) open(bracket byte) bool {
	if s.Next() != bracket || s.depth == maxDepth {
		s.bad = true
		return false
	}
	s.at++
	s.depth++
	if s.Next() == bracket+2 { // } follows { by two, as ] follows [
		return s.leave()
	}
	return !s.bad
}

// more goes on to the next member or element, or leaves.
func (s *Scanner) more(bracket byte) bool {
	switch next := s.Next(); {
	case s.bad:
		return false
	case next == ',':
		s.at++
		return true
	case next == bracket:
		return s.leave()
	}
	s.bad = true
	return false
}

func (s *Scanner) leave() bool {
	s.at++
	s.depth--
	return false
}

// Value reads the next value, and returns it as it stands.
func (s *Scanner) Value() string {
	next := s.Next()
	start := s.at
	switch next {
	case '{':
		for range s.Members {
		}
	case '[':
		for range s.Elems {
		}
	case '"':
		s.text()
	default:
		s.scalar()
	}
	return s.doc[start:s.at]
}

// Text reads the next value if it is a string that stands there as it reads: without
// escapes. Else it reads nothing.
func (s *Scanner) Text() (string, bool) {
	s.Next()
	before := s.at
	text, plain := s.text()
	if !plain {
		s.at = before
	}
	return text, plain
}

// ends are the bytes at which the plain part of a string ends.
var ends = func() (ends [256]bool) {
	for c := range 0x20 {
		ends[c] = true
	}
	ends['"'], ends['\\'] = true, true
	return ends
}()

// text reads a string. It is plain if what stands between the quotes is its text.
func (s *Scanner) text() (text string, plain bool) {
	start := s.at + 1
	if s.at >= len(s.doc) || s.doc[s.at] != '"' {
		s.bad = true
		return "", false
	}
	escaped := false
	for at := start; at < len(s.doc); at++ {
		if c := s.doc[at]; !ends[c] {
			continue
		} else if c == '"' {
			s.at = at + 1
			return s.doc[start:at], !escaped && utf8.ValidString(s.doc[start:at])
		} else if c != '\\' || !isEscape(s.doc[at:]) {
			break
		}
		escaped = true
		at++
	}
	s.bad = true
	return "", false
}

// isEscape says whether a text begins with a backslash and what may stand behind it.
func isEscape(text string) bool {
	if len(text) < 2 {
		return false
	}
	if text[1] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, text[1]) >= 0
	}
	return len(text) >= 6 && strings.Trim(text[2:6], "0123456789abcdefABCDEF") == ""
}

// scalar reads a number, true, false or null.
func (s *Scanner) scalar() {
	start := s.at
	for s.at < len(s.doc) && strings.IndexByte(",]} \t\r\n", s.doc[s.at]) < 0 {
		s.at++
	}
	switch token := s.doc[start:s.at]; token {
	case "true", "false", "null":
	default:
		s.bad = s.bad || !isNumber(token)
	}
}

func isNumber(token string) bool {
	if digits := strings.Trim(token, "0123456789") == ""; digits && token != "" && (token[0] != '0' || token == "0") {
		return true
	}
	return json.Valid([]byte(token))
}

// End says whether the document was JSON, and nothing stands behind what was read.
func (s *Scanner) End() error {
	if s.Next() == 0 && s.at == len(s.doc) && !s.bad {
		return nil
	}
	var whole json.RawMessage
	err := json.Unmarshal([]byte(s.doc), &whole)
	at := len(s.doc)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = int(syntax.Offset)
	}
	return &SyntaxError{Line: 1 + bytes.Count([]byte(s.doc[:max(at-1, 0)]), []byte("\n")), Text: fmt.Sprint(err)}
}
