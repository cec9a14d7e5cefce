package shell

import "strings"

// Most lines consist of words, quotes, separators and redirections. They are
// read here, without a grammar. A line with anything else goes to the parser,
// which says the same of these lines and takes many times longer.

// plainReader reads a plain line from its beginning.
type plainReader struct {
	line string
	i    int
	sep  string // the separator that was read last: ";", "\n", "&", "|", "&&", "||", or "" at the end
}

// readPlain returns the statements of a line; ok is false when it takes the
// parser.
func readPlain(line string) (all []statement, ok bool) {
	if strings.Contains(line, "\\\n") || strings.IndexByte(line, '\r') >= 0 || strings.IndexByte(line, 0) >= 0 {
		return nil, false // also in a comment these are more than they look like
	}
	p := plainReader{line: line}
	for p.skipLines(); p.i < len(line); p.skipLines() {
		s, ok := p.joined(chain)
		if !ok {
			return nil, false
		}
		s.background = p.sep == "&"
		all = append(all, s)
	}
	return all, true
}

// joined reads statements as long as there is more of a kind behind them. One
// alone is that statement.
func (p *plainReader) joined(k kind) (statement, bool) {
	first, ok := p.part(k)
	if !ok || !p.continues(k) {
		return first, ok
	}
	out := statement{kind: k, parts: append(make([]statement, 0, 2), first)}
	for p.continues(k) {
		joined := p.sep
		p.skipLines()
		s, ok := p.part(k)
		if !ok {
			return s, false
		}
		s.joined = joined
		out.parts = append(out.parts, s)
	}
	return out, true
}

func (p *plainReader) part(k kind) (statement, bool) {
	if k == chain {
		return p.joined(pipeline)
	}
	return p.command()
}

func (p *plainReader) continues(k kind) bool {
	if k == chain {
		return p.sep == "&&" || p.sep == "||"
	}
	return p.sep == "|"
}

// skipBlanks steps over spaces, and over the rest of the line where a comment
// begins.
func (p *plainReader) skipBlanks() {
	for p.i < len(p.line) {
		switch p.line[p.i] {
		case ' ', '\t':
			p.i++
		case '#':
			end := strings.IndexByte(p.line[p.i:], '\n')
			if end < 0 {
				end = len(p.line) - p.i
			}
			p.i += end
			return
		default:
			return
		}
	}
}

// skipLines steps over blanks, comments and ends of lines.
func (p *plainReader) skipLines() {
	for p.skipBlanks(); p.i < len(p.line) && p.line[p.i] == '\n'; p.skipBlanks() {
		p.i++
	}
}

// command reads one simple command and the separator behind it.
func (p *plainReader) command() (c statement, ok bool) {
	begin, end := -1, 0 // of the words
	redirects := ""     // as they stand in the line
	for {
		p.skipBlanks()
		if p.separator() {
			if begin < 0 {
				c.source = strings.TrimPrefix(redirects, " ")
			} else {
				c.source = part(p.line, begin, end) + redirects
			}
			return c, c.source != ""
		}
		from := p.i
		w, ok := p.word()
		if !ok {
			return c, false
		}
		raw := p.line[from:p.i]
		if next := p.ahead(); raw == "" || next == '<' || next == '>' {
			if raw == "" || isDigits(raw) { // > or 2>
				if !p.redirect(&c) {
					return c, false
				}
				redirects += " " + part(p.line, from, p.i)
				continue
			}
			if last := raw[len(raw)-1:]; isDigits(last) || last == "}" {
				return c, false // the parser may see a number here too
			}
		}
		if begin < 0 {
			begin = from
			if isGrammar(raw) {
				return c, false
			}
		}
		end = p.i
		if !c.take(w, raw) {
			return c, false
		}
	}
}

// take adds a word to a simple command: before its program it can be NAME=value.
// It returns false where the parser may see more than a word.
func (c *statement) take(w word, raw string) bool {
	if len(c.words) > 0 {
		c.words = append(c.words, w)
		return true
	}
	name, _, found := strings.Cut(raw, "=")
	switch {
	case strings.IndexByte(raw, '[') >= 0 && raw != "[", found && !isName(name) && isName(strings.TrimSuffix(name, "+")):
		return false
	case !found || !isName(name):
		c.words = append(make([]word, 0, 4), w)
	case !w.dynamic:
		c.assigns = append(c.assigns, w.text)
	}
	return true
}

// ahead is the character that stands here, 0 at the end.
func (p *plainReader) ahead() byte {
	if p.i >= len(p.line) {
		return 0
	}
	return p.line[p.i]
}

