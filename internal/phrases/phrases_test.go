package phrases

import (
	"strings"
	"testing"
)

func TestExpr(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"one phrase a line":      {"[aa]\nx y\nz", "x y|z"},
		"several in a line":      {"[aa]\nx|y\nz", "x|y|z"},
		"a group over lines":     {"[aa]\n^(?:\n  x\n  y\n) z\nw", "^(?:x|y) z|w"},
		"groups within groups":   {"[aa]\n(?:\n x(?:\n  1\n  2\n )?\n y\n)", "(?:x(?:1|2)?|y)"},
		"a captured group":       {"[aa]\nx (\ny\nz\n)", "x (y|z)"},
		"a group with a flag":    {"[aa]\nx (?-i:\nY\nZ\n)", "x (?-i:Y|Z)"},
		"a parenthesis as text":  {"[aa]\nx\\(\ny", `x\(|y`},
		"blanks that count":      {"[aa]\n  x[ ]  \n[ ]y", "x[ ]|[ ]y"},
		"a class is no header":   {"[aa]\n[abc]x\n[^a]", "[abc]x|[^a]"},
		"comments":               {"# c\n[aa]\n# d\nx", "x"},
		"what is defined":        {"[define we]\nwe|us\n[aa]\n(?:{we}) do\nx{2,3}", "(?:we|us) do|x{2,3}"},
		"defined by the defined": {"[define x]\n1\n[define y]\n{x}2\n[aa]\n{y}3", "123"},
		"what another says":      {"[bb]\ny|z\n[aa]\n(?:{bb})x", "(?:y|z)x"},
		"another section":        {"[bb]\ny\n[aa]\nx", "x"},
		"line ends of Windows":   {"[aa]\r\nx\r\ny\r\n", "x|y"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Must(c.text).Section("aa").Expr(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestSections(t *testing.T) {
	f := Must("[later has: always|never]\nx\n[later begins not: on in]\ny\n[common]\na b\nc\n")
	all := f.Sections("later")
	if len(all) != 2 || all[0].Condition != "has" || all[0].Value != "always|never" || all[1].Condition != "begins not" || all[1].Value != "on in" {
		t.Errorf("%+v", all)
	}
	if w := f.Section("common").Words(); len(w) != 3 || !w["c"] {
		t.Error(w)
	}
	if p := f.Optional("none"); p != nil || p.MatchString("x") {
		t.Error("a section that is not there must match nothing")
	}
	if !f.Sections("later")[0].Pattern().MatchString("a X") {
		t.Error("case counts")
	}
}

func TestErrors(t *testing.T) {
	if _, err := Parse("\nx\n[aa]\n"); err == nil || !strings.Contains(err.Error(), "before the first") {
		t.Error(err)
	}
}
