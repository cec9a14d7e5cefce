package scan

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
)

// maxExample is the longest text of an example, in bytes, and maxExampleLines its most lines.
const maxExample, maxExampleLines = 160, 4

// example is the first edit between two calls that mended a rule at a place where the
// linter reported it; where it is the only rule and shows no lines, the shortest of the
// edits, if there is one of one line for each place. An edit that turns the
// linter off is none.
func (w *Window) example(rule string, f *fault, from, to *Step) lineChange {
	places := f.rules[rule].places
	var change lineChange
	for s := range w.between(from, to) { // the newest comes first
		if !isEdit(s.Tool) || !changesFiles(s) {
			continue
		}
		hunks := hunksOf(s.change())
		for _, place := range places {
			if !place.in(s.Path) {
				continue
			}
			if place.source == "" {
				place.source = w.lineRead(s.Path, place.line(), from, s)
			}
			if c := place.mendedBy(hunks); c != (lineChange{}) && !safeguard.MatchString(c.now) {
				change = c
			}
		}
	}
	shown := slices.ContainsFunc(places, func(b breach) bool { return b.source != "" })
	if change != (lineChange{}) || shown || len(f.rules) > 1 {
		return change
	}
	return w.lineForEach(places, from, to)
}

// lineForEach is the shortest of the edits between two calls where there are as many as
// places, and each of them changed one line in a file with such a place; else nothing.
func (w *Window) lineForEach(places []breach, from, to *Step) (shortest lineChange) {
	n := 0
	for s := range w.between(from, to) {
		if !isEdit(s.Tool) || !changesFiles(s) {
			continue
		}
		c := oneChange(s.change())
		inPlace := slices.ContainsFunc(places, func(b breach) bool { return b.in(s.Path) })
		if n++; !inPlace || c.old == "" || c.now == "" || safeguard.MatchString(c.now) {
			return lineChange{}
		}
		if shortest == (lineChange{}) || len(c.old)+len(c.now) <= len(shortest.old)+len(shortest.now) {
			shortest = c
		}
	}
	if n != len(places) {
		return lineChange{}
	}
	return shortest
}

// in says whether a place may be in a file. Some linters do not name the file in each line.
func (b breach) in(path string) bool {
	named := sourceFile().FindStringSubmatch(b.says)
	if named == nil || path == "" {
		return true
	}
	path, file := strings.ReplaceAll(path, `\`, "/"), strings.TrimPrefix(strings.ReplaceAll(named[1], `\`, "/"), "./")
	return path == file || strings.HasSuffix(path, "/"+file) || strings.HasSuffix(file, "/"+path)
}

// sourceFile matches the place that leads a linter's line.
var sourceFile = automata.Lazily(`^(?:\[[^\]]+\] )?(\S+\.\w+)[:(]\d+`)

// mendedBy is what an edit made of a place: of the line that the linter shows, else of a
// line with the names that its message quotes; or the line that brought them.
func (b breach) mendedBy(hunks []hunk) lineChange {
	for _, h := range hunks {
		if i := slices.IndexFunc(h.gone, b.shows); i >= 0 {
			return h.insteadOf(i).within(hunks)
		}
	}
	names := b.names()
	for _, h := range hunks {
		came := slices.IndexFunc(h.came, func(line string) bool { return hasAny(line, names) })
		switch {
		case len(h.gone) == 1 && hasAny(h.gone[0], names):
			if b.source == "" {
				return h.insteadOf(0)
			}
		case came >= 0 && !slices.ContainsFunc(h.gone, func(line string) bool { return hasAny(line, names) }):
			c := lineChange{now: h.came[came]}
			if len(h.gone) == 1 {
				c.old = h.gone[0]
			}
			return c.short()
		}
	}
	return lineChange{}
}

// shows says whether the linter shows a line as the place: below its message, or in quotes
// there, as markdownlint does in [Context: "…"].
func (b breach) shows(line string) bool {
	return line == b.source || b.source == "" && strings.Contains(b.says, `"`+line+`"`)
}

// names are what the message says of the sources there, each without what qualifies it.
func (b breach) names() []string {
	p := rulePatterns
	says := p.place.ReplaceAllString(b.says, "")
	var names []string
	for _, m := range namesInMessage().FindAllStringSubmatch(says, -1) {
		name := cmp.Or(m[1:]...)
		name = name[strings.LastIndexAny(name, ".:>")+1:]
		if len(name) > 2 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// namesInMessage match what stands in quotes, and words that only sources have.
var namesInMessage = automata.Lazily("[`'\"]([\\w.:>-]{3,60})[`'\"]|\\b([A-Za-z_]\\w*(?:(?:\\.|::|->)[A-Za-z_]\\w*)+)\\b|\\b([A-Za-z]+[a-z][A-Z]\\w*)\\b")

// hasAny says whether one of the names stands in a line as a word.
func hasAny(line string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		for at := 0; ; {
			i := strings.Index(line[at:], name)
			if i < 0 {
				return false
			}
			at += i + len(name)
			if !wordAt(line, at-len(name)-1) && !wordAt(line, at) {
				return true
			}
		}
	})
}

