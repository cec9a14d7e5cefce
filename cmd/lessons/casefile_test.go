package main

import (
	"strings"
)

// caseLine is a line of a case with the lines that stand below it, indented.
type caseLine struct {
	number int
	text   string
	below  []*caseLine
	indent int
}

// readCase reads a case: a tree of lines by their indentation. Empty lines, and
// lines that begin with # at the left margin, say nothing to the runner.
func readCase(text string) []*caseLine {
	root := &caseLine{indent: -1}
	path := []*caseLine{root}
	for i, raw := range strings.Split(text, "\n") {
		words := strings.TrimLeft(raw, " ")
		if words == "" || strings.HasPrefix(raw, "#") {
			continue
		}
		l := &caseLine{number: i + 1, text: words, indent: len(raw) - len(words)}
		for path[len(path)-1].indent >= l.indent {
			path = path[:len(path)-1]
		}
		above := path[len(path)-1]
		above.below = append(above.below, l)
		path = append(path, l)
	}
	return root.below
}

// block is the text of lines and of all below them, as it was written but for the
// indentation that all share.
func block(lines []*caseLine) string {
	if len(lines) == 0 {
		return ""
	}
	least := lines[0].indent
	var b strings.Builder
	var add func(lines []*caseLine)
	add = func(lines []*caseLine) {
		for _, l := range lines {
			b.WriteString(strings.Repeat(" ", max(0, l.indent-least)) + l.text + "\n")
			add(l.below)
		}
	}
	add(lines)
	return b.String()
}

// split takes the checks (lines that begin with "=>") out of the lines below another.
func (l *caseLine) split() (checks, rest []*caseLine) {
	for _, b := range l.below {
		if strings.HasPrefix(b.text, "=> ") {
			checks = append(checks, b)
		} else {
			rest = append(rest, b)
		}
	}
	return checks, rest
}

// with is the line with words replaced, and so are those below it.
func (l *caseLine) with(words *strings.Replacer) *caseLine {
	other := *l
	other.text = words.Replace(l.text)
	other.below = nil
	for _, b := range l.below {
		other.below = append(other.below, b.with(words))
	}
	return &other
}
