// Package instructions reads the files in which people tell agents what to do: AGENTS.md,
// CLAUDE.md, rules of editors, and what agents remember.
//
//	kind.go       which files those are
//	scope.go      for which files of the repository one holds
//	block.go      what people wrote of it, and what tools did
//	passage.go    its headings, items, paragraphs and code, with their lines
//	statement.go  the instructions among them
//	note.go       what agents remember, one file each
package instructions

import (
	"bytes"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// File is an instruction file taken apart.
type File struct {
	Path     string // in the repository
	Kind     Kind
	Scope    []string // globs of the files for which it holds; none: all
	Imports  []Import // other files that it brings in: "@docs/style.md"
	Passages []Passage
	note     *note // of a memory in a file of its own; nil: it is none
}

// Read takes a file apart. Own parts of tools are left out.
func Read(path string, data []byte) File {
	f := File{Path: path}
	f.Kind, _ = KindOf(path)
	if strings.HasSuffix(path, ".patch") {
		data = added(data)
	}
	values, body := properties(data)
	globs := lists.Flat(f.Kind.Scopes, func(key string) []string { return values[key] })
	f.Scope = scopeOf(FolderOf(path), globs)
	f.Passages = passages(readable(data, body))
	f.note = noteOf(values)
	f.Imports = append(f.Imports, lists.Flat(f.Passages, Passage.imports)...)
	return f
}

// added is what a patch adds, each line in its place: what Gemini proposes to remember.
func added(patch []byte) []byte {
	var text bytes.Buffer
	for line := range bytes.Lines(patch) {
		if rest, ok := bytes.CutPrefix(line, []byte("+")); ok && !bytes.HasPrefix(line, []byte("+++ ")) {
			text.Write(rest)
		} else {
			text.WriteByte('\n')
		}
	}
	return text.Bytes()
}
