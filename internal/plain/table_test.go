package plain

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var things = Table{
	Columns: []Column{{Name: "NAME", Shrinks: true}, {Name: "STATUS"}, {Name: "TITLE", Shrinks: true}},
	Rows: []Row{
		{Cells: []string{"ADR-001", "Accepted", "Money is integer cents"}},
		{Cells: []string{"generated-files-are-not-edited-zkgm", "active 1.00", "Generated files\nare not edited"}, Notes: []string{"seen once"}, Link: "file:///shop/x.md"},
	},
}

// A heading stands above its column, whatever the row; cells are cut where the terminal is
// too narrow, and in a pipe they are whole.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		columns int
		want    string
	}{
		{100, "" +
			"NAME                                 STATUS       TITLE\n" +
			"ADR-001                              Accepted     Money is integer cents\n" +
			"generated-files-are-not-edited-zkgm  active 1.00  Generated files are not edited\n" +
			"    seen once\n"},
		{56, "" +
			"NAME                  STATUS       TITLE\n" +
			"ADR-001               Accepted     Money is integer cen…\n" +
			"generated-files-are…  active 1.00  Generated files are …\n" +
			"    seen once\n"},
		{0, "" +
			"ADR-001                              Accepted     Money is integer cents\n" +
			"generated-files-are-not-edited-zkgm  active 1.00  Generated files are not edited\n" +
			"    seen once\n"},
	} {
		var out strings.Builder
		p := NewTerminal(&out, c.columns, false)
		p.Table(things)
		if out.String() != c.want {
			t.Errorf("in %d columns:\n%s\nwant\n%s", c.columns, &out, c.want)
		}
	}
}

func TestNumbersStandAtTheRight(t *testing.T) {
	var out strings.Builder
	NewPrinter(&out).Table(Table{Columns: []Column{{Name: "TOOL"}, {Name: "CALLS", Number: true}}, Rows: []Row{{Cells: []string{"Bash", "7"}}}})
	if want := "TOOL  CALLS\nBash      7\n"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}

// The first cell is a link where the terminal shows links, and what it says is the same.
func TestTableLinks(t *testing.T) {
	var out strings.Builder
	p := NewTerminal(&out, 100, false)
	p.ShowLinks()
	p.Table(things)
	if want := "\x1b]8;;file:///shop/x.md\x1b\\generated-files-are-not-edited-zkgm\x1b]8;;\x1b\\  active"; !strings.Contains(out.String(), want) {
		t.Errorf("%q lacks %q", &out, want)
	}
	if n := strings.Count(out.String(), "\x1b]8;;"); n != 2 {
		t.Errorf("%d escapes: %q", n, &out)
	}
}

// No row is wider than the terminal, as long as the columns that do not shrink fit.
func TestTablesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z日 ]{0,60}`)
		table := Table{Columns: []Column{{Name: "A", Shrinks: true}, {Name: "B"}, {Name: "C", Shrinks: true}}}
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			table.Rows = append(table.Rows, Row{Cells: []string{word.Draw(t, "a"), "x", word.Draw(t, "c")}})
		}
		var out strings.Builder
		NewTerminal(&out, 40, false).Table(table)
		for line := range strings.Lines(out.String()) {
			if columnsOf(strings.TrimSuffix(line, "\n")) > 40 {
				t.Fatalf("too wide: %q", line)
			}
		}
		if n := strings.Count(out.String(), "\n"); n != len(table.Rows)+1 {
			t.Fatalf("%d lines for %d rows: %q", n, len(table.Rows), &out)
		}
	})
}
