package scan

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// lineRead is a line of a file, without its indentation, as it was when a call failed: as the
// agent read it between the failure and the first edit of the file, or before the failure
// and behind the last edit. "" where it did not.
func (w *Window) lineRead(path string, number int, failed, edit *Step) string {
	line := ""
	for s := range w.before(edit, edit.Agent) {
		if number == 0 || line != "" && s.seq < failed.seq {
			return line
		}
		switch call := w.Call(s); {
		case s.Kind == transcript.ToolCall && s.Path == path && isEdit(s.Tool):
			if line = ""; s.seq < failed.seq {
				return ""
			}
		case s.Kind == transcript.ToolResult && call != nil && call.Path == path && !isEdit(call.Tool):
			line = cmp.Or(numbered(s.Text, number), line)
		}
	}
	return line
}

// numbered is the line with a number of a text whose lines have theirs before them, without
// its indentation.
func numbered(text string, number int) string {
	mark := strconv.Itoa(number)
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), mark)
		if !ok {
			continue
		}
		for _, sign := range [...]string{"→", "\t", ". ", ": "} {
			if source, ok := strings.CutPrefix(rest, sign); ok {
				return strings.TrimSpace(source)
			}
		}
	}
	return ""
}

// line is the number of the line where the place is, 0 where the linter does not say.
func (b breach) line() int {
	m := lineNumber().FindStringSubmatch(b.says)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(cmp.Or(m[1:]...))
	return n
}

// lineNumber matches the number of the line behind a file's name, or at the beginning of a
// line below the name.
var lineNumber = automata.Lazily(`^(?:\[[^\]]+\] )?\S+\.\w+[:(](\d+)|^\s*(\d+):\d+\s`)
