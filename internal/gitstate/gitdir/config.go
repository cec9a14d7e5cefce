package gitdir

import (
	"bytes"
	"errors"
	"strings"
)

// setting is one line of a git configuration file. Section and key are in
// lower case, the sub-section is as written.
type setting struct {
	section, sub, key string
	value             string
	bare              bool // a key without "=": true
}

// truth is git's reading of a boolean; anything it cannot read is false.
func (s setting) truth() bool {
	switch strings.ToLower(s.value) {
	case "true", "yes", "on", "1":
		return true
	}
	return s.bare
}

var errConfig = errors.New("git configuration that is not understood")

// parseConfig reads the settings of one configuration file in order, by the
// grammar of git-config(1), section SYNTAX. It follows no includes.
func parseConfig(data []byte) ([]setting, error) {
	p := configParser{data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	var out []setting
	for {
		p.blanks()
		switch c := p.peek(); {
		case p.end():
			return out, nil
		case c == '[':
			if !p.header() {
				return nil, errConfig
			}
		default:
			s, ok := p.pair()
			if !ok || p.section == "" {
				return nil, errConfig
			}
			out = append(out, s)
		}
	}
}

type configParser struct {
	data         []byte
	pos          int
	section, sub string
}

func (p *configParser) end() bool { return p.pos >= len(p.data) }

func (p *configParser) peek() byte {
	if p.end() {
		return 0
	}
	return p.data[p.pos]
}

// blanks skips white space and comments.
func (p *configParser) blanks() {
	for !p.end() {
		switch c := p.peek(); c {
		case ' ', '\t', '\n', '\r', '\v', '\f':
			p.pos++
		case '#', ';':
			p.line()
		default:
			return
		}
	}
}

func (p *configParser) line() {
	if i := bytes.IndexByte(p.data[p.pos:], '\n'); i >= 0 {
		p.pos += i
		return
	}
	p.pos = len(p.data)
}

func (p *configParser) spaces() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.pos++
	}
}

func (p *configParser) word(more string) string {
	start := p.pos
	for !p.end() && (isAlnum(p.peek()) || strings.IndexByte(more, p.peek()) >= 0) {
		p.pos++
	}
	return strings.ToLower(string(p.data[start:p.pos]))
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// header reads [section], [section "sub"] and the old [section.sub].
func (p *configParser) header() bool {
	p.pos++
	p.section, p.sub = p.word(".-"), ""
	if name, sub, old := strings.Cut(p.section, "."); old {
		p.section, p.sub = name, sub
	}
	p.spaces()
	if p.peek() == '"' {
		sub, ok := p.quoted()
		if !ok {
			return false
		}
		p.sub = sub
	}
	if p.section == "" || p.peek() != ']' {
		return false
	}
	p.pos++
	return true
}

// quoted reads a sub-section: a backslash makes the next character literal.
func (p *configParser) quoted() (string, bool) {
	var b strings.Builder
	for p.pos++; !p.end(); p.pos++ {
		c := p.peek()
		switch c {
		case '"':
			p.pos++
			return b.String(), true
		case '\n':
			return "", false
		case '\\':
			p.pos++
			if c = p.peek(); c == '\n' || p.end() {
				return "", false
			}
		}
		b.WriteByte(c)
	}
	return "", false
}

func (p *configParser) pair() (setting, bool) {
	s := setting{section: p.section, sub: p.sub, key: p.word("-")}
	if s.key == "" {
		return s, false
	}
	p.spaces()
	switch p.peek() {
	case '=':
		p.pos++
		var ok bool
		s.value, ok = p.value()
		return s, ok
	case '\n', '\r', '#', ';', 0:
		s.bare = true
		return s, true
	}
	return s, false
}

// value reads to the end of the line: quotes protect blanks and comments, a
// backslash at the end of the line continues it.
func (p *configParser) value() (string, bool) {
	var b strings.Builder
	inQuote, kept := false, 0 // kept: how much of b stands whatever follows
	p.spaces()
	for ; !p.end(); p.pos++ {
		c := p.peek()
		switch {
		case c == '\n':
			return b.String()[:kept], !inQuote
		case c == '\\':
			p.pos++
			if p.peek() == '\r' {
				p.pos++
			}
			switch e := p.peek(); {
			case p.end():
				return "", false
			case e == '\n':
				continue
			case strings.IndexByte("ntb\"\\", e) >= 0:
				b.WriteString(map[byte]string{'n': "\n", 't': "\t", 'b': "\b"}[e])
				if e == '"' || e == '\\' {
					b.WriteByte(e)
				}
			default:
				return "", false
			}
			kept = b.Len()
		case c == '"':
			inQuote = !inQuote
			kept = b.Len()
		case !inQuote && (c == '#' || c == ';'):
			p.line()
			return b.String()[:kept], true
		default:
			b.WriteByte(c)
			if inQuote || (c != ' ' && c != '\t' && c != '\r') {
				kept = b.Len()
			}
		}
	}
	return b.String()[:kept], !inQuote
}