// isGrammar says whether a word is no command's name where one could stand.
func isGrammar(word string) bool {
	switch word {
	case "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case", "in", "esac", "!", "[[", "]]", "let",
		"function", "coproc", "time", "declare", "local", "export", "readonly", "typeset", "nameref", "@test":
		return true
	}
	return false
}

// separator reads what ends a command, if it stands here.
func (p *plainReader) separator() bool {
	rest := p.line[p.i:]
	switch {
	case rest == "":
		p.sep = ""
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
		p.sep = rest[:2]
	case strings.HasPrefix(rest, "&>"), strings.HasPrefix(rest, "|&"), strings.HasPrefix(rest, ";&"):
		return false
	case strings.IndexByte("\n;&|", rest[0]) >= 0:
		p.sep = rest[:1]
	default:
		return false
	}
	p.i += len(p.sep)
	return true
}

// redirect reads a redirection whose sign stands here.
func (p *plainReader) redirect(c *statement) bool {
	op := p.sign()
	p.i += len(op)
	if op == "" || p.i == len(p.line) || strings.IndexByte("<>|!&(", p.line[p.i]) >= 0 {
		return false
	}
	for p.ahead() == ' ' || p.ahead() == '\t' {
		p.i++
	}
	at := p.i
	w, ok := p.word()
	if next := p.ahead(); !ok || p.i == at || p.line[at] == '#' || next == '<' || next == '>' {
		return false
	}
	if !w.dynamic && w.text != "" && op != ">&" && op != "<&" {
		c.redirects = append(c.redirects, Redirect{Op: op, Target: w.text})
	}
	return true
}

// sign is the sign of a redirection that stands here.
func (p *plainReader) sign() string {
	rest := p.line[p.i:]
	for _, op := range [...]string{"&>>", "&>", ">>", ">|", ">&", ">", "<&", "<"} {
		if strings.HasPrefix(rest, op) {
			return op
		}
	}
	return ""
}

// word reads one word; ok is false where more than quotes and names of variables
// gives its value.
func (p *plainReader) word() (w word, ok bool) {
	from := p.i
	for ok = true; ok && p.i < len(p.line) && meaning[p.line[p.i]] != ends; {
		switch meaning[p.line[p.i]] {
		case quotes:
			ok = p.quoted(&w)
		case doubleQuotes:
			ok = p.doubleQuoted(&w)
		case names:
			ok = p.variable(&w)
		case nests:
			ok = false
		default:
			ok = p.literal(&w)
		}
	}
	if w.dynamic {
		w.text = part(p.line, from, p.i)
	}
	return w, ok
}

// meaning says what a character means outside of quotes.
var meaning = [256]byte{
	' ': ends, '\t': ends, '\n': ends, ';': ends, '&': ends, '|': ends, '<': ends, '>': ends,
	'\'': quotes, '"': doubleQuotes, '$': names, '\\': escapes, '(': nests, ')': nests, '`': nests,
}

const (
	ends         = 1 + iota // a word
	quotes                  // up to the next one
	doubleQuotes            // with variables
	names                   // a variable
	escapes                 // the next character
	nests                   // a command in a command
)

// literal reads characters up to one that means something.
func (p *plainReader) literal(w *word) bool {
	from := p.i
	for p.i < len(p.line) && (meaning[p.line[p.i]] == 0 || meaning[p.line[p.i]] == escapes) {
		if meaning[p.line[p.i]] == escapes {
			p.i++
		}
		p.i++
	}
	if p.i > len(p.line) {
		return false
	}
	w.text += unescape(p.line[from:p.i])
	return true
}

func (p *plainReader) quoted(w *word) bool {
	text, _, closed := strings.Cut(p.line[p.i+1:], "'")
	w.text += text
	p.i += len(text) + 2
	return closed
}

func (p *plainReader) doubleQuoted(w *word) bool {
	from := p.i + 1
	for p.i++; p.i < len(p.line); {
		switch p.line[p.i] {
		case '"':
			w.text += unescapeQuoted(p.line[from:p.i])
			p.i++
			return true
		case '\\':
			p.i += 2
		case '$':
			if !p.variable(w) {
				return false
			}
		case '`':
			return false
		default:
			p.i++
		}
	}
	return false
}

// variable steps over $NAME and its like.
func (p *plainReader) variable(w *word) bool {
	w.dynamic = true
	from := p.i + 1
	for p.i++; p.i < len(p.line) && isName(p.line[from:p.i+1]); {
		p.i++
	}
	if p.i == from && p.i < len(p.line) && strings.IndexByte("0123456789?!@*#$-", p.line[p.i]) >= 0 {
		p.i++
	}
	return p.i > from
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
