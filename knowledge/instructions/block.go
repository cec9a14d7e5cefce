package instructions

import (
	"bytes"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// Comments around the part of a file that this tool writes.
const (
	BlockBegin = "<!-- lessons:begin"
	BlockEnd   = "<!-- lessons:end"
)

// Block finds the part of a file that this tool wrote, with its marker lines.
func Block(data []byte) (start, end int, ok bool) {
	at := 0
	start = -1
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff"))
		switch {
		case strings.HasPrefix(text, BlockBegin):
			start = at + bytes.Index(line, []byte(BlockBegin))
		case start >= 0 && strings.HasPrefix(text, BlockEnd):
			return start, at + len(line), true
		}
		at += len(line)
	}
	return 0, 0, false
}

// Unended is the line of a beginning of our part that has no end; 0: there is none.
func Unended(data []byte) int {
	begin := bytes.LastIndex(data, []byte(BlockBegin))
	if begin < 0 || bytes.Contains(data[begin:], []byte(BlockEnd)) {
		return 0
	}
	return 1 + bytes.Count(data[:begin], []byte("\n"))
}

// readable is a file in which what no person wrote for an agent is blanked: front matter,
// and what tools keep between a comment with "begin" or "start" and the same one with
// "end". A line that is a tag alone is blanked too, because what stands below it would be
// read as HTML. Nothing moves.
func readable(data []byte, body int) []byte {
	text := bytes.Clone(data)
	at, closer := 0, ""
	for line := range bytes.Lines(data) {
		mark := strings.ToLower(strings.TrimSpace(string(line)))
		next := at + len(line)
		switch {
		case at < body, closer != "", tagAlone().MatchString(mark):
			blank(text[at:next])
			if closer != "" && strings.HasPrefix(mark, closer) {
				closer = ""
			}
		case strings.HasPrefix(mark, "<!--"):
			if end := closing(mark); end != "" && bytes.Contains(bytes.ToLower(data[next:]), []byte(end)) {
				closer = end
				blank(text[at:next])
			}
		}
		at = next
	}
	return text
}

var (
	opening  = automata.Lazily(`(?:begin|start)\b`)
	tagAlone = automata.Lazily(`^</?[a-z][\w-]*(?: [^<>]*)?>$`)
)

// closing is how the comment begins that closes the part which this one opens; "": it
// opens none.
func closing(comment string) string {
	at := opening().FindStringIndex(comment)
	if at == nil {
		return ""
	}
	return strings.TrimRight(comment[:at[0]]+"end"+comment[at[1]:], " ->")
}

func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
