package knowledge

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// checkMasks says whether a mask that thinks itself impossible would replace
// something, and whether paths are found as a pattern finds them.
func checkMasks(t interface{ Errorf(string, ...any) }, text string) {
	for i, m := range templateMasks() {
		if got := m.replace(text); got != text && (!m.possible(text) || m.number && !strings.ContainsAny(text, digits)) {
			t.Errorf("mask %d would make %q of %q", i, got, text)
		}
	}
	first := strings.Join(linesOf(text), "\n")
	if got := firstLines(text); got != first {
		t.Errorf("the first lines of %q are %q, want %q", text, got, first)
	}
	quotations := regexp.MustCompile("\"[^\"\n]*\"|`[^`'\n]*[`']|“[^”\n]*”|‘[^’\n]*’|\\B'[^'\n]*'\\B")
	if got, want := maskQuotations(text), quotations.ReplaceAllStringFunc(text, maskQuoted); got != want {
		t.Errorf("the quotations of %q are masked %q, want %q", text, got, want)
	}
	names := regexp.MustCompile(`<path>[^\s<>:,;)]*`)
	if got, want := maskBaseNames(text), names.ReplaceAllString(text, "<path>"); got != want {
		t.Errorf("the names of %q are masked %q, want %q", text, got, want)
	}
	paths := regexp.MustCompile(`(?:~|\.{1,2}|[A-Za-z]:|[\w@.*?-]*)?[/\\][\w@.*?/\\{},+=&%\[\]-]*`)
	if got, want := maskPaths(text), paths.ReplaceAllStringFunc(text, maskPath); got != want {
		t.Errorf("the paths of %q are masked %q, want %q", text, got, want)
	}
}

func TestMasksAreLookedForWhereTheyCanBe(t *testing.T) {
	pieces := []string{
		"", " ", "\n", "\"", "'", "`", "“", "”", "‘", "’", "a", "x", "0x", "7", "42", "2026-01-02", "12:30:59", "T", "Z", ".", ":", "-", "/", `\`, "~", "{", "é",
		"(eval)", "(eval):", "<path>", "http://", "c:", "ns", "µs", "ms", "s", "min", "hours", "deadbeef", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "10.0.0.1", "TS2345", "main.go",
	}
	rapid.Check(t, func(t *rapid.T) {
		checkMasks(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), ""))
	})
}

// linesOf returns the first lines of a text that hold anything.
func linesOf(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" && len(lines) < templateLines {
			lines = append(lines, line)
		}
	}
	return lines
}
