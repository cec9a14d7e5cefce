package plain

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

type named string

type lines struct{ a, b string }

func TestFieldsStayOnTheirLine(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
		want   string
	}{
		{"%s\n", []any{"a\nb\tc  d\x1b[2J\n"}, "a b c  d[2J\n"},
		{"%-6s|%5q\n", []any{named("a\nb"), "\u202e"}, "a b   |   \"\"\n"},
		{"%v %s\n", []any{errors.New("a\nb"), []string{"c\n", "d\u200b"}}, "a b [c  d]\n"},
		{"%v\n", []any{lines{"a\n", "\u009b"}}, "{a  }\n"},
		{"%3d %.1f %t %s %x\n", []any{7, 0.25, true, time.Second, "ab"}, "  7 0.2 true 1s 6162\n"},
		{"%s", []any{Block("a\n\tb\x07\n")}, "a\n\tb\n"},
		{"%s", []any{Sprintf("- %s\n", "a\nb")}, "- a b\n"},
		{"::set-env %s\n  ::x\nstd::string\n##[error]y\n", []any{"a"}, "\\::set-env a\n  \\::x\nstd::string\n## [error]y\n"},
		{"%s:1: x\n", []any{"::error::a"}, "\\::error::a:1: x\n"},
	} {
		var out strings.Builder
		NewPrinter(&out).Printf(c.format, c.args...)
		if out.String() != c.want {
			t.Errorf("%q of %q: %q, want %q", c.format, c.args, out.String(), c.want)
		}
	}
}

func TestAnnotationsAreOneCommand(t *testing.T) {
	var out strings.Builder
	NewPrinter(&out).Annotate("error", "a\n::add-mask::x,y.md", 3, "lessons\u202e", "b\r\n::error::c 100%")
	want := "::error file=a%0A%3A%3Aadd-mask%3A%3Ax%2Cy.md,line=3,title=lessons::b%0D%0A::error::c 100%25\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// What reads the JSON gets the text as it is; what looks at it finds nothing hidden.
func TestJSONShowsWhatIsHidden(t *testing.T) {
	text := "é\u202e\U000e0041\u009b\u007f👩\u200d💻 \u2028<\n"
	var out strings.Builder
	if err := NewPrinter(&out).JSON(text, ""); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back != text {
		t.Errorf("%q, %v", back, err)
	}
	if at := Invisible(out.String()); at >= 0 {
		t.Errorf("%q has an invisible character at %d", out.String(), at)
	}
}
