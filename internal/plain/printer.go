package plain

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// Printer writes for people. It is no [io.Writer] on purpose: what it prints is
// a format with fields, a block or JSON.
type Printer struct {
	to      io.Writer
	columns int  // of the terminal; 0: there is none
	colour  bool // the terminal shows it
	links   bool // the terminal shows hyperlinks
	at      int  // the column that was reached
	hang    int  // the column where a broken line goes on
}

// NewPrinter prints to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{to: w} }

// Printf prints a format of our own with fields in it. Who cannot be told any more,
// because the reader has gone, is not told.
func (p *Printer) Printf(format string, args ...any) { p.Block(Sprintf(format, args...)) }

// Block prints text of several lines.
func (p *Printer) Block(text Block) {
	shown := inert(Visible(string(text)))
	if p.columns > 0 {
		shown = p.fit(shown)
	}
	_, _ = io.WriteString(p.to, shown)
}

// AtOnce gathers what is printed meanwhile into few writes.
func (p *Printer) AtOnce(print func() error) error {
	to := p.to
	out := bufio.NewWriterSize(to, 64<<10)
	p.to = out
	defer func() { p.to = to }()
	return errors.Join(print(), out.Flush())
}

// inert keeps a line from being a command to the runner of a workflow, which
// reads what the programs of its steps print.
func inert(text string) string {
	text = strings.ReplaceAll(text, "##[", "## [")
	if !strings.Contains(text, "::") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		command := strings.TrimLeft(line, " \t")
		out.WriteString(line[:len(line)-len(command)])
		if strings.HasPrefix(command, "::") {
			out.WriteByte('\\')
		}
		out.WriteString(command)
	}
	return out.String()
}

// Annotate prints what GitHub's runner shows beside a line of a file: as an error, or as
// another level that the runner knows.
func (p *Printer) Annotate(level, path string, line int, title, message string) {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	_, _ = io.WriteString(p.to, string(Sprintf("::%s file=%s,line=%d,title=%s::%s\n",
		level, property.Replace(path), line, property.Replace(title), text.Replace(message))))
}

// JSON prints a value on a line, or on several where each is indented by indent.
func (p *Printer) JSON(v any, indent string) error {
	data, err := Marshal(v, indent)
	if err == nil {
		_, err = p.to.Write(JSON(append(data, '\n')))
	}
	return err
}

// Progress shows a line that the next one takes the place of, on a terminal.
func (p *Printer) Progress(text string) { _, _ = io.WriteString(p.to, "\r"+Line(text)) }

// EndProgress takes the line away.
func (p *Printer) EndProgress() { _, _ = io.WriteString(p.to, "\r\x1b[K") }

// Writer is for libraries that print by themselves.
func (p *Printer) Writer() io.Writer { return blocks{p} }

type blocks struct{ p *Printer }

func (b blocks) Write(data []byte) (int, error) {
	b.p.Block(Block(data))
	return len(data), nil
}
