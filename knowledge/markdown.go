package knowledge

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	mdtext "github.com/yuin/goldmark/text"
)

// blockParser reads the block structure of Markdown and no inline syntax:
// headings, lists, fences and HTML are all that knowledge files are read by.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// document is Markdown with its block structure. Offsets into source are
// offsets into the file.
type document struct {
	source []byte // what was parsed: the file's bytes, some of them blanked
	root   ast.Node
}

// readMarkdown parses a file. Carriage returns before line feeds and a byte
// order mark are read as blanks, which have the same width.
func readMarkdown(data []byte) document {
	source := bytes.ReplaceAll(data, []byte("\r\n"), []byte(" \n"))
	if bytes.HasPrefix(source, byteOrderMark) {
		source = append([]byte("   "), source[3:]...)
	}
	return document{source, blockParser().Parse(mdtext.NewReader(source))}
}

// heading is a heading at the top level of a document.
type heading struct {
	level int
	text  string
	start int // offset of its first line
	end   int // offset behind its last line, the underline included
	node  ast.Node
}

// headings lists those at the top level: one in a quote or a list item is part
// of that text.
func (d document) headings() []heading {
	var all []heading
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		start := d.lineStart(h.Lines().At(0).Start)
		all = append(all, heading{h.Level, d.lines(h), start, d.headingEnd(h, start), h})
	}
	return all
}

func (d document) headingEnd(h *ast.Heading, start int) int {
	last := h.Lines().At(h.Lines().Len() - 1)
	_, end := lineAt(d.source, d.lineStart(max(last.Start, last.Stop-1)))
	if !bytes.HasPrefix(bytes.TrimLeft(d.source[start:], " "), []byte("#")) {
		_, end = lineAt(d.source, end) // the line under the text
	}
	return end
}

// headingAt returns the heading whose first line holds the offset.
func (d document) headingAt(at int) (heading, bool) {
	for _, h := range d.headings() {
		if h.start == d.lineStart(at) {
			return h, true
		}
	}
	return heading{}, false
}

// lineStart returns the offset of the line that holds an offset.
func (d document) lineStart(at int) int { return bytes.LastIndexByte(d.source[:at], '\n') + 1 }

// lines returns the text of a block, its lines trimmed and joined by line feeds.
func (d document) lines(n ast.Node) string {
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

// unclosed says how to close the block that swallows the rest of the document:
// a fence or an HTML block without an end. at is the offset of its first line.
func (d document) unclosed() (closer string, at int, open bool) {
	switch n := d.root.LastChild().(type) {
	case *ast.FencedCodeBlock:
		at = d.fenceStart(n)
		line, _ := lineAt(d.source, at)
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
		return closer, d.lineStart(n.Lines().At(0).Start), open && !bytes.Contains(last.Value(d.source), []byte(closer))
	}
	return "", 0, false
}

// fenceStart returns the offset of a fence's opening line.
func (d document) fenceStart(n *ast.FencedCodeBlock) int {
	if n.Info != nil {
		return d.lineStart(n.Info.Segment.Start)
	}
	if n.Lines().Len() > 0 {
		return d.lineStart(max(0, d.lineStart(n.Lines().At(0).Start)-1))
	}
	return d.lineStart(max(0, min(n.Pos(), len(d.source))))
}

func (d document) fenceClosed(n *ast.FencedCodeBlock, at int, mark byte, width int) bool {
	_, next := lineAt(d.source, at)
	if n.Lines().Len() > 0 {
		next = n.Lines().At(n.Lines().Len() - 1).Stop
	}
	line, _ := lineAt(d.source, min(next, len(d.source)))
	line = bytes.TrimSpace(line)
	return len(line) >= width && len(bytes.Trim(line, string(mark))) == 0
}

// fenced says whether one closed code block at the top level holds the range.
func (d document) fenced(from, to int) bool {
	_, _, open := d.unclosed()
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

// block is the text of a paragraph, heading or list item: its lines, each with a
// line feed behind it.
type block struct {
	text   string
	starts []int // of the lines, in text
	places []int // of the lines, in the source
}

// place turns an offset in the block's text into one in the source.
func (b block) place(at int) int {
	line, found := slices.BinarySearch(b.starts, at)
	if !found {
		line--
	}
	return b.places[line] + at - b.starts[line]
}

// blocks lists the text outside of code and HTML, in order.
func (d document) blocks() []block {
	var all []block
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		}
		if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			all = append(all, d.block(n.Lines()))
		}
		return ast.WalkContinue, nil
	})
	return all
}

func (d document) block(lines *mdtext.Segments) block {
	var b block
	for i := range lines.Len() {
		segment := lines.At(i)
		b.starts, b.places = append(b.starts, len(b.text)), append(b.places, segment.Start)
		b.text += string(d.source[segment.Start:segment.Stop]) + "\n"
	}
	return b
}

// bullets lists the first lines of the items of the top-level lists between two
// headings, with the lines that continue them; without a second one, to the end.
func (d document) bullets(from, to heading) []bullet {
	var all []bullet
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
				all = append(all, bullet{d.lines(block), lines.At(0).Start, lines.At(lines.Len() - 1).Stop})
			}
		}
	}
	return all
}

// bullet is the text of a list item and its byte range.
type bullet struct {
	text       string
	start, end int
}

// bulletsWithin lists the bullets of the top-level lists in a byte range.
func (d document) bulletsWithin(start, end int) []bullet {
	var within []bullet
	if h, ok := d.headingAt(start); ok {
		for _, b := range d.bullets(h, heading{}) {
			if b.start < end {
				within = append(within, b)
			}
		}
	}
	return within
}

// markdownName says whether a file is Markdown by its name.
func markdownName(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".md") }