func wordAt(line string, i int) bool {
	return i >= 0 && i < len(line) && (line[i] == '_' || line[i] >= '0' && line[i] <= '9' || line[i]|0x20 >= 'a' && line[i]|0x20 <= 'z')
}

// hunk is lines that others took the place of, all without their indentation, and without
// those that are comments alone.
type hunk struct{ gone, came []string }

// hunksOf are the hunks of an edit, none of a file that was written.
func hunksOf(made replacement) []hunk {
	if made.old == "" {
		return nil
	}
	old, now := unindented(made.old), unindented(made.new)
	return lists.Map(udiff.Lines(old, now), func(e udiff.Edit) hunk { return hunk{withoutComments(old[e.Start:e.End]), withoutComments(e.New)} })
}

// withoutComments are the lines of a text that are more than a comment.
func withoutComments(text string) []string {
	return slices.DeleteFunc(trimmedLines(text), func(line string) bool { return strings.HasPrefix(line, "// ") })
}

func unindented(text string) string { return strings.Join(trimmedLines(text), "\n") + "\n" }

// insteadOf is what took the place of a line: the line at its place, or all that came where
// the hunk begins with it.
func (h hunk) insteadOf(i int) lineChange {
	c := lineChange{old: h.gone[i]}
	switch {
	case len(h.came) == 0:
		return c.short()
	case len(h.gone) == len(h.came):
		c.now = h.came[i]
	case i == 0:
		c.now = joined(h.came)
	}
	if c.now == "" {
		return lineChange{}
	}
	return c.short()
}

// within is a change, nothing where what the line called is called on another line now: the
// hunks are not aligned with what was meant.
func (c lineChange) within(hunks []hunk) lineChange {
	for _, m := range calledName().FindAllStringSubmatch(c.old, -1) {
		called := []string{m[1]}
		if c.now == "" || hasAny(c.now, called) {
			continue
		}
		for _, h := range hunks {
			if slices.ContainsFunc(h.came, func(line string) bool { return hasAny(line, called) }) {
				return lineChange{}
			}
		}
	}
	return c
}

var calledName = automata.Lazily(`(\w+)\(`)

// joined writes a few lines of a source as one; "" where they are too many.
func joined(lines []string) string {
	if len(lines) > maxExampleLines {
		return ""
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteString(separator(lines[i-1], line))
		}
		b.WriteString(line)
	}
	return b.String()
}

// separator is what stands between two lines of a source that are written as one.
func separator(line, next string) string {
	if strings.ContainsAny(line[len(line)-1:], "{}[(,;:>\\") || strings.ContainsAny(next[:1], "{})].?&|") {
		return " "
	}
	return "; "
}

// short is a change, nothing where it is too long to be read, or leaves only signs.
func (c lineChange) short() lineChange {
	if tooLong(c.old) || len(c.now) > maxExample || c.now != "" && !strings.ContainsFunc(c.now, unicode.IsLetter) {
		return lineChange{}
	}
	return c
}
