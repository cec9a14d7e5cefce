package publish

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/instructions"
)

// A block is our part of a file: a marker, what made it, the lines, and a marker with
// their hash, by which an edit inside is seen. How it stands in its file says what was
// there before: of a file that ended without a line end it ends without one too.
const (
	begin  = instructions.BlockBegin + " -->"
	madeBy = "<!-- Written by `lessons publish`. Change the lesson, not this text. -->"
)

// Has says whether a file has our part.
func Has(data []byte) bool {
	_, _, ok := instructions.Block(data)
	return ok
}

// block is our part with LF line ends, without the last one.
func block(lines []string) string {
	body := strings.Join(slices.Concat([]string{madeBy}, lines), "\n")
	return begin + "\n" + body + "\n" + instructions.BlockEnd + " " + hash(body) + " -->"
}

func hash(body string) string { return knowledge.Digest("", 8, "published", body) }

// linesOf are the lines of a block, and whether they are those that were written.
func linesOf(block []byte) (lines []string, whole bool) {
	all := strings.Split(strings.TrimRight(strings.ReplaceAll(string(block), "\r\n", "\n"), "\n"), "\n")
	body := all[1 : len(all)-1]
	whole = strings.TrimSpace(all[0]) == begin && strings.TrimSpace(all[len(all)-1]) == instructions.BlockEnd+" "+hash(strings.Join(body, "\n"))+" -->"
	if len(body) > 0 && body[0] == madeBy {
		body = body[1:]
	}
	return body, whole
}

const (
	edited     = "our part was edited by hand. Make the change in the lesson (lessons edit ID), delete the part, and run: lessons publish"
	conflicted = "it has conflicts outside of our part. Settle them, and run: lessons publish"
	unended    = "our part begins here and has no end. Put the line <!-- lessons:end --> below it, or delete it, and run: lessons publish"
)

// put brings our part of a file up to date, or takes it out; nil: there is no file then.
// kept says why it stays as it is.
func put(before []byte, f file) (after []byte, kept string) {
	before, merged, ok := settled(before)
	if !ok {
		return nil, conflicted
	}
	if instructions.Unended(before) > 0 {
		return nil, unended
	}
	start, end, found := instructions.Block(before)
	if found {
		if _, whole := linesOf(before[start:end]); !whole && !merged {
			return nil, edited
		}
	}
	switch {
	case found && len(f.lines) == 0:
		return without(before, start, end), ""
	case found:
		return replaced(before, start, end, f.lines), ""
	case len(f.lines) == 0:
		return before, ""
	}
	return appended(before, f), ""
}

// replaced is a file with other lines in our part.
func replaced(before []byte, start, end int, lines []string) []byte {
	eol := eolOf(before[start:end])
	text := asLines(block(lines), eol)
	if bytes.HasSuffix(before[:end], []byte("\n")) {
		text += eol
	}
	return slices.Concat(before[:start], []byte(text), before[end:])
}

// lineOf is the line in which our part begins; 1 where there is none.
func lineOf(data []byte) int {
	return knowledge.LineAt(data, bytes.Index(data, []byte(instructions.BlockBegin)))
}

// appended is a file with our part behind a blank line.
func appended(before []byte, f file) []byte {
	eol := eolOf(before)
	text := asLines(block(f.lines), eol)
	switch {
	case before == nil:
		return []byte(f.head + text + eol)
	case len(before) == 0:
		return []byte(text)
	case bytes.HasSuffix(before, []byte("\n")):
		return slices.Concat(before, []byte(eol+text+eol))
	}
	return slices.Concat(before, []byte(eol+eol+text))
}

// without takes our part out again, and with it what [appended] put around it.
func without(before []byte, start, end int) []byte {
	head, tail := before[:start], before[end:]
	ended := bytes.HasSuffix(before[:end], []byte("\n"))
	if len(tail) > 0 { // somebody wrote behind it
		return slices.Concat(head, tail)
	}
	switch {
	case ended && (len(head) == 0 || ownHead(head)):
		return nil
	case len(head) == 0:
		return []byte{}
	}
	eol := []byte(eolOf(before[start:end]))
	head = bytes.TrimSuffix(head, eol)
	if !ended {
		head = bytes.TrimSuffix(head, eol)
	}
	return slices.Clone(head)
}

// ownHead says whether front matter is all that stands before our part: a file of rules.
func ownHead(head []byte) bool {
	return bytes.HasPrefix(head, []byte("---")) && bytes.HasSuffix(bytes.TrimRight(head, "\r\n"), []byte("\n---")) && bytes.Count(head, []byte("---")) == 2 && !bytes.HasSuffix(head, []byte("\n\n")) && !bytes.HasSuffix(head, []byte("\n\r\n"))
}

func eolOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func asLines(text, eol string) string { return strings.ReplaceAll(text, "\n", eol) }
