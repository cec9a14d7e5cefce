package markdown

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

// What a line opens is nested so deep and no deeper, and what stands below is read.
func TestNestingIsBounded(t *testing.T) {
	for name, unit := range map[string]string{"quotes": ">", "loose quotes": "> ", "lists": "- ", "numbers": "1. ", "both": "> - "} {
		for _, n := range []int{maxOpened / 2, 30_000} {
			d := Read([]byte(strings.Repeat(unit, n) + "# x\n\n# y\n"))
			if deepest := depthOf(d.root); deepest < maxOpened/2 || deepest > 2*maxOpened+4 {
				t.Errorf("%s: %d of them are %d deep", name, n, deepest)
			}
			if heads := d.Headings(); len(heads) != 1 || heads[0].Text != "y" {
				t.Errorf("%s: headings %v", name, heads)
			}
		}
	}
	rule := strings.Repeat("-", 200)
	if heads := Read([]byte("title\n" + rule + "\n\n" + rule + "\n")).Headings(); len(heads) != 1 || heads[0].Text != "title" {
		t.Errorf("of a long underline: headings %v", heads)
	}
}

func depthOf(n ast.Node) int {
	deepest := 0
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		deepest = max(deepest, 1+depthOf(child))
	}
	return deepest
}
