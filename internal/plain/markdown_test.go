package plain

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCode(t *testing.T) {
	for text, want := range map[string]Block{
		"go test":          "`go test`",
		"a `b` c":          "``a `b` c``",
		"`b`":              "`` `b` ``",
		"a\n# b\n@team #1": "`a # b @team #1`",
		" \u202e ":         "(empty)",
	} {
		if got := Code(text); got != want {
			t.Errorf("Code(%q) = %q, want %q", text, got, want)
		}
	}
}

// A fence is closed by a run of backticks as long as its own: no text holds one.
func TestFencedHoldsItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("`~a\n\r @#<>[]!\u200b\u202e"))).Draw(t, "text")
		lines := strings.Split(strings.TrimSuffix(string(Fenced(text)), "\n"), "\n")
		marks, ok := strings.CutSuffix(lines[0], "text")
		if !ok || strings.Trim(marks, "`") != "" || lines[len(lines)-1] != marks {
			t.Fatalf("no fence: %q", lines)
		}
		for _, line := range lines[1 : len(lines)-1] {
			if strings.Contains(line, marks) {
				t.Fatalf("the text ends its fence: %q", lines)
			}
		}
		code := string(Code(text))
		run := code[:len(code)-len(strings.TrimLeft(code, "`"))]
		if run != "" && (strings.Contains(code, "\n") || strings.Contains(code[len(run):len(code)-len(run)], run)) {
			t.Fatalf("the text ends its span: %q", code)
		}
	})
}
