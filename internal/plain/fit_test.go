package plain

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLinesFitTheTerminal(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"one two three four five six\n", "one two three four\nfive six\n"},
		{"label   one two three four\n", "label   one two\n        three four\n"},
		{"  - one two three four five\n", "  - one two three\n    four five\n"},
		{"see /a/very/long/path/to/a/file now\n", "see\n/a/very/long/path/to/a/file\nnow\n"},
		{"日本語 日本語 日本語日\n", "日本語 日本語\n日本語日\n"},
		{"go on? ", "go on? "},
	} {
		var out strings.Builder
		NewTerminal(&out, 20, false).Block(Block(c.text))
		if out.String() != c.want {
			t.Errorf("%q: %q, want %q", c.text, out.String(), c.want)
		}
	}
}

// However a text comes in parts, no word is lost; and where it comes in lines without
// columns, none is wider than the terminal but for a word that is.
func TestFittingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.StringMatching(`[a-z ]{0,24}\n?`)).Draw(t, "parts")
		var out strings.Builder
		p := NewTerminal(&out, 10, true)
		for _, part := range parts {
			p.Block(Block(part))
		}
		words := strings.Fields(strings.Join(parts, ""))
		if got := strings.Fields(out.String()); strings.Join(got, " ") != strings.Join(words, " ") {
			t.Fatalf("%q became %q", words, got)
		}
		inLines := !slices.ContainsFunc(parts, func(part string) bool { return !strings.HasSuffix(part, "\n") || strings.Contains(part, "  ") })
		for line := range strings.Lines(out.String()) {
			line = strings.TrimRight(line, " \n")
			if inLines && len(line) > 10 && len(strings.Fields(line)) > 1 && strings.TrimLeft(line, " ") == line {
				t.Fatalf("too wide: %q", line)
			}
		}
	})
}

// Who reads from a pipe gets what was printed, and no headings.
func TestHeadingsAreForTerminals(t *testing.T) {
	var piped, plainOnes, bold strings.Builder
	NewPrinter(&piped).Heading("ID\n")
	NewTerminal(&plainOnes, 80, false).Heading("ID\n")
	NewTerminal(&bold, 80, true).Heading("ID\n")
	if piped.String() != "" || plainOnes.String() != "ID\n" || bold.String() != "\x1b[1mID\x1b[0m\n" {
		t.Errorf("%q %q %q", &piped, &plainOnes, &bold)
	}
}
