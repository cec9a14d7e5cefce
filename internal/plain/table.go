package plain

import (
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Table is a list with columns. At a terminal its columns have names, and those that shrink
// share what the others leave; a pipe gets every cell whole.
type Table struct {
	Columns []Column
	Rows    []Row
	Each    iter.Seq[Row] // instead of Rows, where they are too many to hold; walked twice
}

func (t Table) rows() iter.Seq[Row] {
	if t.Each != nil {
		return t.Each
	}
	return slices.Values(t.Rows)
}

// Column is what the cells of a table below each other have in common.
type Column struct {
	Name    string
	Shrinks bool // its cells are cut where the terminal is too narrow
	Number  bool // stands at the right, and says nothing without its name
}

// Row is a line of a table, with notes below it.
type Row struct {
	Cells []string
	Link  string // where the first cell leads, for terminals that show links
	Notes []string
}

// narrowest is how far a column shrinks.
const narrowest = 12

// Table prints a table.
func (p *Printer) Table(t Table) {
	widths := t.widths(p.columns)
	names := lists.Map(t.Columns, func(c Column) string { return c.Name })
	heading := t.line(names, widths)
	switch numbers := slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Number }); {
	case p.columns > 0:
		p.Heading("%s\n", heading)
	case numbers:
		p.Printf("%s\n", heading)
	}
	_ = p.AtOnce(func() error {
		for r := range t.rows() {
			p.row(t.line(r.Cells, widths), cut(Line(r.Cells[0]), widths[0]), r.Link)
			for _, note := range r.Notes {
				p.Printf("    %s\n", note)
			}
		}
		return nil
	})
}

// row prints a line whose beginning leads somewhere.
func (p *Printer) row(line, first, link string) {
	if !p.links || link == "" || !p.Fits(line) {
		p.Block(Block(line + "\n"))
		return
	}
	_, _ = io.WriteString(p.to, "\x1b]8;;"+link+"\x1b\\"+first+"\x1b]8;;\x1b\\"+strings.TrimPrefix(line, first)+"\n")
}

// widths are how wide the columns are in so many columns of a terminal; 0: in a pipe.
func (t Table) widths(columns int) []int {
	widths, sum := make([]int, len(t.Columns)), 0
	for i, c := range t.Columns {
		widths[i] = columnsOf(c.Name)
	}
	for r := range t.rows() {
		for i := range widths {
			widths[i] = max(widths[i], columnsOf(Line(r.Cells[i])))
		}
	}
	for _, w := range widths {
		sum += w + len(gap)
	}
	for over := sum - len(gap) - columns; columns > 0 && over > 0; over-- {
		widest := -1
		for i, c := range t.Columns {
			if c.Shrinks && widths[i] > narrowest && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

const gap = "  "

// line puts cells below their columns.
func (t Table) line(cells []string, widths []int) string {
	var b strings.Builder
	for i, text := range cells {
		text = cut(Line(text), widths[i])
		blanks := strings.Repeat(" ", widths[i]-columnsOf(text))
		if t.Columns[i].Number {
			text, blanks = blanks+text, ""
		}
		b.WriteString(text + blanks + gap)
	}
	return strings.TrimRight(b.String(), " ")
}

// cut shortens a text to so many columns.
func cut(text string, columns int) string {
	if columnsOf(text) <= columns {
		return text
	}
	wide := 0
	for i, r := range text {
		if wide += columnsOf(string(r)); wide > columns-1 {
			return text[:i] + "…"
		}
	}
	return text
}
