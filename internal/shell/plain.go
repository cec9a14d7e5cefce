package shell

import (
	"slices"
	"strings"
)

// Most lines consist of words, quotes, separators and redirections, of what is
// substituted, and of simple conditions and loops. They are read here. A line with
// anything else goes to the parser, which says the same of these lines and takes many
// times longer.

// plainReader reads a plain line from its beginning.
type plainReader struct {
	line   string
	i      int
	sep    string                // the separator that was read last: ";", "\n", "&", "|", "&&", "||", ")", or "" at the end
	inside []statement           // that were substituted in the words of the command that is read
	depth  int                   // of lists inside lists
	body   struct{ at, end int } // the heredoc that is still to come: the end of the line before it, and its own end
}

// maxPlainDepth is how deep lists lie inside of each other in a plain line.
const maxPlainDepth = 20

// readPlain returns the statements of a line; ok is false when it takes the
// parser.
func readPlain(line string) (all []statement, ok bool) {
	if strings.Contains(line, "\\\n") || strings.IndexByte(line, '\r') >= 0 || strings.IndexByte(line, 0) >= 0 {
		return nil, false // also in a comment these are more than they look like
	}
	p := plainReader{line: line}
	all, _, ok = p.list("")
	return all, ok
}

// list reads statements up to one of the words, or signs, that can stand behind them,
// and returns which it was.
func (p *plainReader) list(ends ...string) (all []statement, end string, ok bool) {
	if p.depth++; p.depth > maxPlainDepth {
		return nil, "", false
	}
	for {
		p.skipLines()
		end = p.keyword()
		if p.ahead() == ')' {
			end = ")"
		}
		if (end != "" || p.i == len(p.line)) && slices.Contains(ends, end) {
			p.i += len(end)
			p.depth--
			return all, end, p.body.end == 0 || end != ")"
		}
		all = append(all, statement{})
		s := &all[len(all)-1]
		if !p.joined(chain, s) {
			return nil, "", false
		}
		s.background = p.sep == "&"
	}
}

// keyword is the word of small letters that stands here, or "".
func (p *plainReader) keyword() string {
	end := p.i
	for end < len(p.line) && 'a' <= p.line[end] && p.line[end] <= 'z' {
		end++
	}
	if end < len(p.line) && meaning[p.line[end]] != ends {
		return ""
	}
	return p.line[p.i:end]
}

// joined reads statements as long as there is more of a kind behind them. One
// alone is that statement.
func (p *plainReader) joined(k kind, s *statement) bool {
	if ok := p.part(k, s); !ok || !p.continues(k) {
		return ok
	}
	parts := append(make([]statement, 0, 2), *s)
	for p.continues(k) {
		parts = append(parts, statement{})
		next, joined := &parts[len(parts)-1], p.sep
		p.skipLines()
		if !p.part(k, next) {
			return false
		}
		next.joined = joined
	}
	*s = statement{kind: k, parts: parts}
	return true
}

func (p *plainReader) part(k kind, s *statement) bool {
	if k == chain {
		return p.joined(pipeline, s)
	}
	p.skipBlanks()
	word := p.keyword()
	switch {
	case word == "if", word == "for", word == "while", word == "until":
		return p.compound(word, s)
	case p.ahead() == '(':
		s.kind = subshell
		ok := p.enclosed(s) && len(s.parts) > 0
		p.skipBlanks()
		return ok && p.separator()
	}
	return p.command(s)
}

// enclosed reads what stands between two brackets.
func (p *plainReader) enclosed(s *statement) (ok bool) {
	p.i++
	if p.ahead() == '(' || p.body.end > 0 {
		return false
	}
	s.parts, _, ok = p.list(")")
	return ok
}

// follows are the words that can end a list behind a word of the grammar.
var follows = map[string][]string{
	"if": {"then"}, "elif": {"then"}, "then": {"elif", "else", "fi"}, "else": {"fi"},
	"while": {"do"}, "until": {"do"}, "do": {"done"},
}

// compound reads a condition or a loop, which begins with a word.
func (p *plainReader) compound(word string, out *statement) bool {
	if out.kind = loop; word == "if" {
		out.kind = condition
	}
	p.i += len(word)
	if word == "for" {
		if !p.items() {
			return false
		}
		out.parts, p.inside = p.inside, nil
		p.i += len("do")
		word = "do"
	}
	for word != "fi" && word != "done" {
		parts, end, ok := p.list(follows[word]...)
		if !ok || len(parts) == 0 {
			return false
		}
		out.parts, word = append(out.parts, statement{kind: list, parts: parts}), end
	}
	p.skipBlanks()
	return p.separator()
}

