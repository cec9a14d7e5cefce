package entry

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/markdown"
)

// Folders and files of knowledge entries, repository-relative. An entry has its place in a book or, in layout files, in the book's folder.
const (
	Folder        = ".memory/knowledge"
	DecisionsPath = Folder + "/decisions.md"
	PitfallsPath  = Folder + "/pitfalls.md"
	DecisionsDir  = Folder + "/decisions"
	PitfallsDir   = Folder + "/pitfalls"
)

// BookPath returns the book of a kind of entry.
func BookPath(kind knowledge.Kind) string {
	if kind == knowledge.KindPF {
		return PitfallsPath
	}
	return DecisionsPath
}

// Noun is what entries of a kind are called.
func Noun(kind knowledge.Kind) string {
	if kind == knowledge.KindPF {
		return "pitfalls"
	}
	return "decisions"
}

// BookPaths lists the books.
func BookPaths() []string { return []string{DecisionsPath, PitfallsPath} }

// Dir returns the folder of a kind's entry files.
func Dir(kind knowledge.Kind) string {
	if kind == knowledge.KindPF {
		return PitfallsDir
	}
	return DecisionsDir
}

// Book is a file of entries: one of the two books, or the file of one entry.
// Whatever in it is not an entry belongs to people and keeps its bytes.
type Book struct {
	Kind    knowledge.Kind
	Path    string
	Entries []Entry // in order of appearance

	raw       []byte
	doc       markdown.Document
	conflicts [][2]int // byte ranges between the markers of merge conflicts
}

// Bytes returns the file as it was read.
func (b *Book) Bytes() []byte { return b.raw }

// NewBook returns an empty book with its header.
func NewBook(kind knowledge.Kind) []byte {
	if kind == knowledge.KindPF {
		return []byte("<!-- TL;DR: 0 pitfalls. Key: -->\n# Known Pitfalls\n\nArea-specific gotchas, fragile areas, and past bugs.\n")
	}
	return []byte("<!-- TL;DR: 0 decisions. Key: -->\n# Architectural Decisions\n\nA decision that no longer holds keeps its entry and changes its status.\n")
}

// ParseBook reads a book or an entry file. Its entries are the level-2 headings
// "ADR-n: title" and "PF-n: title" at the top level of the Markdown (in an entry
// file also level 1), each up to the next heading of level 1 or 2: not what
// looks like one in a code fence, a comment or a quote. Merge conflict markers,
// numbers that stand twice and blocks without an end are problems with their
// line, and the entries around them are still read.
func ParseBook(path string, data []byte) (*Book, []knowledge.Problem) {
	b := &Book{Kind: bookKind(path), Path: path, raw: data}
	b.doc = markdown.Read(data)
	clean, problems := b.blankConflicts()
	if clean != nil {
		b.doc = markdown.Read(clean)
	}
	heads := b.doc.Headings()
	line, counted := 1, 0
	for i, h := range heads {
		kind, number, title, ok := readHeading(h.Text)
		if !ok || h.Level > 2 || (h.Level == 1 && !IsFile(path)) {
			if ok = ok && h.Level == 1; !ok && h.Level == 2 {
				problems = append(problems, b.almostEntry(h)...)
			}
			continue
		}
		line += bytes.Count(data[counted:h.Start], []byte("\n"))
		counted = h.Start
		e := Entry{Kind: kind, Number: number, Title: title, Path: path, Start: h.Start, End: len(data), Line: line}
		if h.Start == 0 && bytes.HasPrefix(data, textfile.ByteOrderMark) {
			e.Start = len(textfile.ByteOrderMark)
		}
		var next markdown.Heading
		for _, after := range heads[i+1:] {
			if after.Level <= 2 {
				e.End, next = after.Start, after
				break
			}
		}
		b.section(&e, h, next)
		b.Entries = append(b.Entries, e)
	}
	problems = append(problems, b.duplicates()...)
	if closer, at, open := b.doc.Unclosed(); open {
		problems = append(problems, b.problem(at, "book-unclosed", fmt.Sprintf("the block that begins here is never closed by %q and hides what follows it", closer)))
	}
	if b.Kind == "" && len(b.Entries) > 0 {
		b.Kind = b.Entries[0].Kind
	}
	return b, problems
}

