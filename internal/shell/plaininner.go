package shell

import "strings"

// substitution reads the commands of $(…). They are a line of their own, of which
// nobody needs the value.
func (p *plainReader) substitution() bool {
	inner := plainReader{line: p.line, i: p.i + 1, nested: true}
	if len(p.heredocs) > 0 || strings.HasPrefix(p.line[inner.i:], "(") || !inner.list() {
		return false // $(( is a sum, or may be one
	}
	p.i = inner.i + 1
	p.inner = append(p.inner, inner.commands)
	return true
}

// heredocAt is a heredoc by its command's place among the others.
type heredocAt struct {
	command int
	end     string // the line that ends it
	quoted  bool   // it is text whatever it holds
}

// heredoc reads the sign of a heredoc and the word that will end it, which stand here.
func (p *plainReader) heredoc() bool {
	rest := strings.TrimLeft(p.line[p.i+len("<<"):], " \t")
	h := heredocAt{command: len(p.commands)}
	if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		h.quoted = true
		end := strings.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return false
		}
		h.end, rest = rest[1:1+end], rest[end+2:]
	} else {
		end := 0
		for end < len(rest) && isName(rest[end:end+1]) {
			end++
		}
		h.end, rest = rest[:end], rest[end:]
	}
	if !isName(h.end) || rest == "" || !p.endsWord(rest[0]) || rest[0] == '<' || rest[0] == '>' {
		return false
	}
	p.i = len(p.line) - len(rest)
	p.heredocs = append(p.heredocs, h)
	return true
}

// readHeredocs reads the heredocs that begin here. It returns false when one does
// not end, or holds more than text.
func (p *plainReader) readHeredocs() bool {
	for _, h := range p.heredocs {
		from := p.i
		for {
			if p.i == len(p.line) {
				return false
			}
			line, _, more := strings.Cut(p.line[p.i:], "\n")
			text := p.line[from:p.i]
			p.i += len(line)
			if more {
				p.i++
			}
			if line != h.end {
				continue
			}
			if !h.quoted && strings.ContainsAny(text, "$`\\") {
				return false
			}
			p.commands[h.command].stdin = text
			break
		}
	}
	p.heredocs = p.heredocs[:0]
	return true
}
