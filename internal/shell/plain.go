package shell

import (
	"strings"
	"sync"
)

// Most lines consist of words, quotes, separators and redirections. They are
// read here, without a grammar. A line with anything else goes to the parser,
// which says the same of these lines and takes many times longer.

// plainCommand is one simple command of a plain line.
type plainCommand struct {
	assigns, words []word
	redirects      []redirection
	stdin          string           // of a heredoc
	inner          [][]plainCommand // of $(…), each
	from, to       int              // of assignments and words; from is -1 without any
	behind         string           // the separator: ";", "\n", "&", "|", "&&", "||", ")" of $(…), or "" at the end
}

// redirection is one as written. Its target is empty where it is no file whose
// name is known.
type redirection struct {
	Redirect
	from, to int
}

// files are the redirections from and to files.
func (c *plainCommand) files() []Redirect {
	var files []Redirect
	for _, r := range c.redirects {
		if r.Target != "" {
			files = append(files, r.Redirect)
		}
	}
	return files
}

// source is the command as it stands in the line, its redirections behind it.
func (c *plainCommand) source(line string) string {
	whole, end := "", -1
	if c.from >= 0 {
		whole, end = part(line, c.from, c.to), c.to
	}
	for _, r := range c.redirects {
		if end >= 0 && end == r.from-1 && line[end] == ' ' && len(whole) == end-c.from {
			end = r.to
			whole = part(line, c.from, end) // as nearly always: the line has them so
			continue
		}
		end = -1
		if whole != "" {
			whole += " "
		}
		whole += part(line, r.from, r.to)
	}
	return whole
}

// plainReader reads a plain line from its beginning. Its lists are used again for
// the next line.
type plainReader struct {
	line     string
	i        int
	commands []plainCommand
	words    []word        // of all commands
	redirs   []redirection // of all commands
	text     []byte        // of the word that is read, if it has several pieces
	nested   bool          // it reads what stands between $( and )
	inner    [][]plainCommand
	heredocs []heredocAt // whose text is still to come
}

var plainReaders = sync.Pool{New: func() any { return new(plainReader) }}

// read reads the simple commands of a line. It returns false when the line takes
// the parser.
func (p *plainReader) read(line string) bool {
	if opensMany(line) || strings.Contains(line, "\\\n") || strings.IndexByte(line, '\r') >= 0 || strings.IndexByte(line, 0) >= 0 {
		return false // also in a comment these are more than they look like
	}
	*p = plainReader{line: line, commands: p.commands[:0], words: p.words[:0], redirs: p.redirs[:0], text: p.text}
	return p.list()
}

