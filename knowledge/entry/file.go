package entry

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Readme holds, in layout files, what a book says around its entries.
const Readme = "README.md"

// Path returns where an entry has its own file in layout files:
// .memory/knowledge/decisions/ADR-007-<slug>.md.
func Path(e Entry) string {
	return Dir(e.Kind) + "/" + e.ID() + "-" + prose.Slug(e.Title) + ".md"
}

// ParseFile reads the file of one entry. A file without an entry, or with
// more than one, is a problem; the first entry is returned then.
func ParseFile(path string, data []byte) (Entry, []knowledge.Problem) {
	b, problems := ParseBook(path, data)
	switch {
	case len(b.Entries) == 0:
		return Entry{}, append(problems, knowledge.Problem{Path: path, Line: 1, Rule: "entry-file", Text: "there is no heading \"## " + prefix(b.Kind) + "-n: title\" in this file"})
	case len(b.Entries) > 1:
		problems = append(problems, knowledge.Problem{Path: path, Line: b.Entries[1].Line, Rule: "entry-file", Text: "a second entry in the file of " + b.Entries[0].ID()})
	}
	return b.Entries[0], problems
}

// File is the content of one file, as a value.
type File struct {
	Path string // repository-relative, slashes
	Data []byte
}

// SplitBook turns a book into the files of layout files: one for each entry with
// all that stands behind it up to the next entry, and, when the book says more
// than its usual header, a README.md with what stands before the first one.
// [JoinBook] puts the same entries with the same bytes together again; blank
// lines around an entry belong to the book and not to the entry.
func SplitBook(b *Book) []File {
	var files []File
	taken := map[string]bool{}
	header := b.raw
	if len(b.Entries) > 0 {
		header = b.raw[:b.Entries[0].Start]
	}
	if !usualHeader(b.Kind, header) {
		files = append(files, File{Dir(b.Kind) + "/" + Readme, header})
	}
	for i, e := range b.Entries {
		end := len(b.raw)
		if i+1 < len(b.Entries) {
			end = b.Entries[i+1].Start
		}
		name := Path(Entry{Kind: b.Kind, Number: e.Number, Title: e.Title})
		if e.Kind != b.Kind {
			name = Dir(b.Kind) + "/" + e.ID() + "-" + prose.Slug(e.Title) + ".md"
		}
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s/%s-%s-%d.md", Dir(b.Kind), e.ID(), prose.Slug(e.Title), n)
		}
		taken[strings.ToLower(name)] = true
		files = append(files, File{name, closeText(b.raw[e.Start:end], b.eol())})
	}
	return files
}

// closeText removes the blank lines at the end of a text and ends its last line.
func closeText(text []byte, eol string) []byte {
	trimmed := bytes.TrimRight(text, " \t\r\n")
	if line, next := textfile.LineAt(text, len(trimmed)); len(trimmed) < len(text) && bytes.IndexByte(text[len(trimmed):], '\n') >= 0 && len(bytes.TrimSpace(line)) == 0 {
		return text[:next:next]
	}
	return append(trimmed[:len(trimmed):len(trimmed)], eol...)
}

// usualHeader says whether a header is the one of [NewBook], whatever its
// count, or nothing at all.
func usualHeader(kind knowledge.Kind, header []byte) bool {
	text := strings.TrimSpace(string(knowledge.NormaliseLines(header)))
	if strings.HasPrefix(text, "<!-- TL;DR: ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	_, usual, _ := strings.Cut(string(NewBook(kind)), "\n")
	return text == "" || text == strings.TrimSpace(usual)
}

// JoinBook turns the files of layout files into a book: README.md or else the
// usual header, then the entries by number, one empty line between them.
func JoinBook(kind knowledge.Kind, files []File) []byte {
	header := NewBook(kind)
	type part struct {
		number int
		name   string
		text   []byte
	}
	var parts []part
	for _, f := range files {
		if strings.HasSuffix(f.Path, "/"+Readme) {
			header = f.Data
			continue
		}
		e, _ := ParseFile(f.Path, f.Data)
		parts = append(parts, part{e.Number, strings.TrimSuffix(f.Path, ".md"), f.Data})
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		if a.number != b.number {
			return a.number - b.number
		}
		return strings.Compare(a.name, b.name)
	})
	eol := (&Book{raw: header}).eol()
	if len(parts) > 0 && bytes.Contains(parts[0].text, []byte("\r\n")) && !bytes.Contains(header, []byte("\r\n")) {
		eol = "\r\n"
		header = bytes.ReplaceAll(header, []byte("\n"), []byte(eol))
	}
	var out bytes.Buffer
	if len(bytes.TrimSpace(header)) > 0 {
		out.Write(closeText(header, eol))
	}
	for _, p := range parts {
		if out.Len() > 0 {
			out.WriteString(eol)
		}
		out.Write(closeText(p.text, eol))
	}
	return summarise(BookPath(kind), out.Bytes())
}

// Layout says how knowledge entries are stored.
type Layout string

const (
	LayoutBook  Layout = "book"
	LayoutFiles Layout = "files"
)