// items reads a loop's variable and what it goes through, up to its "do".
func (p *plainReader) items() bool {
	p.skipBlanks()
	from := p.i
	if w, ok := p.word(); !ok || !isName(w.text) || w.text != p.line[from:p.i] {
		return false
	}
	p.skipBlanks()
	if p.keyword() != "in" {
		return false
	}
	p.i += len("in")
	for p.skipBlanks(); !p.separator(); p.skipBlanks() {
		from := p.i
		if _, ok := p.word(); !ok || p.i == from {
			return false
		}
	}
	if p.sep != ";" && p.sep != "\n" {
		return false
	}
	p.skipLines()
	return p.keyword() == "do"
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
	for p.skipBlanks(); p.ahead() == '\n'; p.skipBlanks() {
		p.newline()
	}
}

// newline steps over the end of a line, and over the heredoc behind it.
func (p *plainReader) newline() {
	p.i++
	if p.body.end > 0 {
		p.i, p.body.end = p.body.end, 0
	}
}

// command reads one simple command and the separator behind it.
func (p *plainReader) command(c *statement) bool {
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
			c.inside, p.inside = p.inside, nil
			return c.source != ""
		}
		from := p.i
		w, ok := p.word()
		if !ok {
			return false
		}
		raw := p.line[from:p.i]
		if next := p.ahead(); raw == "" || next == '<' || next == '>' {
			if raw == "" || isDigits(raw) { // > or 2>
				if !p.redirect(c) {
					return false
				}
				if written := part(p.line, from, p.i); !strings.HasPrefix(written[len(raw):], "<<") {
					redirects += " " + written
				}
				continue
			}
			if last := raw[len(raw)-1:]; isDigits(last) || last == "}" {
				return false // the parser may see a number here too
			}
		}
		if begin < 0 {
			begin = from
			if isGrammar(raw) {
				return false
			}
		}
		end = p.i
		if !c.take(w, raw) {
			return false
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
	case rest[0] == '\n':
		p.sep = rest[:1]
		p.newline()
		return true
	case rest[0] == ')':
		p.sep = rest[:1]
		return true // who reads around it steps over it
	case strings.IndexByte(";&|", rest[0]) >= 0:
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
	at, before := p.i, len(p.inside)
	w, ok := p.word()
	if next := p.ahead(); !ok || p.i == at || p.line[at] == '#' || next == '<' || next == '>' || len(p.inside) > before {
		return false
	}
	if op == "<<" {
		return !w.dynamic && p.heredoc(c, w.text, p.line[at:p.i])
	}
	if !w.dynamic && w.text != "" && op != ">&" && op != "<&" {
		c.redirects = append(c.redirects, w.text)
	}
	return true
}

// heredoc takes the text up to a line that is the delimiter.
func (p *plainReader) heredoc(c *statement, delimiter, raw string) bool {
	head, text, ok := strings.Cut(p.line[p.i:], "\n")
	if !ok || delimiter == "" || raw[0] == '-' || strings.Contains(raw, `\`) || p.body.end > 0 {
		return false
	}
	p.body.at = p.i + len(head)
	for from := p.body.at + 1; from < len(p.line); {
		line, _, _ := strings.Cut(p.line[from:], "\n")
		if line == delimiter {
			c.stdin, p.body.end = text[:from-p.body.at-1], min(from+len(line)+1, len(p.line))
			return raw != delimiter || !strings.ContainsAny(c.stdin, "$`\\") // quoted, or nothing to expand
		}
		from += len(line) + 1
	}
	return false
}

// sign is the sign of a redirection that stands here.
func (p *plainReader) sign() string {
	rest := p.line[p.i:]
	for _, op := range [...]string{"&>>", "&>", ">>", ">|", ">&", ">", "<<", "<&", "<"} {
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
	return w, ok && (p.body.end == 0 || p.i <= p.body.at) // else a heredoc begins in it
}

// meaning says what a character means outside of quotes.
var meaning = [256]byte{
	' ': ends, '\t': ends, '\n': ends, ';': ends, '&': ends, '|': ends, '<': ends, '>': ends,
	'\'': quotes, '"': doubleQuotes, '$': names, '\\': escapes, '(': nests, ')': ends, '`': nests,
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
		} else if p.line[p.i] == '#' && p.depth > 1 {
			return false // the parser may see a comment
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

// variable steps over $NAME and its like, or over $(…).
func (p *plainReader) variable(w *word) bool {
	w.dynamic = true
	from := p.i + 1
	if strings.HasPrefix(p.line[from:], "(") {
		s, before := statement{kind: substitution}, p.inside
		p.i, p.inside = from, nil
		ok := p.enclosed(&s)
		p.inside = append(before, s)
		return ok
	}
	for p.i++; p.i < len(p.line) && isName(p.line[from:p.i+1]); {
		p.i++
	}
	if p.i == from && p.i < len(p.line) && strings.IndexByte("0123456789?!@*#$-", p.line[p.i]) >= 0 {
		p.i++
	}
	return p.i > from
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
