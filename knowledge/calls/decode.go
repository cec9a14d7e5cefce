package calls

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// errJSON says that a line is no object, or holds something else than a call does.
var errJSON = errors.New("it is no JSON object of a call")

// lineReader reads lines of JSON into calls. It is written by hand because the whole log is
// read whenever something is derived of it: texts that many calls share, such as the name of
// a tool, are in memory once.
type lineReader struct {
	b     []byte // the line
	i     int
	bad   bool
	texts map[string]string
}

// read reads a line. Members that are not known are stepped over.
func (r *lineReader) read(line []byte, c *Call) error {
	r.b, r.i, r.bad = line, 0, false
	r.object(func(key string) {
		switch key {
		case "id":
			c.ID = r.text()
		case "l":
			c.Line = int(r.number())
		case "t":
			c.At = r.number()
		case "ms":
			c.Took = r.number()
		case "n":
			c.Bytes = int(r.number())
		case "a":
			c.Agent = r.shared()
		case "tool":
			c.Tool = r.shared()
		case "in":
			c.Input = r.text()
		case "dir":
			c.Dir = r.shared()
		case "o":
			c.Outcome = Outcome(r.shared())
		case "w":
			c.Warned = string(r.skip()) == "true"
		case "out":
			c.Out = r.text()
		case "f":
			c.Failure = &Failure{}
			r.failure(c.Failure)
		case "m":
			r.list(func() { c.Mends = append(c.Mends, r.mend()) })
		case "fired":
			r.list(func() { c.Fired = append(c.Fired, r.shared()) })
		default:
			r.skip()
		}
	})
	if r.peek() != 0 || r.bad {
		return errJSON
	}
	return nil
}

func (r *lineReader) failure(f *Failure) {
	r.object(func(key string) {
		switch key {
		case "p":
			f.Problem = r.shared()
		case "prog":
			f.Program = r.shared()
		case "target":
			f.Target = r.shared()
		case "class":
			f.Class = r.shared()
		case "say":
			f.Line = r.shared()
		case "rules":
			f.Rules = map[string]string{}
			r.object(func(rule string) { f.Rules[rule] = r.shared() })
		default:
			r.skip()
		}
	})
}

func (r *lineReader) mend() (m Mend) {
	r.object(func(key string) {
		switch key {
		case "c":
			m.Call = r.text()
		case "how":
			m.How = How(r.shared())
		case "fix":
			m.Fix = r.shared()
		case "named":
			m.Named = string(r.skip()) == "true"
		case "rule":
			m.Rule = r.shared()
		default:
			r.skip()
		}
	})
	return m
}

// peek steps over blanks and returns what stands there, 0 at the end and after damage.
func (r *lineReader) peek() byte {
	for !r.bad && r.i < len(r.b) {
		switch c := r.b[r.i]; c {
		case ' ', '\t', '\r', '\n':
			r.i++
		default:
			return c
		}
	}
	return 0
}

// takes steps over a character if it stands here.
func (r *lineReader) takes(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.i++
	return true
}

// must steps over a character that has to stand here.
func (r *lineReader) must(c byte) { r.bad = !r.takes(c) || r.bad }

// object reads an object; member reads or steps over one value.
func (r *lineReader) object(member func(key string)) {
	r.must('{')
	for first := true; !r.bad && !r.takes('}'); first = false {
		if !first {
			r.must(',')
		}
		key := r.shared()
		r.must(':')
		member(key)
	}
}

func (r *lineReader) list(element func()) {
	r.must('[')
	for first := true; !r.bad && !r.takes(']'); first = false {
		if !first {
			r.must(',')
		}
		element()
	}
}

// number reads a whole number.
func (r *lineReader) number() int64 {
	n, err := strconv.ParseInt(string(r.skip()), 10, 64)
	r.bad = r.bad || err != nil
	return n
}

// text reads a string.
func (r *lineReader) text() string { return string(r.string()) }

// shared reads a string of which there may be many.
func (r *lineReader) shared() string {
	b := r.string()
	known, ok := r.texts[string(b)]
	if !ok {
		known = string(b)
		r.texts[known] = known
	}
	return known
}

// string returns what a string says; it holds until the next line is read.
func (r *lineReader) string() []byte {
	if r.peek() != '"' {
		r.bad = true
		return nil
	}
	raw := r.skip()
	if r.bad {
		return nil
	}
	inside := raw[1 : len(raw)-1]
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) && !bytes.ContainsFunc(inside, func(c rune) bool { return c < ' ' }) {
		return inside
	}
	var s string
	r.bad = json.Unmarshal(raw, &s) != nil
	return []byte(s)
}

// skip steps over a value and returns it.
func (r *lineReader) skip() []byte {
	r.peek()
	from := r.i
	for depth := 0; !r.bad; {
		switch c := r.peek(); {
		case c == 0:
			r.bad = true
		case c == '"':
			r.quoted()
		case c == '{' || c == '[':
			depth++
			r.i++
		case c == '}' || c == ']':
			depth--
			r.i++
		case depth > 0:
			r.i++
		default:
			for r.i < len(r.b) && bytes.IndexByte([]byte(",:{}[]\" \t\r\n"), r.b[r.i]) < 0 {
				r.i++
			}
			r.bad = r.i == from
		}
		if depth <= 0 {
			break
		}
	}
	return r.b[from:r.i]
}

// quoted steps over a string.
func (r *lineReader) quoted() {
	for r.i++; r.i < len(r.b); r.i++ {
		switch r.b[r.i] {
		case '\\':
			r.i++
		case '"':
			r.i++
			return
		}
	}
	r.i, r.bad = len(r.b), true
}
