// Package screen draws what a terminal shows as a picture: text with the escapes for colours, as
// tmux captures it, becomes an SVG.
package screen

import (
	"cmp"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sizes of a character cell and of the margin, in pixels.
const (
	cellWidth, cellHeight = 8.4, 18.0
	margin                = 12.0
)

const (
	ink   = "#d4d4d4"
	paper = "#1e1e1e"
)

// palette are the sixteen colours that have a name.
var palette = [16]string{
	"#3b3b3b", "#f14c4c", "#23d18b", "#e5e510", "#3b8eea", "#d670d6", "#29b8db", "#e5e5e5",
	"#767676", "#ff7b7b", "#5af2b0", "#f5f543", "#6cb6ff", "#e6a3e6", "#6fdcf2", "#ffffff",
}

// style is how a run of characters looks; empty colours are the terminal's own.
type style struct {
	ink, paper                              string
	bold, dim, italic, underlined, inverted bool
}

// SVG draws a captured screen of so many columns. Blank lines at its end are left out.
func SVG(title, captured string, columns int) string {
	lines := linesOf(captured)
	var b strings.Builder
	begin(&b, title, columns, len(lines))
	drawLines(&b, lines)
	return b.String() + "</svg>\n"
}

func linesOf(captured string) []string {
	return strings.Split(strings.TrimRight(plainLinks(captured), " \n"), "\n")
}

// begin writes the picture's frame.
func begin(b *strings.Builder, title string, columns, rows int) {
	width, height := 2*margin+float64(columns)*cellWidth, 2*margin+float64(rows)*cellHeight
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\">\n", width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"%s\"/>\n", html.EscapeString(title), paper)
}

// drawLines draws the lines of a screen below each other.
func drawLines(b *strings.Builder, lines []string) {
	var s style
	for row, line := range lines {
		column := 0
		for line != "" {
			if escape, rest, ok := cutEscape(line); ok {
				s.apply(escape)
				line = rest
				continue
			}
			text, rest := line, ""
			if at := strings.IndexByte(line, 0x1b); at >= 0 {
				text, rest = line[:at], line[at:]
			}
			s.draw(b, text, column, row)
			column, line = column+utf8.RuneCountInString(text), rest
		}
	}
}

// cutEscape takes an escape for colours from the front of a line.
func cutEscape(line string) (parameters, rest string, ok bool) {
	rest, ok = strings.CutPrefix(line, "\x1b[")
	end := strings.IndexByte(rest, 'm')
	if !ok || end < 0 {
		return "", strings.TrimPrefix(line, "\x1b"), strings.HasPrefix(line, "\x1b")
	}
	return rest[:end], rest[end+1:], true
}

// plainLinks takes out where links lead to.
func plainLinks(text string) string {
	for {
		before, link, found := strings.Cut(text, "\x1b]8;")
		if !found {
			return text
		}
		_, after, _ := strings.Cut(link, "\x1b\\")
		text = before + after
	}
}

// apply changes the style as the parameters of an escape say.
func (s *style) apply(parameters string) {
	codes := strings.FieldsFunc(parameters, func(r rune) bool { return r == ';' || r == ':' })
	if len(codes) == 0 {
		codes = []string{"0"}
	}
	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i])
		switch {
		case n == 0:
			*s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 3:
			s.italic = true
		case n == 4:
			s.underlined = true
		case n == 7:
			s.inverted = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 23:
			s.italic = false
		case n == 24:
			s.underlined = false
		case n == 27:
			s.inverted = false
		case n >= 30 && n <= 37:
			s.ink = palette[n-30]
		case n >= 90 && n <= 97:
			s.ink = palette[n-82]
		case n >= 40 && n <= 47:
			s.paper = palette[n-40]
		case n >= 100 && n <= 107:
			s.paper = palette[n-92]
		case n == 39:
			s.ink = ""
		case n == 49:
			s.paper = ""
		case n == 38, n == 48:
			colour, used := extended(codes[i+1:])
			i += used
			if n == 38 {
				s.ink = colour
			} else {
				s.paper = colour
			}
		}
	}
}

// extended is a colour by its number or by its parts, and how many codes say it.
func extended(codes []string) (colour string, used int) {
	at := func(i int) int {
		if i >= len(codes) {
			return 0
		}
		n, _ := strconv.Atoi(codes[i])
		return min(max(n, 0), 255)
	}
	if at(0) == 2 {
		return fmt.Sprintf("#%02x%02x%02x", at(1), at(2), at(3)), 4
	}
	n := at(1)
	switch {
	case n < 16:
		return palette[n], 2
	case n < 232:
		level := func(i int) int { return []int{0, 95, 135, 175, 215, 255}[i%6] }
		return fmt.Sprintf("#%02x%02x%02x", level((n-16)/36), level((n-16)/6), level(n-16)), 2
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey), 2
}

// draw draws a run of characters, stretched to its cells.
func (s style) draw(b *strings.Builder, text string, column, row int) {
	front, back := cmp.Or(s.ink, ink), s.paper
	if s.inverted {
		front, back = cmp.Or(back, paper), front
	}
	x, y := margin+float64(column)*cellWidth, margin+float64(row)*cellHeight
	width := float64(utf8.RuneCountInString(text)) * cellWidth
	if back != "" {
		fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, cellHeight, back)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\" xml:space=\"preserve\" fill=\"%s\"%s>%s</text>\n", x, y+0.75*cellHeight, width, front, s.attributes(), html.EscapeString(text))
}

func (s style) attributes() string {
	var all string
	for _, a := range []struct {
		on   bool
		text string
	}{
		{s.bold, ` font-weight="bold"`}, {s.dim, ` opacity="0.65"`}, {s.italic, ` font-style="italic"`}, {s.underlined, ` text-decoration="underline"`},
	} {
		if a.on {
			all += a.text
		}
	}
	return all
}
