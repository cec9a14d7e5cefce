// markdown Package markdown reads the structure of Markdown, and encodes text for a heading or
// a line of it.
package markdown

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	mdtext "github.com/yuin/goldmark/text"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// blockParser reads the block structure of Markdown and no inline syntax:
// headings, lists, fences and HTML are all that knowledge files are read by.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// Document is Markdown with its block structure. Offsets into source are
// offsets into the file.
type Document struct {
	source []byte // what was parsed: the file's bytes, some of them blanked
	root   ast.Node
}

// Read parses a file. Carriage returns before line feeds and a byte
// order mark are read as blanks, which have the same width.
func Read(data []byte) Document {
	source := bytes.ReplaceAll(data, []byte("\r\n"), []byte(" \n"))
	if bytes.HasPrefix(source, textfile.ByteOrderMark) {
		source = append([]byte("   "), source[3:]...)
	}
	flatten(source)
	return Document{source, blockParser().Parse(mdtext.NewReader(source))}
}

// maxOpened is how many quotes and lists a line may open. The parser nests them in
// quadratic time.
const maxOpened = 64

// flatten makes text of what a line opens beyond that.
func flatten(source []byte) {
	for line := range bytes.Lines(source) {
		opened := 0
		for i := 0; i < len(line) && strings.IndexByte(" \t>-*+.)0123456789", line[i]) >= 0; i++ {
			if opens(line, i) {
				opened++
			}
			if opened > maxOpened {
				line[i] = '_'
				break
			}
		}
	}
}

// opens says whether a quote or a list item is opened at a place of a line's beginning.
func opens(line []byte, i int) bool {
	blankNext := i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t')
	switch line[i] {
	case '>':
		return true
	case '-', '*', '+':
		return blankNext
	case '.', ')':
		return blankNext && i > 0 && line[i-1] >= '0' && line[i-1] <= '9'
	}
	return false
}

// Heading is a heading at the top level of a document.
type Heading struct {
	Level int
	Text  string
	Start int // offset of its first line
	End   int // offset behind its last line, the underline included
	node  ast.Node
}

// Headings lists those at the top level: one in a quote or a list item is part
// of that text.
func (d Document) Headings() []Heading {
	var all []Heading
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		start := d.LineStart(h.Lines().At(0).Start)
		all = append(all, Heading{h.Level, d.lines(h), start, d.headingEnd(h, start), h})
	}
	return all
}

func (d Document) headingEnd(h *ast.Heading, start int) int {
	last := h.Lines().At(h.Lines().Len() - 1)
	_, end := textfile.LineAt(d.source, d.LineStart(max(last.Start, last.Stop-1)))
	if !bytes.HasPrefix(bytes.TrimLeft(d.source[start:], " "), []byte("#")) {
		_, end = textfile.LineAt(d.source, end) // the line under the text
	}
	return end
}

// HeadingAt returns the heading whose first line holds the offset.
func (d Document) HeadingAt(at int) (Heading, bool) {
	return lists.Find(d.Headings(), func(h Heading) bool { return h.Start == d.LineStart(at) })
}

// LineStart returns the offset of the line that holds an offset.
func (d Document) LineStart(at int) int { return bytes.LastIndexByte(d.source[:at], '\n') + 1 }

// lines returns the text of a block, its lines trimmed and joined by line feeds.
func (d Document) lines(n ast.Node) string {
	var b bytes.Buffer
	for i := range n.Lines().Len() {
		if i > 0 {
			b.WriteByte('\n')
		}
		segment := n.Lines().At(i)
		b.Write(bytes.TrimSpace(segment.Value(d.source)))
	}
	return b.String()
}

// Unclosed says how to close the block that swallows the rest of the document:
// a fence or an HTML block without an end. at is the offset of its first line.
func (d Document) Unclosed() (closer string, at int, open bool) {
	switch n := d.root.LastChild().(type) {
	case *ast.FencedCodeBlock:
		at = d.fenceStart(n)
		line, _ := textfile.LineAt(d.source, at)
		line = bytes.TrimLeft(line, " ")
		width := 0
		for width < len(line) && line[width] == line[0] {
			width++
		}
		closer = string(line[:width])
		return closer, at, width >= 3 && !d.fenceClosed(n, at, line[0], width)
	case *ast.HTMLBlock:
		if n.HasClosure() || n.Lines().Len() == 0 {
			return "", 0, false
		}
		closers := map[ast.HTMLBlockType]string{
			ast.HTMLBlockType1: "</script></style></pre></textarea>", ast.HTMLBlockType2: "-->",
			ast.HTMLBlockType3: "?>", ast.HTMLBlockType4: ">", ast.HTMLBlockType5: "]]>",
		}
		closer, open = closers[n.HTMLBlockType]
		last := n.Lines().At(n.Lines().Len() - 1)
		return closer, d.LineStart(n.Lines().At(0).Start), open && !bytes.Contains(last.Value(d.source), []byte(closer))
	}
	return "", 0, false
}

// fenceStart returns the offset of a fence's opening line.
func (d Document) fenceStart(n *ast.FencedCodeBlock) int {
	if n.Info != nil {
		return d.LineStart(n.Info.Segment.Start)
	}
	if n.Lines().Len() > 0 {
		return d.LineStart(max(0, d.LineStart(n.Lines().At(0).Start)-1))
	}
	return d.LineStart(max(0, min(n.Pos(), len(d.source))))
}