// list reads commands to the end, or to the bracket that closes them.
func (p *plainReader) list() bool {
	open := false // the last separator asks for another command
	for {
		if !p.skipLines() {
			return false
		}
		if p.i == len(p.line) {
			return !open && !p.nested && len(p.heredocs) == 0
		}
		if p.nested && p.line[p.i] == ')' {
			return !open && len(p.commands) > 0 && len(p.heredocs) == 0
		}
		c, ok := p.command()
		if !ok {
			return false
		}
		p.commands = append(p.commands, c)
		if c.behind == "\n" && !p.readHeredocs() {
			return false
		}
		open = c.behind == "&&" || c.behind == "||" || c.behind == "|"
	}
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

// skipLines steps over blanks, comments and ends of lines. It returns false when a
// heredoc behind one of them does not end.
func (p *plainReader) skipLines() bool {
	for p.skipBlanks(); p.i < len(p.line) && p.line[p.i] == '\n'; p.skipBlanks() {
		p.i++
		if !p.readHeredocs() {
			return false
		}
	}
	return true
}

// command reads one command and the separator behind it.
func (p *plainReader) command() (c plainCommand, ok bool) {
	c.from = -1
	first, assigned := len(p.words), 0
	timed := false
	for {
		p.skipBlanks()
		if sign, is := p.separator(); is {
			end := len(p.words)
			c.assigns, c.words, c.behind = p.words[first:first+assigned], p.words[first+assigned:end:end], sign
			c.inner, p.inner = p.inner, nil
			return c, c.from >= 0 || len(c.redirects) > 0
		}
		from := p.i
		if begin := p.line[from]; begin == '<' || begin == '>' || begin == '&' {
			if strings.HasPrefix(p.line[from:], "<<") {
				ok = p.heredoc()
			} else {
				ok = p.redirect(&c, from)
			}
			if !ok {
				return c, false
			}
			continue
		}
		w, ok := p.word()
		if !ok || p.i == from {
			return c, false
		}
		raw := p.line[from:p.i]
		if len(p.heredocs) > 0 && strings.IndexByte(raw, '\n') >= 0 {
			return c, false // the heredoc begins in the word
		}
		if p.i < len(p.line) && (p.line[p.i] == '<' || p.line[p.i] == '>') {
			if isDigits(raw) { // 2>
				if !p.redirect(&c, from) {
					return c, false
				}
				continue
			}
			if last := raw[len(raw)-1]; '0' <= last && last <= '9' || last == '}' {
				return c, false // the parser may see a number here too
			}
		}
		if len(p.words) == first+assigned {
			switch {
			case assigned > 0:
			case isGrammar(raw), timed && raw[0] == '-', raw == "time" && len(c.redirects) > 0:
				return c, false
			case raw == "time":
				timed = true
				continue
			}
			assigns, ok := assignsTo(raw)
			if !ok {
				return c, false
			}
			if assigns {
				assigned++
			}
		}
		p.words = append(p.words, w)
		if c.from < 0 {
			c.from = from
		}
		c.to = p.i
	}
}

// assignsTo says whether a word where a command could begin is NAME=value. It is
// not ok where the parser may see more than a word.
func assignsTo(raw string) (assigns, ok bool) {
	if strings.IndexByte(raw, '[') >= 0 && raw != "[" {
		return false, false
	}
	name, _, found := strings.Cut(raw, "=")
	if !found {
		return false, true
	}
	assigns = isName(name)
	return assigns, assigns || !isName(strings.TrimSuffix(name, "+"))
}

// isGrammar says whether a word is no command's name where one could stand.
func isGrammar(word string) bool {
	switch word {
	case "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case", "in", "esac", "!", "[[", "]]", "let",
		"function", "coproc", "declare", "local", "export", "readonly", "typeset", "nameref", "@test":
		return true
	}
	return false
}

// separator reads what ends a command, if it stands here.
func (p *plainReader) separator() (sign string, ok bool) {
	rest := p.line[p.i:]
	if rest == "" {
		return "", true
	}
	switch rest[0] {
	case '\n':
		sign = rest[:1]
	case '&', '|', ';':
		sign = rest[:1]
		if len(rest) == 1 {
			break
		}
		switch rest[:2] {
		case "&&", "||":
			sign = rest[:2]
		case "&>", "|&", ";&":
			return "", false
		}
	case ')':
		return ")", p.nested // who reads around it steps over it
	default:
		return "", false
	}
	p.i += len(sign)
	return sign, true
}

// redirect reads a redirection whose sign stands here, and whose number begins
// at from.
func (p *plainReader) redirect(c *plainCommand, from int) bool {
	op := p.sign()
	p.i += len(op)
	if op == "" || p.i == len(p.line) || strings.IndexByte("<>|!&(", p.line[p.i]) >= 0 {
		return false
	}
	for p.i < len(p.line) && (p.line[p.i] == ' ' || p.line[p.i] == '\t') {
		p.i++
	}
	at := p.i
	if at == len(p.line) || p.line[at] == '#' {
		return false
	}
	before := len(p.inner)
	w, ok := p.word()
	if len(p.inner) > before {
		return false // its commands come behind those of all words
	}
	if !ok || p.i == at || p.i < len(p.line) && (p.line[p.i] == '<' || p.line[p.i] == '>') {
		return false
	}
	if w.dynamic || op == ">&" || op == "<&" {
		w.text = ""
	}
	p.redirs = append(p.redirs, redirection{Redirect{Op: op, Target: w.text}, from, p.i})
	c.redirects = p.redirs[len(p.redirs)-len(c.redirects)-1 : len(p.redirs) : len(p.redirs)]
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
	p.text = p.text[:0]
	for p.i < len(p.line) && !p.endsWord(p.line[p.i]) {
		switch p.line[p.i] {
		case '\'':
			text, _, closed := strings.Cut(p.line[p.i+1:], "'")
			if !closed {
				return w, false
			}
			p.put(&w, text)
			p.i += len(text) + 2
		case '"':
			if !p.quoted(&w) {
				return w, false
			}
		case '$':
			if !p.variable(&w) {
				return w, false
			}
		default:
			if !p.literal(&w) {
				return w, false
			}
		}
	}
	switch {
	case w.dynamic:
		w.text = part(p.line, from, p.i)
	case len(p.text) > 0:
		w.text = string(p.text)
	}
	return w, true
}

// put adds a piece to the value of a word.
func (p *plainReader) put(w *word, piece string) {
	switch {
	case w.text == "":
		w.text = piece
	case len(p.text) == 0:
		p.text = append(append(p.text, w.text...), piece...)
	default:
		p.text = append(p.text, piece...)
	}
}

func (p *plainReader) endsWord(c byte) bool { return meaning[c] == ends || c == ')' && p.nested }

// meaning says what a character means outside of quotes.
var meaning = [256]byte{
	' ': ends, '\t': ends, '\n': ends, ';': ends, '&': ends, '|': ends, '<': ends, '>': ends,
	'\'': opens, '"': opens, '$': opens, '\\': escapes, '(': nests, ')': nests, '`': nests,
}

const (
	ends    = 1 + iota // a word
	opens              // a quote or a variable
	escapes            // the next character
	nests              // a command in a command
)

// plainly returns how many characters a text begins with that mean nothing, or at
// most what is allowed. A comment may begin with the next one.
func plainly(text string, most byte) int {
	for i := range len(text) {
		if meaning[text[i]] > most || text[i] == '#' {
			return i
		}
	}
	return len(text)
}

// literal reads characters up to a quote, a variable, or the end of the word.
func (p *plainReader) literal(w *word) bool {
	from := p.i
	escaped := false
	p.i += plainly(p.line[p.i:], 0) // most of them
	for ; p.i < len(p.line); p.i++ {
		is := meaning[p.line[p.i]]
		if is == ends || is == opens || p.line[p.i] == ')' && p.nested {
			break
		}
		if is == nests || p.nested && p.line[p.i] == '#' {
			return false // the parser may see a comment inside of $(…)
		}
		if is == escapes {
			escaped = true
			if p.i++; p.i == len(p.line) {
				return false
			}
		}
	}
	text := p.line[from:p.i]
	if escaped {
		text = unescape(text)
	}
	p.put(w, text)
	return true
}

// quoted reads what stands between double quotes.
func (p *plainReader) quoted(w *word) bool {
	p.i++
	from := p.i
	for p.i < len(p.line) {
		if p.i += plainly(p.line[p.i:], ends); p.i == len(p.line) {
			break
		}
		switch p.line[p.i] {
		case '"':
			p.put(w, unescapeQuoted(p.line[from:p.i]))
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
	p.i++
	if p.i < len(p.line) && p.line[p.i] == '(' {
		return p.substitution()
	}
	from := p.i
	for p.i < len(p.line) && isName(p.line[from:p.i+1]) {
		p.i++
	}
	if p.i > from {
		return true
	}
	if p.i < len(p.line) && strings.IndexByte("0123456789?!@*#$-", p.line[p.i]) >= 0 {
		p.i++
		return true
	}
	return false
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
