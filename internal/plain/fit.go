package plain

import (
	"io"
	"strings"
	"unicode"
)

// NewTerminal prints to a terminal of so many columns: lines that are longer are broken at
// blanks, below where their text begins. A word that is longer, such as a path, stays whole.
func NewTerminal(w io.Writer, columns int, colour bool) *Printer {
	return &Printer{to: w, columns: columns, colour: colour}
}

// Heading prints a line above a list: on a terminal alone, for programs read lists too.
func (p *Printer) Heading(format string, args ...any) {
	if p.columns == 0 {
		return
	}
	text := p.fit(string(Sprintf(format, args...)))
	if p.colour {
		text = "\x1b[1m" + strings.TrimSuffix(text, "\n") + "\x1b[0m\n"
	}
	_, _ = io.WriteString(p.to, text)
}

// OnTerminal says whether a person looks at a terminal.
func (p *Printer) OnTerminal() bool { return p.columns > 0 }

// Fits says whether a line needs no breaking. Everything fits into a pipe.
func (p *Printer) Fits(line string) bool { return p.columns == 0 || columnsOf(line) <= p.columns }

// To is the same printer with another way out, such as a pager's.
func (p *Printer) To(w io.Writer) *Printer {
	return &Printer{to: w, columns: p.columns, colour: p.colour, links: p.links}
}

// fit breaks the lines of a text, which may begin within a line.
func (p *Printer) fit(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		if p.at == 0 {
			p.hang = min(hangOf(line), p.columns/2)
		}
		p.fitLine(&out, line)
		if ended {
			out.WriteByte('\n')
			p.at = 0
		}
	}
	return out.String()
}

func (p *Printer) fitLine(out *strings.Builder, line string) {
	for line != "" {
		word := strings.TrimLeft(line, " ")
		gap := line[:len(line)-len(word)]
		word, line, _ = cutBefore(word, ' ')
		switch wide := columnsOf(word); {
		case p.at+len(gap) > p.hang && gap != "" && word != "" && p.at > 0 && p.at+len(gap)+wide > p.columns:
			out.WriteString("\n" + strings.Repeat(" ", p.hang) + word)
			p.at = p.hang + wide
		default:
			out.WriteString(gap + word)
			p.at += len(gap) + wide
		}
	}
}

// cutBefore parts a text before the first of a character.
func cutBefore(text string, at byte) (before, after string, found bool) {
	if i := strings.IndexByte(text, at); i >= 0 {
		return text[:i], text[i:], true
	}
	return text, "", false
}

// widestLabel is how far to the right a second column may begin that a line hangs from.
const widestLabel = 24

// hangOf is where a line goes on when it is broken: below its second column, below the text of
// a list's item, or below its beginning.
func hangOf(line string) int {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if strings.HasPrefix(text, "- ") {
		return indent + 2
	}
	gap := strings.Index(strings.TrimRight(text, " "), "  ")
	if gap < 0 {
		return indent
	}
	second := indent + gap + len(text[gap:]) - len(strings.TrimLeft(text[gap:], " "))
	if second > widestLabel {
		return indent + 4
	}
	return second
}

// columnsOf is how wide a text is on a terminal: the letters of East Asia take two columns.
func columnsOf(text string) (n int) {
	for _, r := range text {
		switch {
		case r < 0x1100:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0x1f300:
			n += 2
		default:
			n++
		}
	}
	return n
}