// section fills in what stands between a heading and the next one.
func (b *Book) section(e *Entry, head, next markdown.Heading) {
	end := e.Start + len(bytes.TrimRight(b.raw[e.Start:e.End], " \t\r\n"))
	if line, after := textfile.LineAt(b.raw, end); len(bytes.TrimSpace(line)) == 0 {
		end = after
	}
	e.End = min(end, e.End)
	e.Text = b.raw[e.Start:e.End:e.End]
	if n := len(e.Text); n == 0 || e.Text[n-1] != '\n' {
		e.Text = append(e.Text, b.eol()...)
	}
	for _, item := range b.doc.Bullets(head, next) {
		name, value, ok := readBullet(item.Text)
		if !ok {
			continue
		}
		e.Fields = append(e.Fields, Field{name, value})
		if strings.EqualFold(name, FieldSource) && e.Source == "" {
			e.Source = knowledge.MarkedID(value)
		}
	}
}

// readHeading splits "ADR-001: title". The separator may be a colon or a dash.
func readHeading(text string) (kind knowledge.Kind, number int, title string, ok bool) {
	text, _, _ = strings.Cut(text, "\n")
	prefix, rest, found := strings.Cut(text, "-")
	switch {
	case !found:
		return "", 0, "", false
	case prefix == "ADR":
		kind = knowledge.KindADR
	case prefix == "PF":
		kind = knowledge.KindPF
	default:
		return "", 0, "", false
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	number, ok = readNumber(digits)
	if !ok {
		return "", 0, "", false
	}
	rest = rest[len(digits):]
	title = strings.TrimLeft(rest, " \t")
	for _, separator := range []string{":", "—", "–", "-"} {
		if after, found := strings.CutPrefix(title, separator); found {
			return kind, number, markdown.DecodeHeading(after), true
		}
	}
	if title != "" && title == rest {
		return "", 0, "", false // ADR-001b is not ADR-001
	}
	return kind, number, markdown.DecodeHeading(title), true
}

// readBullet splits "**Name**: value", with the colon inside or outside of the
// bold text.
func readBullet(text string) (name, value string, ok bool) {
	rest, ok := strings.CutPrefix(text, "**")
	if !ok {
		return "", "", false
	}
	name, value, ok = strings.Cut(rest, "**")
	if !ok || strings.Contains(name, "\n") {
		return "", "", false
	}
	value = strings.TrimLeft(value, " \t")
	inside := strings.HasSuffix(name, ":")
	name = strings.TrimSpace(strings.TrimSuffix(name, ":"))
	value, outside := strings.CutPrefix(value, ":")
	if name == "" || (!inside && !outside) {
		return "", "", false
	}
	return name, markdown.DecodeInline(strings.TrimSpace(value)), true
}

func bookKind(path string) knowledge.Kind {
	switch {
	case strings.HasSuffix(path, "decisions.md"), strings.Contains(path, "knowledge/decisions/"):
		return knowledge.KindADR
	case strings.HasSuffix(path, "pitfalls.md"), strings.Contains(path, "knowledge/pitfalls/"):
		return knowledge.KindPF
	}
	return ""
}

// IsFile says whether the path is that of an entry's own file.
func IsFile(path string) bool {
	return strings.Contains(path, "knowledge/decisions/") || strings.Contains(path, "knowledge/pitfalls/")
}

func (b *Book) problem(offset int, rule, text string) knowledge.Problem {
	return knowledge.Problem{Path: b.Path, Line: knowledge.LineAt(b.raw, offset), Rule: rule, Text: text}
}

// eol returns the line end that the file uses.
func (b *Book) eol() string {
	if i := bytes.IndexByte(b.raw, '\n'); i > 0 && b.raw[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