func (d Document) fenceClosed(n *ast.FencedCodeBlock, at int, mark byte, width int) bool {
	_, next := textfile.LineAt(d.source, at)
	if n.Lines().Len() > 0 {
		next = n.Lines().At(n.Lines().Len() - 1).Stop
	}
	line, _ := textfile.LineAt(d.source, min(next, len(d.source)))
	line = bytes.TrimSpace(line)
	return len(line) >= width && len(bytes.Trim(line, string(mark))) == 0
}

// Fenced says whether one closed code block at the top level holds the range.
func (d Document) Fenced(from, to int) bool {
	_, _, open := d.Unclosed()
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok || block.Lines().Len() == 0 || (open && n == d.root.LastChild()) {
			continue
		}
		if block.Lines().At(0).Start <= from && to < block.Lines().At(block.Lines().Len()-1).Stop {
			return true
		}
	}
	return false
}

// Role is what a block is in its document.
type Role int

const (
	Paragraph Role = iota
	Item           // the text of a list item, or a part of it
	Title          // a heading
	Quote
	Code // of a fence, or indented
)

// Block is the text of a paragraph, heading, list item or piece of code: its lines, each
// with a line feed behind it.
type Block struct {
	Text   string
	Role   Role
	Level  int    // of a heading; how many lists an item is in
	Info   string // what a fence says of its code: "sh"
	Step   bool   // of an item: its list has numbers
	starts []int  // of the lines, in text
	places []int  // of the lines, in the source
}

// Place turns an offset in the block's text into one in the source.
func (b Block) Place(at int) int {
	line, found := slices.BinarySearch(b.starts, at)
	if !found {
		line--
	}
	return b.places[line] + at - b.starts[line]
}

// Blocks lists the text outside of code and HTML, in order.
func (d Document) Blocks() []Block {
	return slices.DeleteFunc(d.Parts(), func(b Block) bool { return b.Role == Code })
}

// Parts lists the text outside of HTML, in order.
func (d Document) Parts() []Block {
	var all []Block
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, html := n.(*ast.HTMLBlock); html {
			return ast.WalkSkipChildren, nil
		}
		if entering && n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			b := d.block(n.Lines())
			b.Role, b.Level, b.Info = d.roleOf(n)
			b.Step = b.Role == Item && isStep(n)
			all = append(all, b)
		}
		return ast.WalkContinue, nil
	})
	return all
}

func (d Document) roleOf(n ast.Node) (role Role, level int, info string) {
	switch n := n.(type) {
	case *ast.Heading:
		return Title, n.Level, ""
	case *ast.FencedCodeBlock:
		return Code, 0, string(n.Language(d.source))
	case *ast.CodeBlock:
		return Code, 0, ""
	}
	for up := n.Parent(); up != nil; up = up.Parent() {
		switch up.(type) {
		case *ast.ListItem:
			role, level = Item, level+1
		case *ast.Blockquote:
			return Quote, 0, ""
		}
	}
	return role, level, ""
}

// isStep says whether the list of an item has numbers.
func isStep(n ast.Node) bool {
	for up := n.Parent(); up != nil; up = up.Parent() {
		if list, ok := up.(*ast.List); ok {
			return list.IsOrdered()
		}
	}
	return false
}

func (d Document) block(lines *mdtext.Segments) Block {
	var b Block
	for i := range lines.Len() {
		segment := lines.At(i)
		b.starts, b.places = append(b.starts, len(b.Text)), append(b.places, segment.Start)
		b.Text += string(d.source[segment.Start:segment.Stop]) + "\n"
	}
	return b
}

// Bullets lists the first lines of the items of the top-level lists between two
// headings, with the lines that continue them; without a second one, to the end.
func (d Document) Bullets(from, to Heading) []Bullet {
	var all []Bullet
	for n := from.node.NextSibling(); n != nil && n != to.node; n = n.NextSibling() {
		if _, ok := n.(*ast.List); !ok {
			continue
		}
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			block := item.FirstChild()
			if block == nil || block.Lines() == nil || block.Lines().Len() == 0 {
				continue
			}
			switch block.(type) {
			case *ast.TextBlock, *ast.Paragraph:
				lines := block.Lines()
				all = append(all, Bullet{d.lines(block), lines.At(0).Start, lines.At(lines.Len() - 1).Stop})
			}
		}
	}
	return all
}

// Bullet is the text of a list item and its byte range.
type Bullet struct {
	Text       string
	Start, End int
}

// BulletsWithin lists the bullets of the top-level lists in a byte range.
func (d Document) BulletsWithin(start, end int) []Bullet {
	var within []Bullet
	if h, ok := d.HeadingAt(start); ok {
		within = append(within, lists.Filter(d.Bullets(h, Heading{}), func(b Bullet) bool { return b.Start < end })...)
	}
	return within
}

// IsFile says whether a file is Markdown by its name.
func IsFile(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".md") }

// Sides are the versions of a file that git left with conflict markers.
func Sides(data []byte) (ours, theirs []byte, conflict bool) {
	v, conflict := textfile.SplitConflicts(data)
	return v.Ours, v.Theirs, conflict
}
