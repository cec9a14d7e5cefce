package instructions

import (
	"bytes"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/markdown"
)

// Passage is one heading, list item, paragraph, row of a table, or line of code.
type Passage struct {
	Line     int // 1-based, of its first word
	Role     markdown.Role
	Text     string   // on one line, as written, without the list's mark
	Headings []string // above it, the nearest one last
	Lead     string   // the line that announces it: "When you add a route:"
	Info     string   // of code: the fence's language
	Row      bool     // of a table
	Step     bool     // of a list with numbers
	header   []string // of the table: its first row
	depth    int      // of a heading or an item
	breaks   []int    // where its further lines begin, in Text
}

// lineAt is the line of a place in the text.
func (p Passage) lineAt(at int) int {
	return p.Line + lists.Count(p.breaks, func(begin int) bool { return begin <= at })
}

// Import is another file that an instruction file brings in.
type Import struct {
	Line int
	Path string // as written, without the "@"
}

// imported finds the paths of such files, outside of code.
var imported = automata.Lazily(`(?:^|\s)@((?:\.{0,2}/|~/)?[\w.-]+(?:/[\w.-]+)*\.\w+)`)

func (p Passage) imports() []Import {
	if p.Role == markdown.Code || strings.ContainsRune(p.Text, '`') {
		return nil
	}
	return lists.Map(imported().FindAllStringSubmatch(p.Text, -1), func(m []string) Import { return Import{p.Line, m[1]} })
}

// passages lists what a document says, in order.
func passages(data []byte) []Passage {
	r := reader{data: data, line: 1}
	for _, b := range markdown.Read(data).Parts() {
		r.add(b)
	}
	return r.all
}

// reader knows what stands above the passage that it reads.
type reader struct {
	data     []byte
	all      []Passage
	headings []Passage
	leads    []Passage // lines that announce, each nested in the one before
	line, at int       // counted so far
}

func (r *reader) lineOf(at int) int {
	if at < r.at {
		r.line, r.at = 1, 0
	}
	r.line += bytes.Count(r.data[r.at:at], []byte("\n"))
	r.at = at
	return r.line
}

func (r *reader) add(b markdown.Block) {
	if b.Role == markdown.Code || strings.HasPrefix(strings.TrimSpace(b.Text), "|") {
		r.lines(b)
		return
	}
	p := Passage{Line: r.lineOf(b.Place(0)), Role: b.Role, Step: b.Step, depth: b.Level}
	for line := range strings.Lines(b.Text) {
		words := strings.Join(strings.Fields(line), " ")
		if p.Text != "" && words != "" {
			p.Text += " "
			p.breaks = append(p.breaks, len(p.Text))
		}
		p.Text += words
	}
	if p.Text == "" {
		return
	}
	if p.Role == markdown.Title {
		r.headings = upTo(r.headings, p.depth)
		p.Headings, r.leads = texts(r.headings), nil
		r.headings = append(r.headings, p)
		r.all = append(r.all, p)
		return
	}
	p.Headings = texts(r.headings)
	if p.Role == markdown.Paragraph {
		r.leads = nil
	}
	r.leads = upTo(r.leads, p.depth)
	p.Lead = strings.Join(texts(r.leads), " ")
	r.all = append(r.all, p)
	if strings.HasSuffix(strings.TrimRight(p.Text, "*_ "), ":") || p.Role == markdown.Item && strings.Count(p.Text, " ") < maxLead {
		r.leads = append(r.leads, p)
	}
}

// maxLead is how many words an item has at most of which those below it are parts.
const maxLead = 8

// lines are those of code and of tables, each a passage.
func (r *reader) lines(b markdown.Block) {
	at := 0
	var header []string
	for line := range strings.Lines(b.Text) {
		if text := strings.TrimSpace(line); text != "" {
			p := Passage{Line: r.lineOf(b.Place(at)), Role: b.Role, Text: text, Headings: texts(r.headings), Info: b.Info, Row: b.Role != markdown.Code, header: header}
			if p.Row && header == nil {
				header = p.cells()
			}
			r.all = append(r.all, p)
		}
		at += len(line)
	}
}

// cells are those of a row of a table.
func (p Passage) cells() []string {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(strings.ReplaceAll(p.Text, `\|`, "∣"), "| "), "|") {
		cells = append(cells, plainWords(strings.ReplaceAll(cell, "∣", "|")))
	}
	return cells
}

// upTo drops those that are not above a depth.
func upTo(above []Passage, depth int) []Passage {
	for len(above) > 0 && above[len(above)-1].depth >= depth {
		above = above[:len(above)-1]
	}
	return above
}

func texts(all []Passage) []string {
	return lists.Map(all, func(p Passage) string { return p.Text })
}
