package project

import (
	"bytes"
	"slices"
	"strings"
)

// The lines around what init keeps in .gitignore and .gitattributes, files that
// belong to people.
const (
	blockBegin = "# >>> lessons"
	blockEnd   = "# <<< lessons"
)

// putBlock puts lessons' lines at the end of a file, or in place of those that
// it has, with the file's own line ends.
func putBlock(before []byte, lines []string) []byte {
	eol := "\n"
	if bytes.Contains(before, []byte("\r\n")) {
		eol = "\r\n"
	}
	block := strings.Join(slices.Concat([]string{blockBegin}, lines, []string{blockEnd, ""}), eol)
	if start, end, ok := ownBlock(before); ok {
		return slices.Concat(before[:start], []byte(block), before[end:])
	}
	out := slices.Clone(before)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, eol...)
	}
	return append(out, block...)
}

func removeBlock(before []byte) []byte {
	start, end, ok := ownBlock(before)
	if !ok {
		return before
	}
	return slices.Concat(before[:start], before[end:])
}

// ownBlock is the byte range of lessons' lines, line ends included.
func ownBlock(text []byte) (start, end int, ok bool) {
	at, begin := 0, -1
	for line := range bytes.Lines(text) {
		switch strings.TrimSpace(string(line)) {
		case blockBegin:
			begin = at
		case blockEnd:
			if begin >= 0 {
				return begin, at + len(line), true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}
